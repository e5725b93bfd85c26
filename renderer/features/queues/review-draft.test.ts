import { describe, expect, it } from 'vitest';
import type { ScoreConfig } from '../../../shared/contract/evaluation/score-configs.ts';
import { criteriaOf, nextOf, rangeOf, scoreOf } from './review-draft.ts';

const configBase = (name: string) => ({
  ...{ id: `a:${name}`, name, commit_sha: '', source: 'created' as const, archived: false },
});
const configs: ScoreConfig[] = [
  { ...configBase('right'), data_type: 'boolean', description: 'Is it true?' },
  { ...configBase('length'), data_type: 'numeric', min: 0, max: 5 },
  {
    ...configBase('tone'),
    data_type: 'categorical',
    categories: [
      { label: 'kind', value: 2 },
      { label: 'rude', value: 0 },
    ],
  },
  { ...configBase('why'), data_type: 'text' },
];
const criteria = criteriaOf(['right', 'length', 'tone', 'why', 'other'], configs);
const scoreFor = (name: string, answer: string) => {
  const criterion = criteria.find((candidate) => candidate.name === name);
  return criterion && scoreOf(criterion, { [name]: answer });
};

describe('the criteria of a queue', () => {
  it('are in the order of the queue, with the choices that the project configures', () => {
    expect(criteria.map(({ name, choices }) => [name, choices?.map(({ label }) => label) ?? null])).toEqual([
      ['right', ['pass', 'fail']],
      ['length', null],
      ['tone', ['kind', 'rude']],
      ['why', null],
      ['other', null],
    ]);
    expect(criteriaOf(null, configs)).toEqual([]);
  });

  it('have their range as text', () => {
    const ranges = [{ min: 0, max: 5 }, { min: 0 }, { max: 5 }, {}].map((range) =>
      criteriaOf(['n'], [{ ...configBase('n'), data_type: 'numeric', ...range }]).map(rangeOf),
    );
    expect(ranges.flat()).toEqual(['0 to 5', '0 or more', '5 or less', '']);
  });
});

it.each([
  ['right', 'pass', { name: 'right', score: 1, label: 'pass' }],
  ['right', 'fail', { name: 'right', score: 0, label: 'fail' }],
  ['right', '0', null],
  ['length', '4.5', { name: 'length', score: 4.5, label: '' }],
  ['length', '5.1', null],
  ['length', '-1', null],
  ['length', 'long', null],
  ['length', ' ', null],
  ['tone', 'rude', { name: 'tone', score: 0, label: 'rude' }],
  ['tone', 'kinder', null],
  ['why', 'a'.repeat(2001), null],
  ['why', ' late ', { name: 'why', score: 0, label: 'late' }],
  ['other', '-1e3', { name: 'other', score: -1000, label: '' }],
  ['other', 'Infinity', null],
])('%s answered with %j', (name, answer, expected) => {
  expect(scoreFor(name, answer)).toEqual(expected);
});

it('the next criterion is the first one without a valid answer', () => {
  expect(nextOf(criteria, {})?.name).toBe('right');
  expect(nextOf(criteria, { right: 'pass', length: '9' })?.name).toBe('length');
  expect(nextOf(criteria, { right: 'pass', length: '1', tone: 'kind', why: 'late', other: '2' })).toBeUndefined();
});
