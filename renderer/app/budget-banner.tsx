import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { Budget } from '../../shared/contract/viewer/budgets.ts';
import { budgetText } from '../../shared/words/budget-words.ts';
import { budgetsKey, useBudgets } from '../api/budgets.ts';
import { useFollow } from '../api/queries.ts';
import { Button, linkButton } from '../ui/primitives/button.tsx';
import { Text } from '../ui/primitives/text.tsx';

const always = () => true;
/** The last seven days start at another time at each reading, so that a budget of them is the same one. */
const keyOf = ({ period, folder, max, from }: Budget): string => `${period} ${folder} ${max} ${period === 'week' ? '' : from}`;

/** On every page, while more than a budget was spent: the one that is exceeded most. */
export function BudgetBanner() {
  const budgets = useBudgets();
  const isShown = useLocation({ select: ({ pathname }) => pathname === '/spending' });
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const exceeded = budgets.filter(({ state }) => state === 'over');
  const over = exceeded.filter((budget) => !hidden.has(keyOf(budget)));
  const [worst, ...others] = over.toSorted((a, b) => b.spent / b.max - a.spent / a.max);
  return (
    <>
      {budgets.length > 0 && <Follow />}
      {worst && (
        <section
          aria-label="Budgets that are exceeded"
          className="flex shrink-0 items-center gap-3 border-line border-b bg-err-bg px-4 py-1.5 max-split:flex-wrap"
        >
          <p role="status" className="min-w-0 flex-1 wrap-anywhere">
            <Text tone="err" strong>
              Over budget.
            </Text>{' '}
            <Text>{budgetText(worst)}</Text>
            {others.length > 0 && <Text tone="quiet">{` And ${others.length} more.`}</Text>}
          </p>
          <span className="flex shrink-0 gap-2">
            {!isShown && (
              <Link to="/spending" className={linkButton}>
                Open spending
              </Link>
            )}
            <Button
              title="Until another budget is exceeded, or this one starts again"
              onClick={() => setHidden(new Set(exceeded.map(keyOf)))}
            >
              Hide
            </Button>
          </span>
        </section>
      )}
    </>
  );
}

/** Without budgets no commit makes a request. */
function Follow() {
  useFollow(budgetsKey, always);
  return null;
}
