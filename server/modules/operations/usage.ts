import { defineModule } from '../../app/module.ts';
import { must } from '../../platform/assert.ts';

const totalOnly = { limit: 1, offset: 0 };

export const usageModule = defineModule({
  group: 'usage',
  needs: ['control', 'telemetry', 'plans', 'clock'],
  build: ({ control, telemetry, plans, clock }) => ({
    get: async ({ scope }) => {
      const now = clock.now();
      const limits = await plans.of(scope.tenant_id);
      const tenant = must(await control.tenants.find(scope.tenant_id), 'a signed-in user is in a tenant');
      const { spans, bytes } = (await telemetry.usage.of(scope, now)).decode();
      const agentBytes = await control.agentSessions.storedBytes(scope.tenant_id);
      const of = (used: number, limit: number | null) => ({ used, limit });
      return {
        data: {
          plan: tenant.plan,
          month: new Date(now).toISOString().slice(0, 7),
          spans: of(spans, limits.monthly_spans),
          bytes: of(bytes + agentBytes, limits.storage_bytes),
          apps: of((await control.apps.list(scope.tenant_id, totalOnly)).total, limits.apps),
          members: of((await control.tenants.members(scope.tenant_id)).length, limits.members),
          environments: of((await control.environments.list(scope, totalOnly)).total, limits.environments),
          api_keys: of(await control.keys.count(scope), limits.api_keys),
          alerts_enabled: limits.alerts_enabled,
        },
      };
    },
  }),
});
