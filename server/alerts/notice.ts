/** Texts of notices about status changes (docs/reference/records.md#webhooks). Names of traces come from anybody. */
import { comparedFigures } from '../../shared/words/alert-words.ts';
import type { Alert } from '../control/alert-store.ts';
import { alertUrl, tracesUrl, traceUrl } from './links.ts';
import type { WorstTrace } from './worst-traces.ts';

const metricName: Record<Alert['metric'], string> = {
  error_rate: 'error rate',
  latency: 'mean latency',
  cost: 'cost',
  runaway_runs: 'number of runs that may be running away',
  model_calls: 'number of model calls',
  evaluation_score: 'score',
};

const decimals = 10;

/** A number as plain decimal text, as in the history: no exponent, and no rounding noise. */
export function decimalText(value: number): string {
  const text = Math.abs(value) >= 1e21 ? BigInt(Math.trunc(value)).toString() : value.toFixed(decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

interface Named {
  id: string;
  name: string;
}

export interface Change {
  alert: Alert;
  status: Alert['status'];
  value: number;
  atMs: number;
  app: Named;
  /** Null for the whole app. */
  environment: Named | null;
  /** Worst first; none when it resolved. */
  traces: readonly WorstTrace[];
  /** Of the viewer. */
  baseUrl: string;
}

const minuteMs = 60_000;

export function messageOf({ alert, status, value, app, environment }: Change): string {
  const { name, metric, threshold, time_window, evaluation_name } = alert;
  const subject = metric === 'evaluation_score' ? `${evaluation_name} ${metricName[metric]}` : metricName[metric];
  const [figure, limit] = comparedFigures(metric, value, threshold);
  const place = environment ? `${app.name}, ${environment.name}` : app.name;
  return `Alert "${name}" ${status} in ${place}: ${subject} was ${figure} in the last ${time_window} minutes (threshold ${limit})`;
}

/** The traces of the window, and all of those that are named, which may have begun before it. */
function tracesLink({ alert, environment, traces, atMs, baseUrl }: Change): string {
  const from_ms = Math.min(atMs - alert.time_window * minuteMs, ...traces.map(({ start_ms }) => start_ms));
  return tracesUrl(baseUrl, alert, environment?.name ?? null, { from_ms, to_ms: atMs });
}

const nameLength = 80;

/** One line without control characters, cut to a length. */
export function shortName(name: string): string {
  const line = name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const characters = [...line];
  if (characters.length === 0) return 'unnamed';
  return characters.length > nameLength ? `${characters.slice(0, nameLength - 1).join('')}…` : line;
}

/** What receivers learn of a change (docs/reference/records.md#webhooks). */
export interface NoticeData {
  alert: {
    id: string;
    name: string;
    /** `acknowledged` is told to PagerDuty only. */
    status: Alert['status'] | 'acknowledged';
    type: Alert['metric'];
    timeWindow: string;
    currentFigure: string;
    thresholdFigure: string;
    url: string;
  };
  message: string;
  timestamp: string;
  app: Named;
  environment: Named | null;
  tracesUrl: string;
  traces: { id: string; name: string; value: number; figure: string; url: string }[];
}

/** As it is stored in the outbox: the exact body of a webhook. Everything else that is sent is made of it. */
export function noticePayload(change: Change): string {
  const { alert, status, value, atMs, app, environment, traces, baseUrl } = change;
  const { id, threshold, time_window, metric } = alert;
  const [currentFigure, thresholdFigure] = comparedFigures(metric, value, threshold);
  const summary = { id, currentValue: value, threshold, status, timeWindow: `${time_window} minutes`, type: metric };
  const data: NoticeData = {
    alert: { ...summary, name: alert.name, currentFigure, thresholdFigure, url: alertUrl(baseUrl, alert) },
    message: messageOf(change),
    timestamp: new Date(atMs).toISOString(),
    ...{ app, environment, tracesUrl: tracesLink(change) },
    traces: traces.map((trace) => {
      const { id, value, figure } = trace;
      return { id, name: shortName(trace.name), value, figure, url: traceUrl(baseUrl, alert, id) };
    }),
  };
  return JSON.stringify({ event: { type: 'alert', data } });
}
