import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { budgetKey, budgetText } from '../../shared/words/budget-words.ts';
import { budgetsKey, useBudgets } from '../api/budgets.ts';
import { useFollow } from '../api/queries.ts';
import { Button, linkButton } from '../ui/primitives/button.tsx';
import { Text } from '../ui/primitives/text.tsx';

const always = () => true;
/** On every page, while more than a budget was spent: the one that is exceeded most. */
export function BudgetBanner() {
  const budgets = useBudgets();
  const isShown = useLocation({ select: ({ pathname }) => pathname === '/spending' });
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const exceeded = budgets.filter(({ state }) => state === 'over');
  const over = exceeded.filter((budget) => !hidden.has(budgetKey(budget)));
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
              onClick={() => setHidden(new Set(exceeded.map(budgetKey)))}
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
