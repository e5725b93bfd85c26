import { runawayThresholds } from '../../../shared/contract/tracing/runaway-rules.ts';
import { fail } from '../../app/fail.ts';
import { defineModule } from '../../app/module.ts';

export const runawaysModule = defineModule({
  group: 'runaways',
  needs: ['telemetry', 'programs'],
  build: ({ telemetry: { runaways }, programs }) => ({
    list: async ({ scope }, { query }) => {
      const found = (await runaways.list(scope, query)).decode();
      return { data: found.map((item) => ({ ...item, can_stop: item.run_id !== null && programs.isConnected(scope, item.run_id) })) };
    },

    thresholds: async ({ scope }) => ({ data: await runaways.thresholds(scope) }),

    setThreshold: async ({ scope }, { body }) => {
      const { service, rule, threshold } = body;
      if (!(await runaways.hasService(scope, service)).decode())
        fail('service_not_found', `No span names the service ${JSON.stringify(service)}`);
      await runaways.setThreshold(scope, body);
      const effective = threshold === undefined ? runawayThresholds[rule].default : threshold;
      return { data: { service, rule, threshold: effective, is_default: threshold === undefined } };
    },

    stop: ({ scope }, { params: { runId } }) => ({ data: { programs: programs.stop(scope, runId) } }),
  }),
});
