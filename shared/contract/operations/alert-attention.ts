/** Muting and acknowledging alerts. Additive. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { dateTime } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { alert } from './alerts.ts';

const params = z.object({ alertId: z.uuid() });
const declare = { tag: 'alerts', only: 'cloud', touches: ['control'], permission: 'alert.write', params, reply: one(alert) } as const;
const mutePath = '/v1/alerts/:alertId/mute';

export const alertAttention = {
  mute: route({
    ...declare,
    id: 'mute-alert',
    method: 'PUT',
    path: mutePath,
    summary: 'Notify nobody of an alert until a time, or until it resolves',
    body: z.object({
      until: z
        .union([dateTime, z.literal('resolved')])
        .meta({ description: 'A time in the future, or `resolved`, which only a triggered alert can be muted until.' }),
    }),
    errors: ['entitlement_required', 'alert_not_found', 'alert_not_triggered'],
  }),
  unmute: route({
    ...declare,
    id: 'unmute-alert',
    method: 'DELETE',
    path: mutePath,
    summary: 'End the mute of an alert',
    errors: ['entitlement_required', 'alert_not_found'],
  }),
  acknowledge: route({
    ...declare,
    id: 'acknowledge-alert',
    method: 'PUT',
    path: '/v1/alerts/:alertId/acknowledgement',
    summary: 'Acknowledge a triggered alert; the first acknowledgement stays until it resolves',
    errors: ['entitlement_required', 'alert_not_found', 'alert_not_triggered'],
  }),
};
