import { describe, expect, it } from 'vitest';
import { applyScoreConfig } from './score-rules.ts';

const base = { id: 'a:n', name: 'n', commit_sha: '', source: 'project_file' as const, archived: false };
const boolean = { ...base, data_type: 'boolean' as const };
const numeric = { ...base, data_type: 'numeric' as const, min: 0, max: 5 };
const open = { ...base, data_type: 'numeric' as const };
const categories = [
  { label: 'good', value: 1 },
  { label: 'poor', value: 0 },
  { label: 'bad', value: 0 },
];
const text = { ...base, data_type: 'text' as const };
const categorical = { ...base, data_type: 'categorical' as const, categories };

describe('a score is accepted', () => {
  it.each([
    ['of no configuration', undefined, 17, '', ''],
    ['of yes', boolean, 1, '', ''],
    ['of no', boolean, 0, 'false', 'false'],
    ['at the lower end', numeric, 0, '', ''],
    ['at the upper end', numeric, 5, '', ''],
    ['without ends', open, -1e300, '', ''],
    ['of a text, as its label', text, 0, 'late', 'late'],
    ['of a category, with its label', categorical, 1, '', 'good'],
    ['of a category that shares its value', categorical, 0, 'bad', 'bad'],
  ])('%s', (_, config, score, label, expected) => {
    expect(applyScoreConfig(config, { score, label })).toEqual({ score, label: expected });
  });
});

describe('a score is refused', () => {
  it.each([
    ['between yes and no', boolean, 0.5, '', 'must be 0 or 1'],
    ['below', numeric, -0.1, '', 'must be at least 0'],
    ['above', numeric, 5.1, '', 'must be at most 5'],
    ['of a text with a value', text, 1, 'late', 'must be 0, with the text as its label'],
    ['of a text that is blank', text, 0, ' ', 'must be 0, with the text as its label'],
    ['of a long text', text, 0, 'a'.repeat(2001), 'must not have a text longer than 2000 characters'],
    ['of no category', categorical, 2, '', 'must be one of 1 (good), 0 (poor), 0 (bad)'],
    ['of a category with another label', categorical, 1, 'bad', 'must be one of 1 (good), 0 (poor), 0 (bad)'],
  ])('%s', (_, config, score, label, expected) => {
    expect(applyScoreConfig(config, { score, label })).toBe(expected);
  });
});
