/** Rows of runaways, and the thresholds by which they are found. */
import type { RunawayRule } from '../../../../shared/contract/tracing/runaway-rules.ts';
import type { RunawayThreshold, RunawayThresholdChange } from '../../../../shared/contract/tracing/runaways.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { RunKey, RunState } from '../../runaway/open-runs.ts';
import type { Thresholds } from '../../runaway/run-watch.ts';
import type { Sign } from '../../runaway/step.ts';
import { type AppThresholds, defaultThresholds, signsThatCount, thresholdsByService } from '../../runaway/thresholds.ts';
import { readStoredId } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';

interface RunningRow extends Scope {
  trace: number;
  scope: number;
  trace_id: unknown;
  updated_ms: number;
}

/** Running rows that a new writer takes up. */
const resumedMax = 1000;

export class RunawayRows {
  readonly #put;
  readonly #end;
  readonly #drop;
  readonly #save;
  readonly #thresholds;
  readonly #running;
  readonly #setThreshold;
  /** By the row of the app. */
  readonly #known = new Map<number, AppThresholds>();

  readonly #scopeRow: (scope: Scope) => number;

  /** @param scopeRow the row of an app */
  constructor(db: OpenDatabase, scopeRow: (scope: Scope) => number) {
    this.#scopeRow = scopeRow;
    this.#put = db.prepare(
      `INSERT INTO runaway (trace, rule, scope, service, subject, value, cost, cost_per_minute, found_ms, updated_ms)
       SELECT id, @rule, scope, @service, @subject, @value, @cost, @cost_per_minute, @at_ms, @at_ms FROM trace WHERE id = @trace AND span_count > 0
       ON CONFLICT (trace, rule) DO UPDATE SET service = @service, subject = @subject, value = @value, cost = @cost,
         cost_per_minute = @cost_per_minute, updated_ms = @at_ms, ended_ms = NULL`,
    );
    this.#end = db.prepare<[number, number]>('UPDATE runaway SET ended_ms = ? WHERE trace = ? AND ended_ms IS NULL');
    this.#drop = db.prepare<[number, RunawayRule]>('DELETE FROM runaway WHERE trace = ? AND rule = ?');
    this.#save = db.transaction((states: readonly RunState[]) => {
      for (const state of states) this.#saveOne(state);
    });
    this.#thresholds = db.prepare<[number], RunawayThreshold>('SELECT service, rule, threshold FROM runaway_threshold WHERE scope = ?');
    this.#running = db.prepare<[], RunningRow>(
      `SELECT runaway.trace, runaway.scope, trace.trace_id, scope.tenant_id, scope.app_id, max(runaway.updated_ms) AS updated_ms
       FROM runaway JOIN trace ON trace.id = runaway.trace JOIN scope ON scope.id = runaway.scope
       WHERE ended_ms IS NULL GROUP BY runaway.trace LIMIT ${resumedMax}`,
    );
    const put = db.prepare('INSERT OR REPLACE INTO runaway_threshold (scope, service, rule, threshold) VALUES (?, ?, ?, ?)');
    const remove = db.prepare('DELETE FROM runaway_threshold WHERE scope = ? AND service = ? AND rule = ?');
    const dropFound = db.prepare('DELETE FROM runaway WHERE scope = ? AND service = ? AND rule = ?');
    this.#setThreshold = db.transaction((scope: number, { service, rule, threshold }: RunawayThresholdChange) => {
      if (threshold === undefined) remove.run(scope, service, rule);
      else put.run(scope, service, rule, threshold);
      if (threshold === null) dropFound.run(scope, service, rule);
    });
  }

  save(states: readonly RunState[]): void {
    this.#save.immediate(states);
  }

  #saveOne({ scope, trace, service, cost, cost_per_minute, at_ms, isOver, ...state }: RunState): void {
    const signs = signsThatCount(state.signs, this.thresholdsOf(scope, service));
    for (const { rule, subject, value } of signs) this.#put.run({ trace, rule, service, subject, value, cost, cost_per_minute, at_ms });
    if (isOver) this.#end.run(at_ms, trace);
    // The only sign that goes away: the tool answered.
    else if (!signs.some(hasRule('silence'))) this.#drop.run(trace, 'silence');
  }

  /** Runs with signs that had not ended when the store was closed, with the time of their last sign. */
  running(): { key: RunKey; last_ms: number }[] {
    return this.#running.all().map(({ trace, scope, trace_id, tenant_id, app_id, updated_ms }) => ({
      key: { trace, scope, traceId: readStoredId(trace_id), app: { tenant_id, app_id } },
      last_ms: updated_ms,
    }));
  }

  thresholdsOf(scope: number, service: string): Thresholds {
    const ofApp = this.#known.get(scope) ?? thresholdsByService(this.#thresholds.all(scope));
    this.#known.set(scope, ofApp);
    return ofApp.get(service) ?? defaultThresholds;
  }

  setThreshold(scope: Scope, change: RunawayThresholdChange): void {
    const row = this.#scopeRow(scope);
    this.#setThreshold.immediate(row, change);
    this.#known.delete(row);
  }
}

const hasRule =
  (name: RunawayRule) =>
  ({ rule }: Sign): boolean =>
    rule === name;
