import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { gateway } from '../../api/client.ts';
import { elapsed } from '../../model/time/elapsed.ts';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { withinWords } from './period.ts';
import type { DashboardView } from './url.ts';

/** No traces in the range: says when the last one came, or how to send the first. @param isWhole whether there was time to look at all */
export function NothingYet({ view, isWhole }: { view: DashboardView; isWhole: boolean }) {
  const { filter, environment } = view;
  const { data } = useQuery({
    queryKey: ['traces', 'last', filter, environment],
    queryFn: async () => {
      const query = { limit: 1, ...(filter !== undefined && { filter }), ...(environment !== undefined && { environment }) };
      return { last: (await gateway.traceList.rows({ query })).data.rows[0] ?? null, askedAt: Date.now() };
    },
  });
  if (!isWhole)
    return (
      <EmptyState title="No trace was found in time">
        Looking through all texts of this time takes too long. Choose a shorter time range, or add a field to the search line.
      </EmptyState>
    );
  const title = `No traces ${withinWords(view)}`;
  if (data?.last) {
    const { id, start } = data.last;
    return (
      <EmptyState
        title={title}
        action={
          <Link to="/traces/$traceId" params={{ traceId: id }} className="text-accent text-body hover:underline">
            Show it
          </Link>
        }
      >
        {`The last one${filter ? ' that matches' : ''} came ${elapsed(Math.max(0, data.askedAt - Date.parse(start)))} ago. Choose a longer time range, or open it.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={title}
      action={
        <Link to="/setup" className="text-accent text-body hover:underline">
          Send a trace
        </Link>
      }
    >
      {filter ? 'No trace matches, in any time.' : 'Send traces: they are counted here as they arrive.'}
    </EmptyState>
  );
}
