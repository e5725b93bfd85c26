/** Counting and deleting traces. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RouteInput } from '../../shared/contract/core/route.ts';
import type { TraceDeletion, traceDeletions } from '../../shared/contract/tracing/trace-deletions.ts';
import { gateway } from './client.ts';
import { asFailure } from './failure.ts';
import { useMay } from './identity.ts';
import { refusalOf } from './refusal.ts';
import { useServed } from './served.ts';

/** The traces to delete: a request without `dry_run`. */
export type DeletedTraces = Omit<NonNullable<RouteInput<typeof traceDeletions.create>['body']>, 'dry_run'>;

const progressMs = 500;

/** Whether the reader may delete traces. */
export function useMayDelete(): boolean {
  const isServed = useServed()('trace_deletions');
  return useMay()('trace.delete') && isServed;
}

/**
 * What would be deleted, and its deletion.
 * @param onDeleted called when no request finds the traces any more, before the data on the screen is fetched again
 */
export function useTraceDeletion(traces: DeletedTraces, onDeleted: () => void) {
  const queries = useQueryClient();
  const count = useQuery({
    queryKey: ['trace-deletion', JSON.stringify(traces)],
    queryFn: async () => (await gateway.traceDeletions.create({ body: { ...traces, dry_run: true } })).data,
    staleTime: 0,
    gcTime: 0,
  });
  const remove = useMutation({
    networkMode: 'always',
    mutationFn: async () => untilRemoved((await gateway.traceDeletions.create({ body: traces })).data),
    onSuccess: () => {
      onDeleted();
      // Details of a trace that is gone would be asked for in vain.
      const isOfTrace = ({ queryKey: [kind] }: { queryKey: readonly unknown[] }) => kind === 'trace';
      void queries.invalidateQueries({ predicate: isOfTrace, refetchType: 'none' });
      void queries.invalidateQueries({ predicate: (query) => !isOfTrace(query) });
    },
  });
  return {
    /** Undefined until counted. */
    count: count.data,
    isBusy: remove.isPending,
    problem: count.isError ? asFailure(count.error, 'The traces could not be counted').why : refusalOf(remove.error).whole,
    remove: () => remove.mutate(),
  };
}

async function untilRemoved(deletion: TraceDeletion): Promise<void> {
  for (let { id, state } = deletion; id !== null && state === 'removing'; ) {
    await new Promise((resolve) => setTimeout(resolve, progressMs));
    state = (await gateway.traceDeletions.get({ params: { deletionId: id } })).data.state;
  }
}
