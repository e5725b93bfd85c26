import { fail } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import { assertInPlan } from '../../app/plan-limits.ts';
import type { EnvironmentStore } from '../../control/environment-store.ts';
import type { Plans } from '../../limits/plans.ts';
import type { Scope } from '../../platform/scope.ts';

export const alertDestinationsModule = defineModule({
  group: 'alertDestinations',
  needs: ['control', 'plans', 'alertDestinations'],
  build: ({ control: { alerts, alertWatch, environments }, plans, alertDestinations: destinations }) => {
    const assertUsable = async (scope: Scope, environmentId: string): Promise<void> => {
      await assertAlertsInPlan(plans, scope);
      await assertEnvironment(environments, scope, environmentId);
    };
    return {
      webhook: async ({ scope }, { params: { environmentId } }) => {
        await assertUsable(scope, environmentId);
        return { data: await destinations.webhook(scope, environmentId) };
      },

      putWebhook: async ({ scope, principal }, { params: { environmentId }, body: { url, secret } }) => {
        await assertAlertsInPlan(plans, scope);
        const problem = destinations.problemOf(url);
        if (problem) invalid('url', problem);
        await assertEnvironment(environments, scope, environmentId);
        return { data: await destinations.putWebhook(principal.actor, scope, environmentId, url, secret) };
      },

      removeWebhook: async ({ scope, principal }, { params: { environmentId } }) => {
        await assertUsable(scope, environmentId);
        await destinations.removeWebhook(principal.actor, scope, environmentId);
        return new Answer(204, undefined);
      },

      testWebhook: async ({ scope }, { params: { environmentId } }) => {
        await assertUsable(scope, environmentId);
        return { data: await destinations.testWebhook(scope, environmentId) };
      },

      slack: async ({ scope }) => {
        await assertAlertsInPlan(plans, scope);
        return { data: await destinations.slack(scope) };
      },

      putSlack: async ({ scope, principal }, { body: { token, channel_id } }) => {
        await assertAlertsInPlan(plans, scope);
        const saved = await destinations.putSlack(principal.actor, scope, token, channel_id);
        return { data: saved ?? invalid('token', 'must be given the first time') };
      },

      removeSlack: async ({ scope, principal }) => {
        await assertAlertsInPlan(plans, scope);
        await destinations.removeSlack(principal.actor, scope);
        return new Answer(204, undefined);
      },

      testSlack: async ({ scope }) => {
        await assertAlertsInPlan(plans, scope);
        return { data: await destinations.testSlack(scope) };
      },

      deliveries: async ({ scope }, { params: { alertId }, query }) => {
        await assertAlertsInPlan(plans, scope);
        if (!(await alerts.find(scope, alertId))) fail('alert_not_found', `There is no alert ${alertId}`);
        return asPage(query, await alertWatch.deliveries(scope, alertId, query));
      },
    };
  },
});

const assertAlertsInPlan = async (plans: Plans, { tenant_id }: Scope): Promise<void> =>
  assertInPlan(await plans.of(tenant_id), 'alerts_enabled');

async function assertEnvironment(environments: EnvironmentStore, scope: Scope, id: string): Promise<void> {
  if (!(await environments.find(scope, id))) fail('environment_not_found', `There is no environment ${id}`);
}

const invalid = (field: string, problem: string): never =>
  fail('invalid_request_body', 'Invalid request body', { details: { [field]: problem } });
