import type { Runaway, RunawayQuery, RunawayThreshold } from '../../../../shared/contract/tracing/runaways.ts';
import { runKey } from '../../../platform/run-key.ts';
import { termKey } from '../file/codes.ts';
import { readStoredId } from '../file/id-codec.ts';
import { noRow } from './lookup.ts';
import type { ReadContext } from './read-context.ts';
import { metadataOf } from './span-wire.ts';

interface RunawayRow extends Pick<Runaway, 'service' | 'rule' | 'subject' | 'value' | 'cost' | 'cost_per_minute'> {
  trace_id: unknown;
  trace_name: string;
  metadata: number | null;
  found_ms: number;
  updated_ms: number;
  ended_ms: number | null;
}

export class RunawayReads {
  readonly #context: ReadContext;
  readonly #running;
  readonly #ended;
  readonly #ofTraces;
  readonly #thresholds;

  constructor(context: ReadContext) {
    const { db } = context;
    this.#context = context;
    const select = `SELECT trace.trace_id, coalesce(term.value, '') AS trace_name, trace.metadata, service, rule, subject, runaway.value, runaway.cost,
        cost_per_minute, found_ms, updated_ms, ended_ms
      FROM runaway CROSS JOIN trace ON trace.id = runaway.trace LEFT JOIN term ON term.id = trace.name
      WHERE runaway.scope = ? AND trace.span_count > 0`;
    const order = 'ORDER BY found_ms DESC, runaway.trace, rule LIMIT ?';
    this.#running = db.prepare<[number, number], RunawayRow>(`${select} AND ended_ms IS NULL ${order}`);
    this.#ended = db.prepare<[number, number], RunawayRow>(`${select} AND ended_ms IS NOT NULL ${order}`);
    this.#ofTraces = db.prepare<[number, string, number], RunawayRow>(
      `${select} AND runaway.trace IN (SELECT value FROM json_each(?)) ORDER BY ended_ms IS NULL DESC, found_ms DESC, rule LIMIT ?`,
    );
    this.#thresholds = db.prepare<[number], RunawayThreshold>(
      'SELECT service, rule, threshold FROM runaway_threshold WHERE scope = ? ORDER BY service, rule',
    );
  }

  list(scope: number, query: RunawayQuery): Runaway[] {
    return this.#rowsOf(scope, query).map((row) => runawayOf(row, this.#context));
  }

  thresholds(scope: number): RunawayThreshold[] {
    return this.#thresholds.all(scope);
  }

  hasService(scope: number, service: string): boolean {
    return service === '' || this.#context.lookup.term(scope, termKey.service, service) !== noRow;
  }

  #rowsOf(scope: number, { trace_ids, running, limit }: RunawayQuery): RunawayRow[] {
    if (trace_ids !== undefined) {
      const rows = this.#ofTraces.all(scope, JSON.stringify(trace_ids.map((id) => this.#context.lookup.trace(scope, id))), limit);
      return rows.filter(({ ended_ms }) => running === undefined || (ended_ms === null) === (running === 'true'));
    }
    const rows = running === 'false' ? [] : this.#running.all(scope, limit);
    return running === 'true' ? rows : [...rows, ...this.#ended.all(scope, limit - rows.length)];
  }
}

function runawayOf({ trace_id, metadata, found_ms, updated_ms, ended_ms, ...row }: RunawayRow, { documents }: ReadContext): Runaway {
  return {
    trace_id: readStoredId(trace_id),
    ...row,
    found_at: new Date(found_ms).toISOString(),
    updated_at: new Date(updated_ms).toISOString(),
    ended_at: ended_ms === null ? null : new Date(ended_ms).toISOString(),
    run_id: metadataOf(documents, metadata)[runKey] ?? null,
  };
}
