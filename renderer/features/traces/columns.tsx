import { Link } from '@tanstack/react-router';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { useTraceForwarding } from '../../api/forwarding.ts';
import { cost, count, tokens } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { ForwardMark } from '../../ui/primitives/forward-mark.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { Latency, Quantity } from '../../ui/primitives/quantity.tsx';
import { StatusIcon } from '../../ui/primitives/status-icon.tsx';
import { Text } from '../../ui/primitives/text.tsx';

const noTokens = 'No span of this trace reported tokens';
const noPrice = 'No price is known for the models of this trace, or they are free';

/** The whole row is its link, which opens the trace beside the list. */
function Name({ trace }: { trace: ListedTrace }) {
  return (
    <Link
      from="/traces"
      search={(now) => ({ ...now, peek: trace.id })}
      title={trace.name}
      className={`block truncate text-row after:absolute after:inset-0 ${trace.status === 'ERROR' ? 'text-err' : 'text-fg'}`}
    >
      {trace.name || 'unnamed'}
    </Link>
  );
}

function Status({ trace }: { trace: ListedTrace }) {
  if (trace.running > 0)
    return (
      <span role="img" aria-label="running" title="Some of its spans have not ended" className="text-ok text-label">
        ●
      </span>
    );
  return <StatusIcon status={trace.status} />;
}

/** Input and output in one line. */
function Preview({ trace }: { trace: ListedTrace }) {
  const { input_preview: asked, output_preview: answered } = trace;
  return (
    <Text as="div" size="label" tone="dim" cut title={[asked, answered].filter(Boolean).join('\n→ ')}>
      {asked}
      {answered && (
        <>
          {asked && ' → '}
          <Text size="label" tone="quiet">
            {answered}
          </Text>
        </>
      )}
    </Text>
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

const scoreWords = ({ scores }: ListedTrace) => scores.map(({ name, score, label }) => `${name} ${label || Number(score.toPrecision(3))}`);

const Word = ({ text, mono }: { text: string | null; mono?: boolean }) => (
  <Text as="div" size="label" tone="quiet" cut mono={mono ?? false} title={text ?? undefined}>
    {text}
  </Text>
);

const Forwarding = ({ traceId }: { traceId: string }) => <ForwardMark forwarding={useTraceForwarding(traceId)} />;

type TraceColumn = Column<ListedTrace> & {
  /** Not there until it is chosen. */
  isExtra?: boolean;
  /** Only where traces are forwarded somewhere. */
  ofForwarding?: boolean;
};

export const traceColumns: readonly TraceColumn[] = [
  { id: 'status', head: 'status', width: 'var(--width-status)', sort: 'status', cell: (trace) => <Status trace={trace} /> },
  { id: 'cloud', head: 'cloud', width: 'var(--width-status)', ofForwarding: true, cell: (trace) => <Forwarding traceId={trace.id} /> },
  { id: 'name', head: 'name', width: 'minmax(var(--width-name), 2fr)', sort: 'name', cell: (trace) => <Name trace={trace} /> },
  { id: 'preview', head: 'input → output', width: 'minmax(0, 3fr)', cell: (trace) => <Preview trace={trace} /> },
  {
    id: 'models',
    head: 'models',
    width: 'minmax(var(--width-word), 1fr)',
    wideOnly: true,
    cell: (trace) => <Word text={trace.models.join(', ')} />,
  },
  { id: 'tags', head: 'tags', width: 'minmax(0, 1fr)', wideOnly: true, cell: (trace) => <Pills texts={trace.tags} /> },
  {
    id: 'scores',
    head: 'scores',
    width: 'minmax(0, 1fr)',
    isExtra: true,
    wideOnly: true,
    cell: (trace) => <Pills texts={scoreWords(trace)} />,
  },
  {
    id: 'session',
    head: 'session',
    width: 'var(--width-word)',
    isExtra: true,
    wideOnly: true,
    cell: (trace) => <Word text={trace.session_id} />,
  },
  { id: 'user', head: 'user', width: 'var(--width-word)', isExtra: true, wideOnly: true, cell: (trace) => <Word text={trace.user_id} /> },
  {
    id: 'prompt',
    head: 'prompt',
    width: 'var(--width-word)',
    isExtra: true,
    wideOnly: true,
    cell: (trace) => <Word text={trace.prompt_name} />,
  },
  {
    id: 'spans',
    head: 'spans',
    width: 'var(--width-count)',
    end: true,
    wideOnly: true,
    cell: (trace) => <Quantity value={count(trace.span_count)} />,
  },
  { id: 'errors', head: 'errors', width: 'var(--width-count)', end: true, cell: (trace) => <Errors trace={trace} /> },
  {
    id: 'tokens',
    head: 'tokens',
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
    head: 'cost',
    width: 'var(--width-cost)',
    end: true,
    sort: 'cost',
    cell: (trace) => <Quantity value={trace.cost > 0 ? cost(trace.cost) : null} unknown={trace.tokens > 0 ? noPrice : noTokens} />,
  },
  {
    id: 'latency',
    head: 'latency',
    width: 'var(--width-duration)',
    end: true,
    sort: 'latency',
    cell: (trace) => <Latency trace={trace} />,
  },
  {
    id: 'start',
    head: 'start',
    width: 'var(--width-when)',
    end: true,
    sort: 'start_time',
    cell: (trace) => <Quantity value={when(trace.start)} title={exactly(trace.start)} />,
  },
  { id: 'id', head: 'trace id', width: 'var(--width-word)', isExtra: true, wideOnly: true, cell: (trace) => <Word text={trace.id} mono /> },
];
