import { SlackRefusal } from '../../alerts/slack.ts';
import { assertAlertsInPlan, assertReceivers, environmentOfApp, missingAlert } from '../../app/alert-checks.ts';
import { fail, failForNow } from '../../app/fail.ts';
import { Answer, asPage, defineModule } from '../../app/module.ts';
import { Duplicate } from '../../control/duplicate.ts';

const slackWaitSeconds = 60;

export const alertsModule = defineModule({
  group: 'alerts',
  needs: ['control', 'plans', 'alertDestinations'],
  build: ({ control, control: { alerts, environments }, plans, alertDestinations }) => ({
    list: async ({ scope }, { query }) => {
      await assertAlertsInPlan(plans, scope);
      return asPage(query, await alerts.list(scope, query));
    },

    create: async ({ scope, principal }, { body }) => {
      await assertAlertsInPlan(plans, scope);
      await environmentOfApp(environments, scope, body.environment_id);
      await assertReceivers(control, scope, body);
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
      return { data: (await alerts.find(scope, alertId)) ?? missingAlert(alertId) };
    },

    replace: async ({ scope, principal }, { params: { alertId }, body }) => {
      await assertAlertsInPlan(plans, scope);
      await environmentOfApp(environments, scope, body.environment_id);
      const stored = (await alerts.find(scope, alertId)) ?? missingAlert(alertId);
      await assertReceivers(control, scope, body, stored);
      return { data: (await translateDuplicate(() => alerts.replace(principal.actor, scope, alertId, body))) ?? missingAlert(alertId) };
    },

    remove: async ({ scope, principal }, { params: { alertId } }) => {
      await assertAlertsInPlan(plans, scope);
      if (!(await alerts.remove(principal.actor, scope, alertId))) missingAlert(alertId);
      return new Answer(204, undefined);
    },

    history: async ({ scope }, { params: { alertId }, query }) => {
      await assertAlertsInPlan(plans, scope);
      if (!(await alerts.find(scope, alertId))) missingAlert(alertId);
      return asPage(query, await alerts.history(scope, alertId, query));
    },
  }),
});

async function translateDuplicate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Duplicate) fail('duplicate_alert_name', error.message);
    throw error;
  }
}
