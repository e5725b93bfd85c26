import { assertAlertsInPlan, missingAlert } from '../../app/alert-checks.ts';
import { fail } from '../../app/fail.ts';
import { defineModule } from '../../app/module.ts';
import type { Alert } from '../../control/alert-store.ts';

export const alertAttentionModule = defineModule({
  group: 'alertAttention',
  needs: ['control', 'plans', 'clock', 'alertChannels'],
  build: ({ control: { alerts }, plans, clock, alertChannels }) => ({
    mute: async ({ scope, principal }, { params: { alertId }, body: { until } }) => {
      await assertAlertsInPlan(plans, scope);
      if (until !== 'resolved' && Date.parse(until) <= clock.now())
        fail('invalid_request_body', 'Invalid request body', { details: { until: 'must be in the future' } });
      const end = until === 'resolved' ? until : new Date(until).toISOString();
      return { data: triggered(alertId, await alerts.mute(principal.actor, scope, alertId, end)) };
    },

    unmute: async ({ scope, principal }, { params: { alertId } }) => {
      await assertAlertsInPlan(plans, scope);
      return { data: triggered(alertId, await alerts.mute(principal.actor, scope, alertId, null)) };
    },

    acknowledge: async ({ scope, principal }, { params: { alertId } }) => {
      await assertAlertsInPlan(plans, scope);
      const alert = (await alerts.find(scope, alertId)) ?? missingAlert(alertId);
      const notices = await alertChannels.noticesOfAcknowledgement(alert);
      return { data: triggered(alertId, await alerts.acknowledge(principal.actor, scope, alertId, notices)) };
    },
  }),
});

function triggered(alertId: string, changed: Alert | 'resolved' | null): Alert {
  if (changed === null) return missingAlert(alertId);
  return changed === 'resolved' ? fail('alert_not_triggered', 'The alert is not triggered') : changed;
}
