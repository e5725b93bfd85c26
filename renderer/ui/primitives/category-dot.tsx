import clsx from 'clsx';
import type { CategoryColor } from '../../../shared/contract/evaluation/score-configs.ts';

const tones: Record<CategoryColor, string> = {
  green: 'bg-ok',
  amber: 'bg-warm',
  red: 'bg-err',
  blue: 'bg-accent',
  violet: 'bg-llm',
  teal: 'bg-retrieval',
  grey: 'bg-fg-3',
};

/** The colour of a category, beside its label. Nothing depends on the colour alone. */
export const CategoryDot = ({ color }: { color: CategoryColor }) => (
  <span aria-hidden="true" className={clsx('size-2 shrink-0 rounded-full', tones[color])} />
);
