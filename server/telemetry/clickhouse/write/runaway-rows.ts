/** Rows of runaways, and the thresholds by which they are found, of the tenants of one writer. */
import type { ClickHouseClient } from '@clickhouse/client';
import type { RunawayThreshold, RunawayThresholdChange } from '../../../../shared/contract/tracing/runaways.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { RunKey, RunState } from '../../runaway/open-runs.ts';
import type { Thresholds } from '../../runaway/run-watch.ts';
import { type AppThresholds, defaultThresholds, signsThatCount, thresholdsByService } from '../../runaway/thresholds.ts';
import { partsOf } from '../parameter-lists.ts';
import { ofApp, type ReadContext } from '../read/read-context.ts';
import type { RunawayChange, RunawayRow } from '../stored-rows.ts';
import { appKey, appOfKey } from './app-key.ts';
import type { Inserts } from './inserts.ts';
import type { Commits } from './versions.ts';

const storedRows = `SELECT trace_id, rule, service, subject, value, cost, cost_per_minute, found_ms, updated_ms, ended_ms
  FROM runaway FINAL WHERE ${ofApp} AND trace_id IN {ids:Array(String)}`;
const runningRuns = `SELECT tenant_id, app_id, trace_id, max(updated_ms) AS last_ms FROM runaway FINAL WHERE ended_ms = 0
  GROUP BY tenant_id, app_id, trace_id ORDER BY last_ms`;
const thresholdRows = 'SELECT tenant_id, app_id, service, rule, threshold FROM runaway_threshold FINAL';
const dropFound = `INSERT INTO runaway (tenant_id, app_id, trace_id, rule, ver, gone)
  SELECT tenant_id, app_id, trace_id, rule, {ver:UInt64}, 1 FROM runaway FINAL
  WHERE ${ofApp} AND service = {service:String} AND rule = {rule:String}`;

interface Parts {
  /** For statements that take as long as they take. */
  client: ClickHouseClient;
  context: ReadContext;
  inserts: Inserts;
  commits: Commits;
  owns(tenantId: string): boolean;
}

export class RunawayRows {
  readonly #parts: Parts;
  /** By app; one that is missing has the defaults. */
  #thresholds = new Map<string, AppThresholds>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads the thresholds of all apps, before any of them is asked for. */
  async readThresholds(): Promise<void> {
    const { context, owns } = this.#parts;
    const rows = await context.rows<RunawayThreshold & Scope>(thresholdRows);
    const byApp = Map.groupBy(
      rows.filter(({ tenant_id }) => owns(tenant_id)),
      appKey,
    );
    this.#thresholds = new Map([...byApp].map(([app, ofOne]) => [app, thresholdsByService(ofOne)]));
  }

  /** @param app its key */
  thresholdsOf(app: string, service: string): Thresholds {
    return this.#thresholds.get(app)?.get(service) ?? defaultThresholds;
  }

  /** Durable when it resolves; may be repeated. Call it while nothing is saved. */
  async setThreshold(scope: Scope, { service, rule, threshold }: RunawayThresholdChange): Promise<void> {
    const { client, context } = this.#parts;
    await this.#put('runaway_threshold', [{ ...scope, service, rule, ...(threshold === undefined ? { gone: 1 } : { threshold }) }]);
    const rows = await context.rows<RunawayThreshold>(`${thresholdRows} WHERE ${ofApp}`, { ...scope });
    this.#thresholds.set(appKey(scope), thresholdsByService(rows));
    // Without a fence: the rows of a later writer have later versions, which win.
    if (threshold === null) await client.command({ query: dropFound, query_params: { ...scope, service, rule, ver: this.#nextVersion() } });
  }

  /** Runs with signs that had not ended when an earlier writer did, with the time of their last sign; that of the latest is the last. */
  async running(): Promise<{ key: RunKey<string>; last_ms: number }[]> {
    const { context, owns } = this.#parts;
    const rows = await context.rows<Scope & { trace_id: string; last_ms: number }>(runningRuns);
    return rows
      .filter(({ tenant_id }) => owns(tenant_id))
      .map(({ trace_id, last_ms, ...app }) => ({ key: runKeyOf(app, trace_id), last_ms }));
  }

  /** May be repeated. */
  async save(states: readonly RunState<string>[]): Promise<void> {
    const ofApps = await Promise.all(
      [...Map.groupBy(states, ({ scope }) => scope)].map(async ([app, ofOne]) => {
        const scope = appOfKey(app);
        const stored = await this.#storedOf(
          scope,
          ofOne.map(({ traceId }) => traceId),
        );
        return ofOne
          .flatMap((state) => changesOf(state, this.thresholdsOf(app, state.service), stored.get(state.traceId) ?? []))
          .map((row) => ({ ...scope, ...row }));
      }),
    );
    await this.#put('runaway', ofApps.flat());
  }

  async #storedOf(scope: Scope, traceIds: readonly string[]): Promise<Map<string, RunawayRow[]>> {
    const parts = partsOf(traceIds).map((ids) => this.#parts.context.rows<RunawayRow>(storedRows, { ...scope, ids }));
    return Map.groupBy((await Promise.all(parts)).flat(), ({ trace_id }) => trace_id);
  }

  async #put(table: string, rows: readonly object[]): Promise<void> {
    const ver = this.#nextVersion();
    await this.#parts.inserts.insert(
      table,
      rows.map((row) => ({ ...row, ver })),
    );
  }

  #nextVersion(): string {
    return String(this.#parts.commits.next());
  }
}

/** Rows of copies change when they are made anew, so that a run is known by its ids. */
export function runKeyOf({ tenant_id, app_id }: Scope, traceId: string): RunKey<string> {
  const app = { tenant_id, app_id };
  const scope = appKey(app);
  return { scope, trace: `${scope} ${traceId}`, app, traceId };
}

/** @param stored rows of the same trace */
function changesOf(state: RunState<string>, thresholds: Thresholds, stored: readonly RunawayRow[]): RunawayChange[] {
  const { traceId: trace_id, service, cost, cost_per_minute, at_ms, isOver } = state;
  const before = new Map(stored.map((row) => [row.rule, row]));
  const signs = signsThatCount(state.signs, thresholds);
  const changes = signs.map(({ rule, subject, value }): RunawayChange => {
    const found_ms = before.get(rule)?.found_ms ?? at_ms;
    before.delete(rule);
    const what = { service, subject, value, cost, cost_per_minute };
    return { trace_id, rule, ...what, found_ms, updated_ms: at_ms, ended_ms: isOver ? at_ms : 0 };
  });
  if (isOver)
    return [...changes, ...[...before.values()].filter(({ ended_ms }) => ended_ms === 0).map((row) => ({ ...row, ended_ms: at_ms }))];
  // The only sign that goes away: the tool answered.
  return before.has('silence') ? [...changes, { trace_id, rule: 'silence', gone: 1 }] : changes;
}
