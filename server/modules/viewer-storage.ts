import { defineModule } from '../app/module.ts';

const dayMs = 24 * 3600 * 1000;

/** Needs the local mark: whose machine it is not has nothing to do with its folders. */
export const viewerStorageModule = defineModule({
  group: 'viewerStorage',
  needs: ['telemetry', 'clock', 'onOneMachine'],
  build: ({ telemetry, clock }) => ({
    get: async ({ scope }) => ({ data: await telemetry.statistics.storage(scope) }),
    older: async ({ scope }, { query }) => ({ data: await telemetry.statistics.older(scope, clock.now() - query.days * dayMs) }),
    putRetention: async (_, { body }) => {
      await telemetry.upkeep.setRetention(body);
      return { data: body };
    },
    compact: async ({ scope }) => {
      await telemetry.upkeep.compact();
      return { data: await telemetry.statistics.storage(scope) };
    },
  }),
});
