import clsx from 'clsx';
import type { ComparedStep, StepPair } from '../../../shared/contract/tracing/comparison.ts';
import { duration, plural } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import type { ComparisonRow } from '../../model/trace/comparison-rows.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { KindIcon } from '../../ui/primitives/kind-icon.tsx';

type Side = 'a' | 'b';

export const pairColumns = (divergence: number | null): readonly Column<ComparisonRow>[] => [
  {
    id: 'number',
    head: 'Step',
    width: 'var(--width-status)',
    end: true,
    cell: (row) => (row.kind === 'pair' ? <span className="text-fg-3 tabular-nums">{row.index + 1}</span> : null),
  },
  { id: 'a', head: 'A', width: 'minmax(0, 1fr)', cell: (row) => <StepCell row={row} side="a" divergence={divergence} /> },
  {
    id: 'relation',
    head: 'Difference',
    isHeadHidden: true,
    width: 'var(--width-mark)',
    cell: (row) => row.kind === 'pair' && <Relation pair={row.pair} isDivergence={row.index === divergence} />,
  },
  { id: 'b', head: 'B', width: 'minmax(0, 1fr)', cell: (row) => <StepCell row={row} side="b" divergence={divergence} /> },
];

function Relation({ pair: { a, b, differences }, isDivergence }: { pair: StepPair; isDivergence: boolean }) {
  const [mark, label] = differences.length === 0 ? ['=', 'equal'] : !b ? ['−', 'only in A'] : !a ? ['+', 'only in B'] : ['≠', 'differs'];
  return (
    <span
      role="img"
      aria-label={isDivergence ? `first divergence, ${label}` : label}
      title={differences.join(', ') || label}
      className={clsx('block text-center', isDivergence ? 'font-strong text-warm' : differences.length === 0 ? 'text-fg-3' : 'text-fg')}
    >
      {mark}
    </span>
  );
}

function StepCell({ row, side, divergence }: { row: ComparisonRow; side: Side; divergence: number | null }) {
  if (row.kind === 'folded')
    return side === 'a' ? <span className="block truncate text-fg-3">{`› ${plural(row.count, 'equal step')}: ${row.names}`}</span> : null;
  const step = row.pair[side];
  const isDivergence = row.index === divergence;
  if (!step) return <span className="px-1.5 text-fg-3">{`Not in ${side.toUpperCase()}`}</span>;
  const isOnly = row.pair[side === 'a' ? 'b' : 'a'] === null;
  const isChanged = row.pair.differences.length > 0;
  return (
    <span
      className={clsx(
        'flex min-w-0 items-center gap-2 rounded-control border px-1.5 py-0.5',
        isDivergence ? 'border-warm' : 'border-transparent',
        step.is_failed ? 'bg-err-bg' : isOnly ? (side === 'a' ? 'bg-removed' : 'bg-added') : isChanged && 'bg-raised',
      )}
    >
      <KindIcon kind={step.kind} />
      <StepText step={step} isQuiet={!isChanged} />
      <span className="ml-auto shrink-0 text-fg-2 tabular-nums">
        {step.is_running ? 'running' : step.phase !== 'end' && duration(milliseconds(step.duration_ms))}
      </span>
    </span>
  );
}

function StepText({ step, isQuiet }: { step: ComparedStep; isQuiet: boolean }) {
  const attempts = step.failed_attempts === 0 ? '' : ` after ${plural(step.failed_attempts, 'failed attempt')}`;
  return (
    <span className="min-w-0 truncate">
      <span className={clsx(step.is_failed ? 'text-err' : isQuiet ? 'text-fg-2' : 'font-medium text-fg')}>{step.name || 'unnamed'}</span>
      <span className="text-fg-3">{`${attempts} ${step.phase === 'end' ? 'answers ' : ''}${step.text}`}</span>
    </span>
  );
}
