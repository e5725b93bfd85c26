import { Link } from '@tanstack/react-router';
import type { SessionItem } from '../../../shared/contract/tracing/sessions.ts';
import { cost, count, duration, tokens } from '../../model/text/format.ts';
import { exactly, milliseconds, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';

const noTokens = 'No span of this session reported tokens';
const noPrice = 'The models of this session have no known price, or are free';

function Name({ session }: { session: SessionItem }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        to="/sessions/$sessionId"
        params={{ sessionId: session.id }}
        title={session.name || session.id}
        className="min-w-0 truncate text-row after:absolute after:inset-0"
      >
        {session.name || session.id}
      </Link>
      {session.name && (
        <Text size="label" tone="dim" mono cut>
          {session.id}
        </Text>
      )}
    </span>
  );
}

export const sessionColumns: Column<SessionItem>[] = [
  { id: 'name', head: 'Session', width: 'minmax(0, 1fr)', sort: 'name', cell: (session) => <Name session={session} /> },
  {
    id: 'traces',
    head: 'Traces',
    width: 'var(--width-count)',
    end: true,
    sort: 'trace_count',
    cell: (session) => <Quantity value={count(session.trace_count)} />,
  },
  {
    id: 'tokens',
    head: 'Tokens',
    width: 'var(--width-total)',
    end: true,
    sort: 'total_tokens',
    cell: (session) => <Quantity value={session.total_tokens > 0 ? tokens(session.total_tokens) : null} unknown={noTokens} />,
  },
  {
    id: 'cost',
    head: 'Cost',
    width: 'var(--width-cost)',
    end: true,
    sort: 'total_cost',
    cell: (session) => (
      <Quantity value={session.total_cost > 0 ? cost(session.total_cost) : null} unknown={session.total_tokens > 0 ? noPrice : noTokens} />
    ),
  },
  {
    id: 'latency',
    head: 'Longest span',
    width: 'var(--width-cost)',
    end: true,
    sort: 'latency_ms',
    cell: (session) => <Quantity value={duration(milliseconds(session.latency_ms))} title="The longest span of the session" />,
  },
  {
    id: 'start',
    head: 'Started',
    width: 'var(--width-when)',
    end: true,
    sort: 'start',
    cell: (session) => <Quantity value={when(session.start)} title={exactly(session.start)} />,
  },
  {
    id: 'end',
    head: 'Last span',
    width: 'var(--width-when)',
    end: true,
    sort: 'end',
    wideOnly: true,
    cell: (session) => <Quantity value={when(session.end)} title={exactly(session.end)} />,
  },
];
