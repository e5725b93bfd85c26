import { seriesHoursMax } from '../../../shared/contract/operations/alert-series.ts';
import { seriesOf } from '../../alerts/series.ts';
import { assertAlertsInPlan, environmentOfApp, missingAlert } from '../../app/alert-checks.ts';
import { defineModule } from '../../app/module.ts';

const minutesOf = (hours: number): number => hours * 60;

export const alertSeriesModule = defineModule({
  group: 'alertSeries',
  needs: ['control', 'plans', 'telemetry', 'clock'],
  build: ({ control: { alerts, environments }, plans, telemetry: { windows }, clock }) => ({
    series: async ({ scope }, { params: { alertId }, query: { hours } }) => {
      await assertAlertsInPlan(plans, scope);
      const alert = (await alerts.find(scope, alertId)) ?? missingAlert(alertId);
      const named = alert.environment_id === null ? null : await environments.find(scope, alert.environment_id);
      const query = { environment: named?.name ?? null, toMs: clock.now(), minutes: minutesOf(hours) };
      return { data: await seriesOf(windows, scope, alert, query) };
    },

    preview: async ({ scope }, { body }) => {
      await assertAlertsInPlan(plans, scope);
      const named = await environmentOfApp(environments, scope, body.environment_id);
      const query = { environment: named?.name ?? null, toMs: clock.now(), minutes: minutesOf(seriesHoursMax) };
      return { data: await seriesOf(windows, scope, body, query) };
    },
  }),
});
