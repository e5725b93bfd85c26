import { fail } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import { ruleHandlers } from './annotation-queues/rules.ts';

export const annotationQueuesModule = defineModule({
  group: 'annotationQueues',
  needs: ['control', 'search', 'clock'],
  build: ({ control: { queues, queueRules }, search, clock }) => ({
    ...ruleHandlers(queueRules, search, clock),

    list: async ({ scope, principal }, { query }) => {
      if (!query.assigned_to_me) return asPage(query, await queues.list(scope, query));
      // Keys have no assignments.
      if (!principal.session) return asPage(query, { data: [], total: 0 });
      return asPage(query, await queues.list(scope, { ...query, assigned_to: principal.session.user_id }));
    },

    create: async ({ scope, principal }, { body }) => {
      const { description = null, instructions = null, dataset_id = null, ...rest } = body;
      return { data: await queues.create(principal.actor, scope, { ...rest, description, instructions, dataset_id }) };
    },

    get: async ({ scope }, { params }) => ({ data: (await queues.find(scope, params.queueId)) ?? missing(params.queueId) }),

    update: async ({ scope, principal }, { params: { queueId }, body }) => ({
      data: (await queues.update(principal.actor, scope, queueId, body)) ?? missing(queueId),
    }),

    remove: async ({ scope, principal }, { params: { queueId } }) => {
      if (!(await queues.remove(principal.actor, scope, queueId))) missing(queueId);
      return new Answer(204, undefined);
    },
  }),
});

const missing = (id: string): never => fail('annotation_queue_not_found', `No annotation queue ${id}`);
