/** Draft of a score configuration: texts of the fields, their validation and conversion. */
import type { CategoryColor, NewScoreConfig, ScoreConfig } from '../../../shared/contract/evaluation/score-configs.ts';

export type ScoreType = ScoreConfig['data_type'];

export interface CategoryDraft {
  /** For the list of the form. */
  key: number;
  label: string;
  value: string;
  color: CategoryColor | '';
}

export interface ScoreConfigDraft {
  name: string;
  description: string;
  type: ScoreType;
  min: string;
  max: string;
  categories: readonly CategoryDraft[];
}

const emptyDraft: ScoreConfigDraft = {
  ...{ name: '', description: '', type: 'categorical', min: '', max: '' },
  categories: [
    { key: 0, label: '', value: '1', color: 'green' },
    { key: 1, label: '', value: '0', color: 'red' },
  ],
};

export function draftOf(config: ScoreConfig | null): ScoreConfigDraft {
  if (!config) return emptyDraft;
  const { name, description = '', data_type: type } = config;
  const draft = { ...emptyDraft, name, description, type };
  if (config.data_type === 'numeric') return { ...draft, min: String(config.min ?? ''), max: String(config.max ?? '') };
  if (config.data_type !== 'categorical') return draft;
  const categories = config.categories.map(
    ({ label, value, color }, key): CategoryDraft => ({ key, label, value: String(value), color: color ?? '' }),
  );
  return { ...draft, categories };
}

/** With the smallest whole value that no category has. */
export function withCategory(categories: readonly CategoryDraft[]): CategoryDraft[] {
  const used = new Set(categories.map(({ value }) => Number(value)));
  let value = 0;
  while (used.has(value)) value++;
  return [...categories, { key: Math.max(-1, ...categories.map(({ key }) => key)) + 1, label: '', value: String(value), color: '' }];
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));

/** Why the draft cannot be saved; null when it can. */
export function problemOf({ name, type, min, max, categories }: ScoreConfigDraft): string | null {
  if (name.trim() === '') return 'Enter a name.';
  if (type === 'numeric') {
    if ([min, max].some((end) => end.trim() !== '' && !isNumber(end))) return 'The ends of the range must be numbers.';
    return isNumber(min) && isNumber(max) && Number(min) >= Number(max) ? 'The highest value must be greater than the lowest.' : null;
  }
  if (type !== 'categorical') return null;
  if (categories.length === 0) return 'Add a category.';
  if (categories.some(({ label }) => label.trim() === '')) return 'Each category needs a label.';
  if (categories.some(({ value }) => !isNumber(value))) return 'Each category needs a number as its value.';
  const isRepeated = (texts: readonly (string | number)[]) => new Set(texts).size < texts.length;
  if (isRepeated(categories.map(({ label }) => label.trim()))) return 'Two categories have the same label.';
  return isRepeated(categories.map(({ value }) => Number(value))) ? 'Two categories have the same value.' : null;
}

/** For a draft without a problem. */
export function configOf(draft: ScoreConfigDraft): NewScoreConfig {
  const description = draft.description.trim();
  const common = { name: draft.name.trim(), ...(description !== '' && { description }) };
  const { type, min, max, categories } = draft;
  if (type === 'numeric')
    return { ...common, data_type: type, ...(isNumber(min) && { min: Number(min) }), ...(isNumber(max) && { max: Number(max) }) };
  if (type !== 'categorical') return { ...common, data_type: type };
  return {
    ...common,
    data_type: type,
    categories: categories.map(({ label, value, color }) => ({
      ...{ label: label.trim(), value: Number(value) },
      ...(color !== '' && { color }),
    })),
  };
}

/** A configuration as it is, to be sent again. */
export function definitionOf({ id, commit_sha, source, archived, hides_created, ...definition }: ScoreConfig): NewScoreConfig {
  return definition;
}

/** The permitted values, for the list. */
export function valuesInWords(config: ScoreConfig): string {
  if (config.data_type === 'boolean') return 'pass or fail';
  if (config.data_type === 'text') return 'any text';
  if (config.data_type === 'categorical') return config.categories.map(({ label, value }) => `${label} (${value})`).join(', ');
  const { min, max } = config;
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  if (min !== undefined) return `${min} or more`;
  return max === undefined ? 'any number' : `${max} or less`;
}
