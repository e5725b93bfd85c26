import type { ScoreConfig } from '../../shared/contract/evaluation/score-configs.ts';

interface Given {
  score: number;
  label: string;
}

/** Score according to its configuration: a category adds its label. A text describes a value that the configuration does not allow. */
export function judgedBy<T extends Given>(config: ScoreConfig | undefined, given: T): T | string {
  if (config?.data_type === 'boolean') return given.score === 0 || given.score === 1 ? given : 'must be 0 or 1';
  if (config?.data_type === 'numeric') {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = config;
    return given.score < min ? `must be at least ${min}` : given.score > max ? `must be at most ${max}` : given;
  }
  if (config?.data_type !== 'categorical') return given;
  const { score, label } = given;
  const category = config.categories.find((each) => each.value === score && (label === '' || each.label === label));
  return category ? { ...given, label: category.label } : `must be one of ${config.categories.map(inWords).join(', ')}`;
}

const inWords = ({ label, value }: { label: string; value: number }): string => `${value} (${label})`;
