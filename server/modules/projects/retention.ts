import type { AppRetention } from '../../../shared/contract/projects/retention.ts';
import { fail } from '../../app/fail.ts';
import { defineModule } from '../../app/module.ts';
import type { ControlStore } from '../../control/control-store.ts';
import type { Plans } from '../../limits/plans.ts';
import type { Scope } from '../../platform/scope.ts';
import { expiredTraces } from '../../retention/expired-traces.ts';

const everyEnvironment = { limit: 100_000, offset: 0 };

/** Cloud only: the store of one machine removes by rules of its own. */
export const retentionModule = defineModule({
  group: 'retention',
  needs: ['control', 'telemetry', 'plans', 'clock'],
  build: ({ control, telemetry, plans, clock }) => ({
    get: async ({ scope }) => ({ data: await retentionOf(control, plans, scope) }),

    replace: async ({ scope, principal }, { body }) => {
      const { keep_days: limit } = await plans.of(scope.tenant_id);
      const longest = Math.max(body.keep_days ?? 0, ...body.environments.map(({ keep_days }) => keep_days));
      if (limit !== null && longest > limit)
        fail('entitlement_required', `The plan keeps traces for ${limit} days`, { entitlement: 'keep_days', current: longest, limit });
      if (!(await control.retention.replace(principal.actor, scope, body)))
        fail('environment_not_found', 'One of the environments is not one of this app');
      return { data: await retentionOf(control, plans, scope) };
    },

    preview: async ({ scope }, { body }) => {
      const { data: environments } = await control.environments.list(scope, everyEnvironment);
      const { keep_days } = await plans.of(scope.tenant_id);
      const count = { traces: 0, spans: 0 };
      for (const selection of expiredTraces(body, environments, keep_days, clock.now())) {
        const { traces, spans } = await telemetry.deletions.count(scope, selection);
        count.traces += traces;
        count.spans += spans;
      }
      return { data: count };
    },
  }),
});

async function retentionOf(control: ControlStore, plans: Plans, scope: Scope): Promise<AppRetention> {
  const rules = await control.retention.of(scope);
  const own = new Map(rules.environments.map(({ environment_id, keep_days }) => [environment_id, keep_days]));
  const { data } = await control.environments.list(scope, everyEnvironment);
  return {
    keep_days: rules.keep_days,
    environments: data.map(({ id, name }) => ({ environment_id: id, name, keep_days: own.get(id) ?? null })),
    plan_days: (await plans.of(scope.tenant_id)).keep_days,
  };
}
