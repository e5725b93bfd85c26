/** What alerts measured, or would have measured, over the last hours and days. Additive. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { limit } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { alertRule } from './alert-draft.ts';

export const seriesPointsMax = 200;
export const periodsMax = 100;
/** Also the length of a preview. */
export const seriesHoursMax = 168;

const alertSeries = z
  .object({
    from: z.int().meta({ description: 'Start of the first step, milliseconds since the epoch.' }),
    step_ms: z.int(),
    values: z.array(z.number().nullable()).max(seriesPointsMax).meta({
      description: 'For each step the value nearest to the threshold or furthest beyond it; null where nothing was measured.',
    }),
    triggered: z.int().meta({ description: 'How often it triggered, or would have, evaluated once a minute.' }),
    triggered_ms: z.int().meta({ description: 'For how long in all.' }),
    periods: z
      .array(
        z.object({
          from: z.int().meta({ description: 'Milliseconds since the epoch.' }),
          to: z.int().nullable().meta({ description: 'Null while it lasts.' }),
        }),
      )
      .max(periodsMax)
      .meta({ description: 'When it was triggered, or would have been; the newest of them. `to` is null for one that lasts.' }),
  })
  .meta({ id: 'AlertSeries', description: 'The values of a condition over time, and when it held.' });
export type AlertSeries = z.output<typeof alertSeries>;

const declare = { tag: 'alerts', only: 'cloud', touches: ['control', 'telemetry'], permission: 'alert.read', rate: 'search' } as const;

export const alertSeriesRoutes = {
  series: route({
    ...declare,
    id: 'get-alert-series',
    method: 'GET',
    path: '/v1/alerts/:alertId/series',
    summary: 'Read the values of an alert over time, with its present condition',
    params: z.object({ alertId: z.uuid() }),
    query: z.object({ hours: limit(24, seriesHoursMax) }),
    reply: one(alertSeries),
    errors: ['entitlement_required', 'alert_not_found'],
  }),
  preview: route({
    ...declare,
    // It only reads.
    touches: [],
    id: 'preview-alert',
    method: 'POST',
    path: '/v1/alerts/preview',
    summary: 'Find out when an alert would have triggered in the last seven days',
    body: alertRule,
    reply: one(alertSeries),
    errors: ['entitlement_required'],
  }),
};
