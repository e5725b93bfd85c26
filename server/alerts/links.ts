/** Pages of the viewer that notifications lead to. */
import { tracesBehind } from '../../shared/words/alert-traces.ts';
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

export const alertsUrl = (baseUrl: string, { app_id }: Scope): string => page(baseUrl, 'alerts', { app: app_id });

export const traceUrl = (baseUrl: string, { app_id }: Scope, traceId: string): string =>
  page(baseUrl, `traces/${encodeURIComponent(traceId)}`, { app: app_id });

/** The list of the traces that an alert is about. @param environment name of the alert's environment; null for the whole app */
export const tracesUrl = (baseUrl: string, alert: Alert, environment: string | null, { from_ms, to_ms }: Time): string =>
  page(baseUrl, 'traces', {
    app: alert.app_id,
    ...(environment === null ? {} : { environment }),
    ...tracesBehind(alert),
    from: String(from_ms),
    to: String(to_ms),
  });
