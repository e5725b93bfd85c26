import { useQuery } from '@tanstack/react-query';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { gateway } from '../../api/client.ts';
import { isFailed } from '../../model/trace/outcome.ts';

/** Lists are newest first, so the root is the last failed span, unless a clock is wrong or spans start together. */
const lastFailed = 20;

/** Why a turn failed. @param known what the spans with its question and answer say; otherwise its root span, which may be neither, is asked */
export function TurnFailure({ turn, known }: { turn: ListedTrace; known: string }) {
  const { data } = useQuery({
    queryKey: ['trace', turn.id, 'failure', turn.error_count],
    enabled: isFailed(turn) && known === '',
    queryFn: async () => {
      const offset = Math.max(0, turn.error_count - lastFailed);
      const query = { trace_id: turn.id, status: 'ERROR', limit: lastFailed, offset } as const;
      return (await gateway.spans.list({ query })).data.find(({ parent_id }) => parent_id === null)?.status_message ?? '';
    },
  });
  const reason = known || data;
  if (!isFailed(turn) || !reason) return null;
  return <p className="wrap-anywhere rounded-card border border-err-line bg-err-bg px-2.5 py-2 text-err text-row">{reason}</p>;
}
