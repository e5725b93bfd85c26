import { Link } from '@tanstack/react-router';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { useTraceForwarding } from '../../api/forwarding.ts';
import { cost, count, tokens } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import { errorsInside, errorsInsideText, isFailed } from '../../model/trace/outcome.ts';
import { progressOf } from '../../model/trace/running.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { ForwardMark } from '../../ui/primitives/forward-mark.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { Latency, Quantity } from '../../ui/primitives/quantity.tsx';
import { RunningTime } from '../../ui/primitives/running.tsx';
import { Outcome } from '../../ui/primitives/status-icon.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { RunawayMark } from './runaway-mark.tsx';

const noTokens = 'No span of this trace reported tokens';
const noPrice = 'The models of this trace have no known price, or are free';

/** SDKs that were not told a service name send `unknown_service:` and the path of the program. */
const hasServiceName = ({ service, name }: ListedTrace) => service !== null && service !== name && !service.startsWith('unknown_service');

/** Link that covers the whole row and opens the trace in the side panel. */
function Name({ trace }: { trace: ListedTrace }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <RunawayMark traceId={trace.id} />
      <Link
        from="/traces"
        search={(now) => ({ ...now, peek: trace.id })}
        title={trace.name}
        className={`min-w-0 truncate font-strong text-row after:absolute after:inset-0 ${trace.status === 'ERROR' ? 'text-err' : 'text-fg'}`}
      >
        {trace.name || 'unnamed'}
      </Link>
      {hasServiceName(trace) && (
        <Text size="label" tone="dim" cut className="shrink-[9]" title={`Service ${trace.service}`}>
          {trace.service}
        </Text>
      )}
    </span>
  );
}

/** The root's own status, and beside it what the root does not say. */
function Status({ trace }: { trace: ListedTrace }) {
  const errors = errorsInside(trace);
  const inside = errors > 0 ? errorsInsideText(errors) : '';
  const words = [isFailed(trace) && 'Failed', inside].filter(Boolean).join(', ');
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={words || undefined}>
      <Outcome trace={trace} />
      {trace.running > 0 && <RunningTime progress={progressOf(trace)} />}
      <Text size="label" tone="err" cut>
        {inside || words}
      </Text>
    </span>
  );
}

function Errors({ trace }: { trace: ListedTrace }) {
  if (trace.error_count === 0) return null;
  return (
    <Text as="div" tone="err" className="num" title={`${count(trace.error_count)} of its spans failed`}>
      {count(trace.error_count)}
    </Text>
  );
}

/** Pills that do not fit wrap out of view; the tooltip has all of them. */
const Pills = ({ texts }: { texts: readonly string[] }) => (
  <span title={texts.join(', ')} className="flex h-pill min-w-0 flex-wrap gap-1 overflow-hidden">
    {texts.map((text) => (
      <Pill key={text}>{text}</Pill>
    ))}
  </span>
);

const scoreLabels = ({ scores }: ListedTrace) => scores.map(({ name, score, label }) => `${name} ${label || Number(score.toPrecision(3))}`);

const TextCell = ({ text, mono }: { text: string | null; mono?: boolean }) => (
  <Text as="div" size="label" tone="quiet" cut mono={mono ?? false} title={text ?? undefined}>
    {text}
  </Text>
);

const Forwarding = ({ traceId }: { traceId: string }) => <ForwardMark forwarding={useTraceForwarding(traceId)} />;

type TraceColumn = Column<ListedTrace> & {
  /** Hidden by default. */
  isExtra?: boolean;
  /** Shown only where traces are forwarded. */
  needsForwarding?: boolean;
};

export const traceColumns: readonly TraceColumn[] = [
  { id: 'status', head: 'Status', width: 'var(--width-outcome)', sort: 'status', cell: (trace) => <Status trace={trace} /> },
  { id: 'cloud', head: 'Cloud', width: 'var(--width-status)', needsForwarding: true, cell: (trace) => <Forwarding traceId={trace.id} /> },
  {
    id: 'name',
    head: 'Name',
    width: 'minmax(var(--width-name), 4fr)',
    sort: 'name',
    isLead: true,
    cell: (trace) => <Name trace={trace} />,
  },
  {
    id: 'models',
    head: 'Models',
    width: 'minmax(var(--width-word), 1fr)',
    wideOnly: true,
    cell: (trace) => <TextCell text={trace.models.join(', ')} />,
  },
  { id: 'tags', head: 'Tags', width: 'minmax(0, 1fr)', wideOnly: true, cell: (trace) => <Pills texts={trace.tags} /> },
  {
    id: 'scores',
    head: 'Scores',
    width: 'minmax(0, 1fr)',
    isExtra: true,
    wideOnly: true,
    cell: (trace) => <Pills texts={scoreLabels(trace)} />,
  },
  {
    id: 'session',
    head: 'Session',
    width: 'var(--width-word)',
    isExtra: true,
    wideOnly: true,
    cell: (trace) => <TextCell text={trace.session_id} />,
  },
  {
    id: 'user',
    head: 'User',
    width: 'var(--width-word)',
    isExtra: true,
    wideOnly: true,
    cell: (trace) => <TextCell text={trace.user_id} />,
  },
  {
    id: 'prompt',
    head: 'Prompt',
    width: 'var(--width-word)',
    isExtra: true,
    wideOnly: true,
    cell: (trace) => <TextCell text={trace.prompt_name} />,
  },
  {
    id: 'spans',
    head: 'Spans',
    width: 'var(--width-count)',
    end: true,
    wideOnly: true,
    cell: (trace) => <Quantity value={count(trace.span_count)} />,
  },
  { id: 'errors', head: 'Failed spans', width: 'var(--width-cost)', end: true, isExtra: true, cell: (trace) => <Errors trace={trace} /> },
  {
    id: 'tokens',
    head: 'Tokens',
    width: 'var(--width-total)',
    end: true,
    sort: 'tokens',
    wideOnly: true,
    cell: (trace) => (
      <Quantity value={trace.tokens > 0 ? tokens(trace.tokens) : null} unknown={noTokens} title={`${count(trace.tokens)} tokens`} />
    ),
  },
  {
    id: 'cost',
    head: 'Cost',
    width: 'var(--width-cost)',
    end: true,
    sort: 'cost',
    cell: (trace) => <Quantity value={trace.cost > 0 ? cost(trace.cost) : null} unknown={trace.tokens > 0 ? noPrice : noTokens} />,
  },
  {
    id: 'latency',
    head: 'Duration',
    width: 'var(--width-duration)',
    end: true,
    sort: 'latency',
    cell: (trace) => <Latency trace={trace} />,
  },
  {
    id: 'start',
    head: 'Started',
    width: 'var(--width-when)',
    end: true,
    sort: 'start_time',
    cell: (trace) => <Quantity value={when(trace.start)} title={exactly(trace.start)} />,
  },
  {
    id: 'id',
    head: 'Trace ID',
    width: 'var(--width-word)',
    isExtra: true,
    wideOnly: true,
    cell: (trace) => <TextCell text={trace.id} mono />,
  },
];
