import { Link } from '@tanstack/react-router';
import type { TraceItem } from '../../../shared/contract/traces.ts';
import { cost, count, duration, tokens } from '../../model/format.ts';
import { exactly, milliseconds, when } from '../../model/time.ts';
import type { Column } from '../../ui/data-list.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import { StatusIcon } from '../../ui/status-icon.tsx';
import { Text } from '../../ui/text.tsx';

const noTokens = 'No span of this trace reported tokens';
const noPrice = 'No price is known for the models of this trace, or they are free';

function Name({ trace }: { trace: TraceItem }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        to="/traces/$traceId"
        params={{ traceId: trace.id }}
        title={trace.name}
        className={`min-w-0 truncate text-row after:absolute after:inset-0 ${trace.status === 'ERROR' ? 'text-err' : 'text-fg'}`}
      >
        {trace.name || 'unnamed'}
      </Link>
      {/* As many as the name leaves room for: one that does not fit wraps out of sight. */}
      <span title={trace.tags.join(', ')} className="flex h-pill min-w-0 flex-1 basis-0 flex-wrap gap-1 overflow-hidden">
        {trace.tags.map((tag) => (
          <Pill key={tag}>{tag}</Pill>
        ))}
      </span>
    </span>
  );
}

/** What was asked and what came back, in one line. */
function Preview({ trace }: { trace: TraceItem }) {
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

function Errors({ trace }: { trace: TraceItem }) {
  if (trace.error_count === 0) return null;
  return (
    <Text as="div" tone="err" className="num" title={`${count(trace.error_count)} of its spans failed`}>
      {count(trace.error_count)}
    </Text>
  );
}

export const traceColumns: Column<TraceItem>[] = [
  { id: 'status', head: 'status', width: 'var(--width-status)', sort: 'status', cell: (trace) => <StatusIcon status={trace.status} /> },
  { id: 'name', head: 'name', width: 'minmax(var(--width-name), 2fr)', sort: 'name', cell: (trace) => <Name trace={trace} /> },
  { id: 'preview', head: 'input → output', width: 'minmax(0, 3fr)', cell: (trace) => <Preview trace={trace} /> },
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
    cell: (trace) => <Quantity value={duration(milliseconds(trace.latency_ms))} />,
  },
  {
    id: 'start',
    head: 'start',
    width: 'var(--width-when)',
    end: true,
    sort: 'start_time',
    cell: (trace) => <Quantity value={when(trace.start)} title={exactly(trace.start)} />,
  },
];
