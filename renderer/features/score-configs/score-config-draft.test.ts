import { expect, it } from 'vitest';
import type { ScoreConfig } from '../../../shared/contract/evaluation/score-configs.ts';
import { configOf, draftOf, problemOf, type ScoreConfigDraft, valuesInWords, withCategory } from './score-config-draft.ts';

const base = { id: 'a:n', name: 'n', commit_sha: '', source: 'created' as const, archived: false };
const kind = { label: 'kind', value: 1, color: 'green' as const };
const rude = { label: 'rude', value: 0 };
const configs: ScoreConfig[] = [
  { ...base, data_type: 'boolean', description: 'Is it right?' },
  { ...base, data_type: 'numeric', min: -0.5 },
  { ...base, data_type: 'numeric' },
  { ...base, data_type: 'categorical', categories: [kind, rude] },
  { ...base, data_type: 'text' },
];

it.each(configs)('a configuration is edited without changing what is not touched: $data_type', (config) => {
  const { id, commit_sha, source, archived, hides_created, ...definition } = config;
  expect(configOf(draftOf(config))).toEqual(definition);
  expect(problemOf(draftOf(config))).toBeNull();
});

const problem = (change: Partial<ScoreConfigDraft>) => problemOf({ ...draftOf(configs[3] as ScoreConfig), ...change });
const category = (label: string, value: string) => ({ key: 0, label, value, color: '' }) as const;

it('a draft says why it cannot be saved', () => {
  expect(problem({ name: ' ' })).toBe('Enter a name.');
  expect(problem({ type: 'numeric', min: '1', max: '1' })).toBe('The highest value must be greater than the lowest.');
  expect(problem({ type: 'numeric', min: 'low' })).toBe('The ends of the range must be numbers.');
  expect(problem({ categories: [] })).toBe('Add a category.');
  expect(problem({ categories: [category(' ', '1')] })).toBe('Each category needs a label.');
  expect(problem({ categories: [category('a', '')] })).toBe('Each category needs a number as its value.');
  expect(problem({ categories: [category('a', '1'), category('a ', '2')] })).toBe('Two categories have the same label.');
  expect(problem({ categories: [category('a', '1'), category('b', '1.0')] })).toBe('Two categories have the same value.');
});

it('a new category has a value of its own', () => {
  expect(withCategory([category('a', '0'), category('b', '2')]).map(({ value }) => value)).toEqual(['0', '2', '1']);
  expect(withCategory([]).map(({ value }) => value)).toEqual(['0']);
});

it('the permitted values are told in words', () => {
  expect(configs.map(valuesInWords)).toEqual(['pass or fail', '-0.5 or more', 'any number', 'kind (1), rude (0)', 'any text']);
});
