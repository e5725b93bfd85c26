import { useMemo } from 'react';
import type { ComparedRun, Comparison } from '../../../shared/contract/tracing/comparison.ts';
import { cost, count, duration, tokens } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import { type ComparisonRow, comparisonRows } from '../../model/trace/comparison-rows.ts';
import { signed, verdictOf } from '../../model/trace/comparison-words.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { preference } from '../../ui/primitives/preferences.ts';
import { Split } from '../../ui/primitives/split.tsx';
import { Lanes } from './lanes.tsx';
import { pairColumns } from './pair-columns.tsx';
import { PairDetail } from './pair-detail.tsx';
import type { CompareView } from './url.ts';
import { VerdictLine } from './verdict-line.tsx';

interface ComparedRunsProps {
  comparison: Comparison;
  view: CompareView;
  onView: (change: Partial<CompareView>) => void;
}

export function ComparedRuns({ comparison, view, onView }: ComparedRunsProps) {
  const { a, b, pairs, divergence } = comparison;
  const isUnfolded = view.equal === 'shown';
  const rows = useMemo(() => comparisonRows(pairs, isUnfolded), [pairs, isUnfolded]);
  const columns = useMemo(() => pairColumns(divergence), [divergence]);
  const differing = useMemo(() => [...pairs.keys()].filter((index) => pairs[index]?.differences.length !== 0), [pairs]);
  const chosen = view.step === undefined ? divergence : view.step - 1;
  const pair = chosen === null ? undefined : pairs[chosen];
  const select = (index: number | undefined) => onView({ step: index === undefined ? undefined : index + 1 });
  const unfold = () => onView({ equal: isUnfolded ? undefined : 'shown' });
  const open = (row: ComparisonRow) => (row.kind === 'pair' ? select(row.index) : unfold());
  useKeys('Steps', [
    { on: ['n'], label: 'Next difference', run: () => select(differing.find((index) => index > (chosen ?? -1)) ?? differing[0]) },
    {
      on: ['p'],
      label: 'Previous difference',
      run: () => select(differing.findLast((index) => index < (chosen ?? pairs.length)) ?? differing.at(-1)),
    },
    { on: ['='], label: isUnfolded ? 'Fold equal steps' : 'Show equal steps', run: unfold },
  ]);
  return (
    <>
      <VerdictLine verdict={verdictOf(comparison)} isWarm={divergence !== null} />
      <Totals a={a} b={b} />
      <Lanes comparison={comparison} chosen={chosen} onSelect={select} />
      <Split
        isDetailWanted={view.step !== undefined}
        width={preference.comparisonWidth}
        index={
          <>
            <DataList
              label="Steps of both runs"
              columns={columns}
              rows={rows}
              selected={chosen === null ? null : `step ${chosen}`}
              onOpen={open}
              listKey={`${a.id} ${b.id}`}
            />
            <div className="flex h-row shrink-0 items-center gap-3 border-line border-t px-pad text-fg-3 text-label">
              <Button hint="=" onClick={unfold}>
                {isUnfolded ? 'Fold equal steps' : 'Show equal steps'}
              </Button>
              <span className="truncate">Steps are matched by agent, kind, name and what they were given, not by position.</span>
            </div>
          </>
        }
        detail={pair && <PairDetail comparison={comparison} pair={pair} onSelect={select} onClose={() => select(undefined)} />}
      />
    </>
  );
}

interface Total {
  name: string;
  of: (run: ComparedRun) => number;
  format: (value: number) => string;
}

const totals: readonly Total[] = [
  { name: 'Duration', of: (run) => run.duration_ms, format: (ms) => duration(milliseconds(ms)) },
  { name: 'Cost', of: (run) => run.cost, format: cost },
  { name: 'Tokens', of: (run) => run.tokens, format: tokens },
  { name: 'Model calls', of: (run) => run.model_calls, format: count },
  { name: 'Tool calls', of: (run) => run.tool_calls, format: count },
  { name: 'Errors', of: (run) => run.errors, format: count },
];

/** Only what got worse is coloured. */
function Totals({ a, b }: { a: ComparedRun; b: ComparedRun }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label="Totals" tabIndex={0} className="shrink-0 overflow-x-auto border-line border-b px-pad py-2">
      <dl className="flex gap-5 whitespace-nowrap text-row">
        {totals.map(({ name, of, format }) => {
          const [before, after] = [of(a), of(b)];
          const isWorse = after > before;
          return (
            <div key={name} className="flex gap-1.5 tabular-nums">
              <dt className="text-fg-3">{name}</dt>
              <dd>
                {before === after ? (
                  format(after)
                ) : (
                  <>
                    <span className="text-fg-2">{`${format(before)} → `}</span>
                    <span className="font-strong">{format(after)}</span>
                    <span className={isWorse ? (name === 'Errors' ? 'text-err' : 'text-warm') : 'text-fg-3'}>
                      {` ${signed(after - before, format)}`}
                    </span>
                  </>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
