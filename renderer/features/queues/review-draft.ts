/** Draft of a review: criteria, answers, and the scores made from them. */
import { type CategoryColor, type ScoreConfig, scoreTextMax } from '../../../shared/contract/evaluation/score-configs.ts';

interface Choice {
  label: string;
  value: number;
  color?: CategoryColor | undefined;
}

/** Score that a queue asks for. */
export interface Criterion {
  name: string;
  description: string;
  /** Null if any number is a valid answer. */
  choices: readonly Choice[] | null;
  min: number;
  max: number;
  /** The answer is a text, and becomes the label of a score of 0. */
  isText: boolean;
}

/** By score name: the label of a choice, which stays right when the choices change, or a number or text as typed. */
export type Answers = Readonly<Record<string, string>>;

/** What has been typed for an item. */
export interface Draft {
  answers: Answers;
  comment: string;
}

export const emptyDraft: Draft = { answers: {}, comment: '' };

export interface DraftScore {
  name: string;
  score: number;
  label: string;
}

/** Scores without a configuration take any number. */
export function criteriaOf(names: readonly string[] | null, configs: readonly ScoreConfig[]): Criterion[] {
  return (names ?? []).map((name) => {
    const config = configs.find((candidate) => candidate.name === name);
    const { min, max } = config?.data_type === 'numeric' ? config : { min: undefined, max: undefined };
    const range = { min: min ?? Number.NEGATIVE_INFINITY, max: max ?? Number.POSITIVE_INFINITY };
    return { name, description: config?.description ?? '', choices: choicesOf(config), ...range, isText: config?.data_type === 'text' };
  });
}

function choicesOf(config: ScoreConfig | undefined): Choice[] | null {
  if (config?.data_type === 'categorical') return config.categories;
  const passOrFail = [1, 0].map((value) => ({ label: value === 1 ? 'pass' : 'fail', value }));
  return config?.data_type === 'boolean' ? passOrFail : null;
}

/** @returns null for a missing or invalid answer */
export function scoreOf({ name, choices, min, max, isText }: Criterion, answers: Answers): DraftScore | null {
  const answer = (answers[name] ?? '').trim();
  if (answer === '') return null;
  if (choices) {
    const choice = choices.find(({ label }) => label.trim() === answer);
    return choice ? { name, score: choice.value, label: choice.label } : null;
  }
  if (isText) return answer.length > scoreTextMax ? null : { name, score: 0, label: answer };
  const score = Number(answer);
  return Number.isFinite(score) && score >= min && score <= max ? { name, score, label: '' } : null;
}

/** First criterion without a valid answer, which the number keys answer. */
export const nextOf = (criteria: readonly Criterion[], answers: Answers): Criterion | undefined =>
  criteria.find((criterion) => scoreOf(criterion, answers) === null);

/** Permitted range of a number as text; empty for any. */
export function rangeOf({ min, max }: Criterion): string {
  if (Number.isFinite(min) && Number.isFinite(max)) return `${min} to ${max}`;
  if (Number.isFinite(min)) return `${min} or more`;
  return Number.isFinite(max) ? `${max} or less` : '';
}
