/** Pages of the viewer that notifications lead to. */
import { findField } from '../../shared/filter/fields.ts';
import type { Alert } from '../control/alert-store.ts';
import type { Scope } from '../platform/scope.ts';

export interface Time {
  from_ms: number;
  to_ms: number;
}

const page = (baseUrl: string, path: string, search: Record<string, string>): string =>
  `${baseUrl}/#/${path}?${new URLSearchParams(search)}`;

export const alertUrl = (baseUrl: string, { id, app_id }: Pick<Alert, 'id' | 'app_id'>): string =>
  page(baseUrl, `alerts/${id}`, { app: app_id });

export const traceUrl = (baseUrl: string, { app_id }: Scope, traceId: string): string =>
  page(baseUrl, `traces/${encodeURIComponent(traceId)}`, { app: app_id });

/** The list of the traces that an alert is about. @param environment name of the alert's environment; null for the whole app */
export const tracesUrl = (baseUrl: string, alert: Alert, environment: string | null, { from_ms, to_ms }: Time): string =>
  page(baseUrl, 'traces', {
    app: alert.app_id,
    ...(environment === null ? {} : { environment }),
    ...narrowing(alert),
    from: String(from_ms),
    to: String(to_ms),
  });

function narrowing({ metric, threshold, evaluation_name, evaluation_threshold_direction }: Alert): Record<string, string> {
  if (metric === 'error_rate') return { filter: 'errors > 0' };
  if (metric === 'latency') return { sort_by: 'latency' };
  if (metric !== 'evaluation_score') return { sort_by: 'cost' };
  const field = `score__${evaluation_name}`;
  // Only such names can be written as a field.
  if (!findField('traces', field)) return {};
  return { filter: `${field} ${evaluation_threshold_direction === 'below' ? '<' : '>'} ${threshold}` };
}
