import type { Outgoing } from '../told.ts';
import { toldOf } from '../told.ts';

/** Exact body of a webhook (docs/reference/records.md#webhooks). A notice that is sent alone was written when its alert changed. */
export function webhookBody(outgoing: Outgoing, url: string): string {
  const { payloads, triggered, resolved } = outgoing;
  const [first = '', ...others] = payloads;
  if (others.length === 0) return first;
  const { summary, notices, more } = toldOf(outgoing);
  const { app, timestamp } = notices[0] ?? {};
  const data = { message: summary, timestamp, app, url, triggered, resolved, alerts: notices, more };
  return JSON.stringify({ event: { type: 'alert_group', data } });
}
