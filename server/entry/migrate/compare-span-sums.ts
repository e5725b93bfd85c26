/**
 * Compares the spans that lists and sums read, by trace: their number, tokens and costs, wherever their rows are. A row that is left in another hour
 * would be counted twice, and the rows of traces do not show it.
 */
import { ofApp } from '../../telemetry/clickhouse/read/read-context.ts';
import { flag } from '../../telemetry/sqlite/file/codes.ts';
import { readStoredId } from '../../telemetry/sqlite/file/id-codec.ts';
import { costTolerance } from './compare-rollups.ts';
import { rangeOfTraces, storedKinds, type TraceRange } from './stored-trace-ids.ts';
import { isMoved, type SourceApp, type TelemetrySource } from './telemetry-source.ts';
import type { TelemetryTarget } from './telemetry-target.ts';

/** The rows of spans are not in the order of trace ids, so each query reads all of the app. */
const tracesAtOnce = 50_000;

interface SpanSums {
  trace_id: unknown;
  spans: number;
  tokens: number;
  /** Of spans without log records, US dollars: the others have those of the current prices. */
  cost: number;
}

export class SpanSumComparison {
  readonly #target: TelemetryTarget;
  readonly #last;
  readonly #sums;

  constructor({ db }: TelemetrySource, target: TelemetryTarget) {
    this.#target = target;
    const traces = `trace JOIN scope ON scope.id = trace.scope`;
    const isNext = `trace.scope = ? AND typeof(trace.trace_id) = ? AND trace.trace_id > ? AND ${isMoved}`;
    this.#last = db
      .prepare<[number, string, unknown], string | Buffer>(
        `SELECT trace.trace_id FROM ${traces} WHERE ${isNext} ORDER BY trace.trace_id LIMIT 1 OFFSET ${tracesAtOnce - 1}`,
      )
      .pluck();
    this.#sums = db.prepare<[number, string, unknown, unknown], SpanSums>(
      `SELECT trace.trace_id, count(*) AS spans, coalesce(sum(span.tokens), 0) AS tokens,
         coalesce(sum(iif(span.flags & ${flag.hasLogs}, 0, span.cost)), 0) AS cost
       FROM ${traces} JOIN span ON span.trace = trace.id
       WHERE ${isNext} AND trace.trace_id <= coalesce(?, trace.trace_id) AND (span.flags & ${flag.placeholder}) = 0 GROUP BY trace.id`,
    );
  }

  /** @returns the traces of an app whose spans differ, or which only one side has */
  async compare(app: SourceApp): Promise<Set<string>> {
    const different = new Set<string>();
    for (const { kind, first } of storedKinds) {
      let after: string | Buffer = first;
      for (;;) {
        const last: string | Buffer | null = this.#last.get(app.id, kind, after) ?? null;
        const rows = this.#sums.all(app.id, kind, after, last);
        const here = new Map(rows.map((row) => [readStoredId(row.trace_id), row]));
        const there = await this.#stored(app, rangeOfTraces(kind, after, last));
        for (const id of new Set([...here.keys(), ...there.keys()])) if (!isSame(here.get(id), there.get(id))) different.add(id);
        if (last === null) break;
        after = last;
      }
    }
    return different;
  }

  async #stored({ tenant_id, app_id }: SourceApp, { condition, params }: TraceRange): Promise<Map<string, SpanSums>> {
    const rows = await this.#target.rows<SpanSums & { trace_id: string }>(
      `SELECT trace_id, count() AS spans, sum(ifNull(tokens, 0)) AS tokens,
         sumIf(ifNull(cost, 0), bitAnd(flags, ${flag.hasLogs}) = 0) AS cost
       FROM span FINAL WHERE ${ofApp} AND ${condition} GROUP BY trace_id`,
      { tenant_id, app_id, ...params },
    );
    return new Map(rows.map((row) => [row.trace_id, row]));
  }
}

function isSame(here: SpanSums | undefined, there: SpanSums | undefined): boolean {
  if (here?.spans !== there?.spans || here?.tokens !== there?.tokens) return false;
  const cost = here?.cost ?? 0;
  return Math.abs(cost - (there?.cost ?? 0)) <= costTolerance * Math.max(1, Math.abs(cost));
}
