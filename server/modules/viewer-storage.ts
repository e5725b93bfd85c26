import { defineModule } from '../app/module.ts';

/** Needs the local mark: whose machine it is not has nothing to do with its folders. */
export const viewerStorageModule = defineModule({
  group: 'viewerStorage',
  needs: ['telemetry', 'onOneMachine'],
  build: ({ telemetry }) => ({
    get: async ({ scope }) => ({ data: await telemetry.statistics.storage(scope) }),
  }),
});
