import { progressDays } from '../../../shared/contract/evaluation/queue-progress.ts';
import { fail } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import { NotAReviewer } from '../../control/item-store.ts';
import { type Queue, type QueueStore, ReviewingRefused } from '../../control/queue-store.ts';
import type { Principal } from '../../identity/authenticator.ts';
import type { Scope } from '../../platform/scope.ts';
import { ruleHandlers } from './annotation-queues/rules.ts';

export const annotationQueuesModule = defineModule({
  group: 'annotationQueues',
  needs: ['control', 'search', 'clock'],
  build: ({ control: { queues, queueRules }, search, clock }) => ({
    ...ruleHandlers(queueRules, search, clock),

    list: async ({ scope, principal }, { query }) => {
      // Keys have no assignments.
      if (query.assigned_to_me && !principal.session) return asPage(query, { data: [], total: 0 });
      const assigned_to = query.assigned_to_me ? principal.session?.user_id : undefined;
      const { data, total } = await queues.list(scope, { ...query, assigned_to });
      return asPage(query, { data: await shownTo(queues, scope, principal, data), total });
    },

    create: async ({ scope, principal }, { body }) => {
      const { description = null, instructions = null, dataset_id = null, ...rest } = body;
      const draft = { ...rest, description, instructions, dataset_id };
      return { data: { ...(await ofMembers(() => queues.create(principal.actor, scope, draft))), waiting_for_me: 0 } };
    },

    get: async ({ scope, principal }, { params: { queueId } }) => ({
      data: await oneShownTo(queues, scope, principal, (await queues.find(scope, queueId)) ?? missing(queueId)),
    }),

    update: async ({ scope, principal }, { params: { queueId }, body }) => {
      const queue = (await ofMembers(() => queues.update(principal.actor, scope, queueId, body))) ?? missing(queueId);
      return { data: await oneShownTo(queues, scope, principal, queue) };
    },

    progress: async ({ scope }, { params: { queueId } }) => ({
      data: (await queues.progress(scope, queueId, lastDays(clock.now()))) ?? missing(queueId),
    }),

    remove: async ({ scope, principal }, { params: { queueId } }) => {
      if (!(await queues.remove(principal.actor, scope, queueId))) missing(queueId);
      return new Answer(204, undefined);
    },
  }),
});

const missing = (id: string): never => fail('annotation_queue_not_found', `No annotation queue ${id}`);

const dayMs = 24 * 3_600_000;
/** In UTC, oldest first. */
const lastDays = (now: number): string[] =>
  Array.from({ length: progressDays }, (_, at) => new Date(now - (progressDays - 1 - at) * dayMs).toISOString().slice(0, 10));

type Shown = Queue & { waiting_for_me: number };

/** With how many items wait for the caller. */
async function shownTo(queues: QueueStore, scope: Scope, { session }: Principal, found: readonly Queue[]): Promise<Shown[]> {
  const ids = found.map(({ id }) => id);
  const waiting = session ? await queues.waiting(scope, session.user_id, ids) : null;
  return found.map((queue) => ({ ...queue, waiting_for_me: waiting?.get(queue.id) ?? 0 }));
}

const oneShownTo = async (queues: QueueStore, scope: Scope, principal: Principal, queue: Queue): Promise<Shown> =>
  (await shownTo(queues, scope, principal, [queue]))[0] as Shown;

async function ofMembers<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const field = error instanceof ReviewingRefused ? error.field : error instanceof NotAReviewer ? 'reviewer_ids' : null;
    if (field === null) throw error;
    return fail('invalid_request_body', 'Invalid request body', { details: { [field]: (error as Error).message } });
  }
}
