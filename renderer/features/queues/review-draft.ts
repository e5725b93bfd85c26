/** Draft of a review: criteria, answers, and the request made from them. */
import type { ScoreConfig } from '../../../shared/contract/evaluation/score-configs.ts';

interface Choice {
  label: string;
  value: number;
}

/** Score that a queue asks for. */
export interface Criterion {
  name: string;
  description: string;
  /** Null where any number is an answer. */
  choices: readonly Choice[] | null;
  min: number;
  max: number;
}

/** By score name: index of a choice, or a number as typed. */
export type Answers = Readonly<Record<string, string>>;

export interface GivenScore {
  name: string;
  score: number;
  label: string;
}

/** Scores without a configuration take any number. */
export function criteriaOf(names: readonly string[] | null, configs: readonly ScoreConfig[]): Criterion[] {
  return (names ?? []).map((name) => {
    const config = configs.find((each) => each.name === name);
    const { min, max } = config?.data_type === 'numeric' ? config : { min: undefined, max: undefined };
    const range = { min: min ?? Number.NEGATIVE_INFINITY, max: max ?? Number.POSITIVE_INFINITY };
    return { name, description: config?.description ?? '', choices: choicesOf(config), ...range };
  });
}

function choicesOf(config: ScoreConfig | undefined): Choice[] | null {
  if (config?.data_type === 'categorical') return config.categories;
  const passOrFail = [1, 0].map((value) => ({ label: value === 1 ? 'pass' : 'fail', value }));
  return config?.data_type === 'boolean' ? passOrFail : null;
}

/** Null for an answer that is missing or none. */
export function scoreOf({ name, choices, min, max }: Criterion, answers: Answers): GivenScore | null {
  const answer = (answers[name] ?? '').trim();
  if (answer === '') return null;
  if (choices) {
    const chosen = choices[Number(answer)];
    return chosen ? { name, score: chosen.value, label: chosen.label } : null;
  }
  const score = Number(answer);
  return Number.isFinite(score) && score >= min && score <= max ? { name, score, label: '' } : null;
}

/** The first that has no answer yet: where the number keys go. */
export const nextOf = (criteria: readonly Criterion[], answers: Answers): Criterion | undefined =>
  criteria.find((criterion) => scoreOf(criterion, answers) === null);

/** Permitted range of a number as text; empty for any. */
export function rangeOf({ min, max }: Criterion): string {
  if (Number.isFinite(min) && Number.isFinite(max)) return `${min} to ${max}`;
  if (Number.isFinite(min)) return `${min} or more`;
  return Number.isFinite(max) ? `${max} or less` : '';
}
