import { SlackRefusal } from '../../alerts/slack.ts';
import { fail, failForNow } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import { assertInPlan } from '../../app/plan-limits.ts';
import type { AlertDraft } from '../../control/alert-store.ts';
import { Duplicate } from '../../control/duplicate.ts';
import type { EnvironmentStore } from '../../control/environment-store.ts';
import type { Plans } from '../../limits/plans.ts';
import type { Scope } from '../../platform/scope.ts';

const slackWaitSeconds = 60;

export const alertsModule = defineModule({
  group: 'alerts',
  needs: ['control', 'plans', 'alertDestinations'],
  build: ({ control: { alerts, environments }, plans, alertDestinations }) => ({
    list: async ({ scope }, { query }) => {
      await assertAlertsInPlan(plans, scope);
      return asPage(query, await alerts.list(scope, query));
    },

    create: async ({ scope, principal }, { body }) => {
      await assertAlertsInPlan(plans, scope);
      await assertEnvironmentOfApp(environments, scope, body);
      return new Answer(201, { data: await translateDuplicate(() => alerts.create(principal.actor, scope, body)) });
    },

    slackChannels: async ({ scope }) => {
      await assertAlertsInPlan(plans, scope);
      try {
        return { data: await alertDestinations.slackChannels(scope) };
      } catch (error) {
        if (error instanceof SlackRefusal) failForNow('service_unavailable', error.message, slackWaitSeconds);
        throw error;
      }
    },

    get: async ({ scope }, { params: { alertId } }) => {
      await assertAlertsInPlan(plans, scope);
      return { data: (await alerts.find(scope, alertId)) ?? missing(alertId) };
    },

    replace: async ({ scope, principal }, { params: { alertId }, body }) => {
      await assertAlertsInPlan(plans, scope);
      await assertEnvironmentOfApp(environments, scope, body);
      return { data: (await translateDuplicate(() => alerts.replace(principal.actor, scope, alertId, body))) ?? missing(alertId) };
    },

    remove: async ({ scope, principal }, { params: { alertId } }) => {
      await assertAlertsInPlan(plans, scope);
      if (!(await alerts.remove(principal.actor, scope, alertId))) missing(alertId);
      return new Answer(204, undefined);
    },

    history: async ({ scope }, { params: { alertId }, query }) => {
      await assertAlertsInPlan(plans, scope);
      if (!(await alerts.find(scope, alertId))) missing(alertId);
      return asPage(query, await alerts.history(scope, alertId, query));
    },
  }),
});

const assertAlertsInPlan = async (plans: Plans, { tenant_id }: Scope): Promise<void> =>
  assertInPlan(await plans.of(tenant_id), 'alerts_enabled');

const missing = (alertId: string): never => fail('alert_not_found', `There is no alert ${alertId}`);

async function assertEnvironmentOfApp(environments: EnvironmentStore, scope: Scope, { environment_id }: AlertDraft): Promise<void> {
  if (environment_id === null || (await environments.find(scope, environment_id))) return;
  fail('invalid_request_body', 'Invalid request body', {
    details: { environment_id: 'is not an environment of this app' },
    field: 'environment_id',
  });
}

async function translateDuplicate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Duplicate) fail('duplicate_alert_name', error.message);
    throw error;
  }
}
