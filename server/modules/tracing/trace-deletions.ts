import { randomUUID } from 'node:crypto';
import type { DeletionRequest, TraceDeletion } from '../../../shared/contract/tracing/trace-deletions.ts';
import { fail } from '../../app/fail.ts';
import { type Context, defineModule } from '../../app/module.ts';
import type { AuditLog } from '../../control/audit-log.ts';
import type { TraceDeletion as StoredDeletion, TraceDeletions, TraceSelection } from '../../telemetry/trace-deletions.ts';

/** How long a request waits for the removal of rows. Its answer tells how far it is. */
const answerWithinMs = 5_000;

export const traceDeletionsModule = defineModule({
  group: 'traceDeletions',
  needs: ['telemetry'],
  wants: ['control'],
  build: ({ telemetry: { deletions }, control }) => {
    const remove = (context: Context, selection: TraceSelection) => deleteTraces(deletions, control?.audit, context, selection);
    return {
      create: async (context, { body: { dry_run, ...body } }) => {
        const selection = selectionOf(body);
        if (!dry_run) return (await remove(context, selection)) ?? { data: nothing };
        return { data: { ...nothing, ...(await deletions.count(context.scope, selection)) } };
      },

      get: async ({ scope }, { params }) => {
        const found = await deletions.find(scope, params.deletionId);
        return { data: shown(found?.decode() ?? fail('trace_deletion_not_found', `No deletion ${params.deletionId}`)) };
      },

      removeTrace: async (context, { params: { traceId } }) =>
        (await remove(context, { trace_ids: [traceId] })) ?? fail('trace_not_found', `No trace ${traceId}`),

      removeSession: async (context, { params: { sessionId } }) =>
        (await remove(context, { session_id: sessionId, bookkeeping: 'include' })) ?? fail('session_not_found', `No session ${sessionId}`),
    };
  },
});

const nothing = { id: null, state: 'dry_run', traces: 0, spans: 0, removed_traces: 0, forwarded: [] } satisfies TraceDeletion;

function selectionOf({ trace_ids, all: _, ...conditions }: Omit<DeletionRequest, 'dry_run'>): TraceSelection {
  if (trace_ids) return { trace_ids };
  const isOfOne = conditions.session_id !== undefined || conditions.user_id !== undefined;
  return isOfOne ? { bookkeeping: 'include', ...defined(conditions) } : defined(conditions);
}

/** Without the keys that have no value, which would replace defaults. */
const defined = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

/** Null when nothing is selected. The audit entry comes first, so that nothing is deleted without one. */
async function deleteTraces(
  deletions: TraceDeletions,
  audit: AuditLog | undefined,
  { scope, principal }: Context,
  selection: TraceSelection,
): Promise<{ data: TraceDeletion } | null> {
  const count = await deletions.count(scope, selection);
  if (count.traces === 0) return null;
  const id = randomUUID();
  await audit?.recordDeletion(principal.actor, scope, id, { traces: count.traces, spans: count.spans });
  const removed = untilRemoved(deletions, id);
  try {
    await deletions.begin(scope, id, selection);
    await removed.wait();
  } finally {
    removed.stop();
  }
  const deletion = (await deletions.find(scope, id))?.decode() ?? fail('trace_deletion_not_found', `No deletion ${id}`);
  return { data: shown(deletion) };
}

/** Follows a deletion from before it begins. */
function untilRemoved(deletions: TraceDeletions, id: string): { wait(): Promise<void>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stopFollowing = deletions.follow((change) => {
    if (change.id === id && change.state !== 'removing') resolve();
  });
  let timer: NodeJS.Timeout | undefined;
  return {
    wait: () => {
      timer = setTimeout(resolve, answerWithinMs);
      return promise;
    },
    stop: () => {
      clearTimeout(timer);
      stopFollowing();
    },
  };
}

const shown = ({ id, state, traces, spans, removed_traces, forwarded }: StoredDeletion): TraceDeletion => ({
  ...{ id, state, traces, spans, removed_traces },
  forwarded,
});
