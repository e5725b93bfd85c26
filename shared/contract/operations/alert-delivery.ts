/** Deliveries of notifications. */
import { z } from 'zod';

const deliveryState = z.enum(['waiting', 'delivered', 'failed', 'blocked', 'skipped']);

export const testResult = z
  .object({
    state: deliveryState,
    answer: z.string().nullable().meta({ description: 'Class of the HTTP status, such as `4xx`, or one word for why there was none.' }),
  })
  .meta({ id: 'AlertTestResult' });

export const delivery = z
  .object({
    id: z.uuid(),
    history_id: z.uuid(),
    destination: z.enum(['webhook', 'slack', 'teams', 'pagerduty', 'email', 'owner']),
    channel_id: z
      .uuid()
      .nullable()
      .meta({ description: 'Null for the webhook of an environment, the Slack channel of the app, and the owner.' }),
    group_id: z.uuid().nullable().meta({
      description: 'The same for all that were sent as one notification, which has it as its `X-Service-Event-Id`. Null until then.',
    }),
    ...testResult.shape,
    attempts: z.int(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AlertDelivery', description: 'One notification on its way to one destination.' });

export type AlertDelivery = z.output<typeof delivery>;
export type DeliveryState = z.output<typeof deliveryState>;
export type AlertTestResult = z.output<typeof testResult>;
