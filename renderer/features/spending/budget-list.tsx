import clsx from 'clsx';
import type { Budget } from '../../../shared/contract/viewer/budgets.ts';
import { budgetName } from '../../../shared/words/budget-words.ts';
import { useBudgetQuery, useSetBudgets } from '../../api/budgets.ts';
import { useMay } from '../../api/identity.ts';
import { refusalOf } from '../../api/refusal.ts';
import { cost, percent, plural } from '../../model/text/format.ts';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { hourMinute } from './words.ts';

const row =
  'grid min-h-row grid-cols-[minmax(0,2fr)_var(--width-total)_var(--width-outcome)_var(--width-word)_minmax(0,1fr)_auto] items-center gap-3 px-pad sidebar:grid-cols-[minmax(0,2fr)_var(--spacing-step)_var(--width-outcome)_var(--width-word)_minmax(0,2fr)_auto]';
const fills = { within: 'fill-accent', near: 'fill-warm', over: 'fill-err' };
const words = { within: 'within', near: 'nearly spent', over: 'over' };
const tones = { within: 'dim', near: 'warm', over: 'err' } as const;

/** The budgets, each with what was spent of it. Nothing without budgets, unless they could not be loaded. */
export function BudgetList() {
  const { data: budgets = [], error } = useBudgetQuery();
  const mayWrite = useMay()('trace.write');
  const set = useSetBudgets();
  const problem = refusalOf(set.error).whole || (error && 'The budgets could not be loaded.');
  if (budgets.length === 0 && !problem) return null;
  return (
    <section aria-label="Budgets" className="border-line border-b py-1">
      {problem && (
        <Text as="p" tone="err" className="px-pad py-1">
          {problem}
        </Text>
      )}
      <ul>
        {budgets.map((budget) => (
          <li key={`${budget.period} ${budget.folder}`} className={row}>
            <Text cut title={budgetName(budget)}>
              {budgetName(budget)}
            </Text>
            <Bar budget={budget} />
            <Text className="num">{`${cost(budget.spent)}, ${percent(budget.spent / budget.max)}`}</Text>
            <Text tone={tones[budget.state]}>{words[budget.state]}</Text>
            <Text tone="dim" cut title={about(budget)}>
              {about(budget)}
            </Text>
            {mayWrite && (
              <RowAction
                label={`Remove the budget ${budgetName(budget)}`}
                onClick={() => !set.isPending && set.mutate(budgets.filter((other) => other !== budget))}
              >
                Remove
              </RowAction>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Until when it counts, and what is not counted. */
const about = ({ period, to, calls, unpriced_calls }: Budget): string =>
  [
    period === 'day' && 'until midnight',
    period === '5h' && (to !== null && calls > 0 ? `until ${hourMinute(to)}` : 'no window now'),
    unpriced_calls > 0 && `${plural(unpriced_calls, 'call')} without a price`,
  ]
    .filter(Boolean)
    .join(' · ');

const Bar = ({ budget: { spent, max, state } }: { budget: Budget }) => (
  <svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none" className="h-bar w-full">
    <rect width={100} height={10} className="fill-raised" />
    <rect width={Math.min(100, (spent / max) * 100)} height={10} className={clsx(fills[state])} />
  </svg>
);
