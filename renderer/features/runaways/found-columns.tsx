import { Link } from '@tanstack/react-router';
import type { ListedRunaway } from '../../../shared/contract/tracing/runaways.ts';
import { runawayName, runawayReason } from '../../../shared/words/runaway-words.ts';
import { cost } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';

export const foundColumns: Column<ListedRunaway & { id: string }>[] = [
  {
    id: 'found',
    head: 'Found',
    width: 'var(--width-when)',
    cell: ({ found_at }) => (
      <Text mono tone="quiet" title={exactly(found_at)}>
        {when(found_at)}
      </Text>
    ),
  },
  {
    id: 'run',
    head: 'Run',
    width: 'minmax(0, 1fr)',
    cell: (found) => (
      <Link
        to="/traces/$traceId"
        params={{ traceId: found.trace_id }}
        title={`${runawayName(found)}: ${found.trace_name}`}
        className="block truncate text-row after:absolute after:inset-0"
      >
        {runawayName(found)}
      </Link>
    ),
  },
  {
    id: 'sign',
    head: 'Sign',
    width: 'minmax(0, 3fr)',
    cell: (found) => (
      <Text as="div" cut title={runawayReason(found)}>
        {runawayReason(found)}
      </Text>
    ),
  },
  {
    id: 'cost',
    head: 'Cost',
    width: 'var(--width-cost)',
    end: true,
    cell: (found) => <Quantity value={cost(found.cost)} />,
  },
  {
    id: 'state',
    head: 'State',
    width: 'var(--width-word)',
    cell: ({ ended_at }) =>
      ended_at === null ? (
        <Text tone="err">running</Text>
      ) : (
        <Text tone="dim" title={exactly(ended_at)}>
          ended
        </Text>
      ),
  },
];
