import { ownZone } from '../../../shared/own-zone.ts';
import { defineModule } from '../../app/module.ts';

const dayMs = 86_400_000;
const daysByDefault = 30;

/** Local only: folders and budgets belong to the user of the machine. */
export const spendingModule = defineModule({
  group: 'spending',
  needs: ['localTelemetry', 'budgets', 'clock'],
  build: ({ localTelemetry: { spending }, budgets, clock }) => ({
    get: async ({ scope }, { query: { from, to, time_zone = ownZone() } }) => {
      const now_ms = clock.now();
      const to_ms = to === undefined ? now_ms + 1 : Date.parse(to);
      const from_ms = from === undefined ? to_ms - daysByDefault * dayMs : Date.parse(from);
      return { data: await spending.of(scope, { from_ms, to_ms, now_ms, time_zone }) };
    },

    budgets: async ({ scope }, { query: { period, max, folder = null, time_zone = ownZone() } }) => {
      const judged = period !== undefined && max !== undefined ? [{ period, max, folder }] : await budgets.list();
      return { data: await spending.budgets(scope, judged, { now_ms: clock.now(), time_zone }) };
    },

    setBudgets: async ({ scope }, { body }) => {
      await budgets.replace(body.budgets);
      return { data: await spending.budgets(scope, body.budgets, { now_ms: clock.now(), time_zone: ownZone() }) };
    },
  }),
});
