import { type ScoreConfig, scoreTextMax } from '../../shared/contract/evaluation/score-configs.ts';

interface ScoreInput {
  score: number;
  label: string;
}

/** The score according to its configuration: a category adds its label. A string says why the configuration does not allow the value. */
export function applyScoreConfig<T extends ScoreInput>(config: ScoreConfig | undefined, input: T): T | string {
  if (config?.data_type === 'boolean') return input.score === 0 || input.score === 1 ? input : 'must be 0 or 1';
  if (config?.data_type === 'numeric') {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = config;
    return input.score < min ? `must be at least ${min}` : input.score > max ? `must be at most ${max}` : input;
  }
  if (config?.data_type === 'text') return problemOfText(input) ?? input;
  if (config?.data_type !== 'categorical') return input;
  const { score, label } = input;
  const category = config.categories.find((category) => category.value === score && (label === '' || category.label === label));
  return category ? { ...input, label: category.label } : `must be one of ${config.categories.map(describeCategory).join(', ')}`;
}

function problemOfText({ score, label }: ScoreInput): string | null {
  if (score !== 0 || label.trim() === '') return 'must be 0, with the text as its label';
  return label.length > scoreTextMax ? `must not have a text longer than ${scoreTextMax} characters` : null;
}

const describeCategory = ({ label, value }: { label: string; value: number }): string => `${value} (${label})`;
