/** Rows of the viewer's trace list. Columns from other tables are fetched for the whole page at once. */
import type { ListedTrace, ListedTraces, ListedTracesQuery } from '../../../../shared/contract/tracing/trace-list.ts';
import { flag, kinds, termKey } from '../file/codes.ts';
import { readStoredId } from '../file/id-codec.ts';
import { keyOf } from '../file/resource-key.ts';
import { isoOf } from './iso-time.ts';
import type { ReadContext } from './read-context.ts';
import { isVisible } from './span-wire.ts';
import { hiddenTraces, pageOfTraces, type TraceRow } from './trace-page.ts';
import { traceItemOf } from './trace-reads.ts';

/** Row ids of traces. */
interface Arrivals {
  arrived: number | undefined;
  arrived_after: number | undefined;
}

interface WaitingRow {
  name: string;
  kind: number;
  start_us: number;
}

interface ScoreRow {
  trace: number;
  name: string;
  score: number;
  label: string;
}

const latestRows = 1000;

/** Of a larger trace the running span is not sought: all its spans would be read for each list. */
export const waitingSpansMax = 2000;

export class ListedTraceReads {
  readonly #context: ReadContext;
  readonly #models;
  readonly #scores;
  readonly #services;
  readonly #waiting;
  readonly #spanId;
  readonly #arrived;
  readonly #newest;

  constructor(context: ReadContext) {
    const { db } = context;
    this.#context = context;
    // Goes from the few models to the traces of the page, because there is no index from traces to their terms.
    this.#models = db.prepare<[number, string, string], { trace: number; value: string }>(
      `SELECT terms.trace, term.value FROM term CROSS JOIN all_trace_terms AS terms ON terms.term = term.id
       WHERE term.scope = ? AND term.key = ? AND terms.trace IN (SELECT value FROM json_each(?)) ORDER BY term.value`,
    );
    this.#scores = db.prepare<[string, number], ScoreRow>(
      `WITH page(id) AS (SELECT value FROM json_each(?)), scored(trace, resource) AS (
         SELECT trace.id, ${keyOf('trace.trace_id')} FROM page JOIN trace ON trace.id = page.id
         UNION ALL
         SELECT trace.id, ${keyOf('span.span_id')} FROM page JOIN trace ON trace.id = page.id JOIN span ON span.id = trace.root
       )
       SELECT scored.trace, score.name, score.score, score.label FROM scored CROSS JOIN score
       ON score.scope = ? AND score.resource = scored.resource ORDER BY +score.created_ms, +score.id`,
    );
    this.#services = db.prepare<[string], { trace: number; service: string }>(
      `SELECT trace.id AS trace, term.value AS service FROM json_each(?) AS page CROSS JOIN trace ON trace.id = page.value
       CROSS JOIN span ON span.id = trace.root CROSS JOIN term ON term.id = span.service`,
    );
    this.#waiting = db.prepare<[number], WaitingRow>(
      `SELECT term.value AS name, span.kind, span.start_us FROM span JOIN term ON term.id = span.name
       WHERE span.trace = ? AND (span.flags & ${flag.pending}) <> 0 AND ${isVisible} ORDER BY span.start_us DESC, span.id DESC LIMIT 1`,
    );
    this.#newest = db.prepare<[], number>('SELECT max(id) FROM trace').pluck();
    this.#spanId = db.prepare<[number], unknown>('SELECT span_id FROM span WHERE id = ?').pluck();
    // A busy scope has a match among the latest rows; the others have few rows to scan.
    this.#arrived = db
      .prepare<[number, number], number | null>(
        `SELECT coalesce((SELECT max(id) FROM (SELECT id, scope FROM trace ORDER BY id DESC LIMIT ${latestRows}) WHERE scope = ?),
          (SELECT max(id) FROM trace INDEXED BY trace_listed WHERE scope = ? AND span_count > 0))`,
      )
      .pluck();
  }

  /** Null when a cursor is not of this store and app. */
  list(scope: number, query: ListedTracesQuery): ListedTraces | null {
    const { cursors, damageReporter } = this.#context;
    const arrivals = this.#arrivalsOf(scope, query);
    if (!arrivals) return null;
    const decrypted = { ...query, ...arrivals };
    const { rows, total, totalIsLowerBound } = pageOfTraces(this.#context, scope, decrypted);
    const ids = JSON.stringify(rows.map(({ id }) => id));
    const readOrEmpty = <T>(what: string, read: () => T[]): T[] => damageReporter.read('database', what, read) ?? [];
    const models = Map.groupBy(
      readOrEmpty('models of traces', () => this.#models.all(scope, termKey.model, ids)),
      ({ trace }) => trace,
    );
    const services = new Map(
      readOrEmpty('services of traces', () => this.#services.all(ids)).map(({ trace, service }) => [trace, service]),
    );
    const scores = Map.groupBy(
      readOrEmpty('scores of traces', () => this.#scores.all(ids, scope)),
      ({ trace }) => trace,
    );
    return {
      rows: damageReporter.rows('trace', rows, (row) => ({
        ...this.#itemOf(row),
        models: (models.get(row.id) ?? []).map(({ value }) => value),
        service: services.get(row.id) || null,
        scores: latest(scores.get(row.id) ?? []),
      })),
      total,
      ...(totalIsLowerBound && { total_is_lower_bound: true as const }),
      bookkeeping_hidden: hiddenTraces(this.#context, scope, decrypted),
      arrived: cursors.encrypt('arrivedTraces', scope, this.#arrived.get(scope, scope) ?? 0),
    };
  }

  /** Null when a cursor is not of this store and app. */
  #arrivalsOf(scope: number, { arrived, arrived_after }: ListedTracesQuery): Arrivals | null {
    const rowOf = (cursor: string | undefined) =>
      cursor === undefined ? undefined : this.#context.cursors.decrypt('arrivedTraces', scope, cursor);
    const [until, after] = [rowOf(arrived), rowOf(arrived_after)];
    if (until === null || after === null) return null;
    // A later row than all is from before an earlier copy of the store was restored.
    const isKnown = after !== undefined && after <= (this.#newest.get() ?? 0);
    return { arrived: until, arrived_after: isKnown ? after : undefined };
  }

  #itemOf(row: TraceRow): Omit<ListedTrace, 'models' | 'scores' | 'service'> {
    const { lookup } = this.#context;
    return {
      ...traceItemOf(row, lookup.text(row.name)),
      session_id: lookup.text(row.session) || null,
      user_id: lookup.text(row.user) || null,
      prompt_name: lookup.text(row.prompt_name) || null,
      running: row.pending_count,
      waiting_for: row.pending_count === 0 || row.span_count > waitingSpansMax ? null : this.#waitingFor(row.id),
      input_span: this.#spanOf(row.input_span),
      output_span: this.#spanOf(row.output_span),
    };
  }

  #waitingFor(trace: number): ListedTrace['waiting_for'] {
    const row = this.#waiting.get(trace);
    return row ? { name: row.name, kind: kinds[row.kind] ?? 'function', since: isoOf(row.start_us) } : null;
  }

  #spanOf(id: number): string | null {
    const stored = id === 0 ? undefined : this.#spanId.get(id);
    return stored === undefined ? null : readStoredId(stored);
  }
}

/** The latest score of each name, sorted by name. */
function latest(scores: readonly ScoreRow[]): ListedTrace['scores'] {
  const byName = new Map(scores.map(({ name, score, label }) => [name, { name, score, label }]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
