import { useNavigate } from '@tanstack/react-router';
import type { Spending } from '../../../shared/contract/viewer/spending.ts';
import { cost } from '../../model/text/format.ts';
import { TimeChart } from '../../ui/charts/time-chart.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { BreakdownTable } from './breakdown-table.tsx';
import { BudgetList } from './budget-list.tsx';
import { CostlyPrompts } from './costly-prompts.tsx';
import { costsOf } from './days.ts';
import { PlanWindows } from './plan-windows.tsx';
import { SpendingFigures } from './spending-figures.tsx';
import type { Breakdown, Range } from './url.ts';
import { rangeNames, unpriced, verdict } from './words.ts';

interface SpendingBodyProps {
  data: { edges: readonly number[]; spending: Spending };
  range: Range;
  by: Breakdown;
  onBy: (by: Breakdown) => void;
}

/** The sentence, the figures, and what they consist of. */
export function SpendingBody({ data: { edges, spending }, range, by, onBy }: SpendingBodyProps) {
  const { total, windows, prompts } = spending;
  const navigate = useNavigate();
  const missing = unpriced(total);
  const costs = costsOf(edges, spending.days);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label="What was spent" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
      <p className="px-pad py-2">
        <Text size="section" strong>
          {verdict(spending, range)}
        </Text>{' '}
        {missing && <Text tone="warm">{missing}</Text>}
      </p>
      <SpendingFigures total={total} today={costs.at(-1) ?? 0} />
      <BudgetList />
      <div className="grid gap-x-6 gap-y-3 border-line border-b px-pad py-2 sidebar:grid-cols-2">
        <TimeChart
          title={`Cost by day, last ${rangeNames[range]}`}
          value={cost(total.cost)}
          edges={edges}
          series={[{ name: 'Cost', tone: 'accent', values: costs }]}
          form="columns"
          format={cost}
          onBrush={(first, last) => void navigate({ to: '/traces', search: { from: edges[first], to: edges[last + 1] } })}
        />
        <PlanWindows windows={windows} />
      </div>
      <BreakdownTable spending={spending} by={by} onBy={onBy} />
      <CostlyPrompts prompts={prompts} />
    </section>
  );
}
