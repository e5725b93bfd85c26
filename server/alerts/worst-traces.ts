/** The traces behind a triggered alert: failed, slowest, most expensive, with the lowest or highest score, or running away. */

import type { Resource } from '../../shared/filter/fields.ts';
import { type FilterList, parseFilterList } from '../../shared/filter/parse-json.ts';
import { alertFigure } from '../../shared/words/alert-words.ts';
import type { Alert } from '../control/alert-store.ts';
import { must } from '../platform/assert.ts';
import type { Scope } from '../platform/scope.ts';
import type { TelemetryStore } from '../telemetry/store.ts';
import type { WatchedWindow } from '../telemetry/window-reader.ts';

export interface WorstTrace {
  id: string;
  name: string;
  start_ms: number;
  /** In the unit of the metric; for errors the number of failed calls, for runs that may be running away their cost. */
  value: number;
  /** The value for people. */
  figure: string;
}

/** Trace id and value, worst first. */
type Candidates = readonly (readonly [traceId: string, value: number])[];

const shownMax = 3;
/** More than that are not looked at. */
const candidatesMax = 200;
/** Of these the names are read; some may be of another environment. */
const namedMax = 20;
/** As the windows of alerts: a call may have begun an hour before it ended. */
const longestMs = 3_600_000;
const oldestMs = 30 * 24 * 3_600_000;

const leaf = (field: string, value: string | string[], operator: 'equals' | 'in' = 'equals'): FilterList[number] => ({
  ...{ field, operator, value },
});

export class WorstTraces {
  readonly #store: Pick<TelemetryStore, 'search' | 'spans' | 'runaways'>;

  constructor(store: Pick<TelemetryStore, 'search' | 'spans' | 'runaways'>) {
    this.#store = store;
  }

  /** At most three. Of many calls or scores only the first hundreds are looked at. */
  async find(alert: Alert, window: WatchedWindow): Promise<WorstTrace[]> {
    const scope = { tenant_id: alert.tenant_id, app_id: alert.app_id };
    const values = new Map<string, number>();
    for (const [traceId, value] of await this.#candidates(scope, alert, window)) {
      if (values.size === namedMax) break;
      if (!values.has(traceId)) values.set(traceId, value);
    }
    const named = await this.#named(scope, [...values.keys()], window);
    const worst = [...values].flatMap(([id, value]) => {
      const trace = named.get(id);
      return trace ? { ...trace, id, value, figure: figureOf(alert.metric, value) } : [];
    });
    return worst.slice(0, shownMax);
  }

  async #candidates(scope: Scope, alert: Alert, window: WatchedWindow): Promise<Candidates> {
    if (alert.metric === 'error_rate') return this.#failed(scope, window);
    if (alert.metric === 'latency') return this.#slowest(scope, window);
    if (alert.metric === 'cost') return this.#mostExpensive(scope, window);
    if (alert.metric === 'runaway_runs') return this.#runaways(scope, window);
    // No trace shows that calls are missing.
    return alert.metric === 'model_calls' ? [] : this.#scored(scope, alert, window);
  }

  async #failed(scope: Scope, window: WatchedWindow): Promise<Candidates> {
    const failed = await this.#calls(scope, window, 'start_time', [leaf('status', 'ERROR')]);
    const byTrace = Map.groupBy(failed, ({ trace_id }) => trace_id);
    return [...byTrace].map(([traceId, calls]) => [traceId, calls.length] as const).sort(([, a], [, b]) => b - a);
  }

  async #slowest(scope: Scope, window: WatchedWindow): Promise<Candidates> {
    return (await this.#calls(scope, window, 'duration_ms', [])).map(({ trace_id, duration_ms }) => [trace_id, duration_ms]);
  }

  /** Model calls that ended in the window. */
  async #calls(scope: Scope, window: WatchedWindow, sort_by: 'start_time' | 'duration_ms', more: FilterList) {
    const search = searchOf('spans', window, [leaf('semantic_kind', ['llm', 'embedding'], 'in'), ...inEnvironment(window), ...more]);
    const page = await this.#store.search.spans(scope, { ...search, sort_by, sort_order: 'desc' });
    return page.data.decode().filter(({ type, timestamp, duration_ms }) => {
      const endMs = Date.parse(timestamp) + duration_ms;
      return type === 'GENERATION' && endMs >= window.from_ms && endMs < window.to_ms;
    });
  }

  async #mostExpensive(scope: Scope, window: WatchedWindow): Promise<Candidates> {
    const search = { ...searchOf('traces', window, inEnvironment(window)), bookkeeping: 'include' } as const;
    const page = await this.#store.search.traces(scope, { ...search, sort_by: 'cost', sort_order: 'desc' });
    const ended = page.data.decode().filter(({ end, cost }) => cost > 0 && Date.parse(end) >= window.from_ms);
    return ended.map(({ id, cost }) => [id, cost]);
  }

  async #runaways(scope: Scope, { from_ms, to_ms }: WatchedWindow): Promise<Candidates> {
    const found = (await this.#store.runaways.list(scope, { limit: candidatesMax })).decode();
    const inWindow = found.filter(({ found_at }) => Date.parse(found_at) >= from_ms && Date.parse(found_at) < to_ms);
    return inWindow.map(({ trace_id, cost }) => [trace_id, cost] as const).sort(([, a], [, b]) => b - a);
  }

  async #scored(scope: Scope, alert: Alert, { from_ms, to_ms }: WatchedWindow): Promise<Candidates> {
    const name = must(alert.evaluation_name, 'an alert on a score names it');
    const search = { ...searchOf('scores', { from_ms, to_ms }, [leaf('name', name)]), window: { from: from_ms, to: to_ms - 1 } };
    const sort_order = alert.evaluation_threshold_direction === 'below' ? 'asc' : 'desc';
    const page = await this.#store.search.scores(scope, { ...search, sort_by: 'score', sort_order });
    const scores = page.data.decode();
    const ids = scores.map(({ resource_id }) => resource_id);
    const traces = (await this.#store.spans.tracesOf(scope, ids)).decode();
    // A score is of a span or of a trace.
    return scores.map(({ resource_id, score }, at) => [traces[at] ?? resource_id, score]);
  }

  async #named(scope: Scope, ids: readonly string[], window: WatchedWindow) {
    if (ids.length === 0) return new Map<string, Pick<WorstTrace, 'name' | 'start_ms'>>();
    const search = searchOf('traces', window, [leaf('trace_id', [...ids], 'in'), ...inEnvironment(window)]);
    const page = await this.#store.search.traces(scope, {
      ...{ ...search, window: { from: window.from_ms - oldestMs, to: window.to_ms }, limit: namedMax },
      ...{ bookkeeping: 'include', sort_by: 'start_time', sort_order: 'desc' },
    });
    return new Map(page.data.decode().map(({ id, name, start }) => [id, { name, start_ms: Date.parse(start) }]));
  }
}

const inEnvironment = ({ environment }: WatchedWindow): FilterList => (environment === null ? [] : [leaf('environment', environment)]);

const searchOf = (resource: Resource, { from_ms, to_ms }: Pick<WatchedWindow, 'from_ms' | 'to_ms'>, filters: FilterList) => ({
  ...{ window: { from: from_ms - longestMs, to: to_ms }, filter: parseFilterList(resource, filters), limit: candidatesMax, offset: 0 },
});

function figureOf(metric: Alert['metric'], value: number): string {
  if (metric === 'error_rate') return `${value} failed ${value === 1 ? 'call' : 'calls'}`;
  return alertFigure(metric === 'runaway_runs' ? 'cost' : metric, value);
}
