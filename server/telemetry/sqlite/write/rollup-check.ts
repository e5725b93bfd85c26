/**
 * Checks derived rows against their sources: traces against spans, sessions against traces, apps against both. Only one trace is in memory at a
 * time. Needs a store without concurrent writes, or a snapshot.
 */
import { contentOf, type Side } from '../../../ingest/normalise/index.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import { TraceTree } from '../../trace-tree.ts';
import { flag } from '../file/codes.ts';
import { DamageReporter, storedTags } from '../file/damaged.ts';
import { Documents } from '../file/documents.ts';
import type { OpenDatabase } from '../file/open.ts';
import { RecordReader } from '../read/record-reader.ts';
import { type SentSpanRow, SentSpans, sentSpanColumns } from '../read/sent-span.ts';
import { SessionRows, sessionColumns } from './session-rows.ts';
import type { StoredTreeSpan } from './stored-tree.ts';
import { fromRow, treeRowsOf } from './trees.ts';

/** Row that differs from the values computed from its source. */
export interface WrongRollup {
  kind: (typeof rollupKinds)[number];
  row: number;
  /** Correct values by column. */
  expected: Record<string, unknown>;
}

/** Repairs use this order, so that each sum is computed from correct rows. */
export const rollupKinds = ['trace', 'session', 'app'] as const;

type Row = Record<string, unknown> & { id: number };

const sumColumns = ['status', 'start_us', 'end_us', 'latency_ns', 'longest_ns', 'cost', 'tokens', 'input_tokens', 'output_tokens'] as const;
const otherColumns = ['span_count', 'error_count', 'pending_count', 'session', 'user', 'name'] as const;
const pageRows = 500;

export class RollupCheck {
  /** Number of rows that cannot be compared because their source is unreadable. */
  damaged = 0;
  readonly #db: OpenDatabase;
  readonly #sessions: SessionRows;
  readonly #sentSpans: SentSpans;
  readonly #spans;
  readonly #sent;
  readonly #tagSets;

  constructor(db: OpenDatabase) {
    this.#db = db;
    this.#sessions = new SessionRows(db, new DamageReporter(() => this.damaged++));
    this.#sentSpans = new SentSpans(db, new RecordReader(db), new Documents(db));
    this.#spans = treeRowsOf(db);
    this.#sent = db.prepare<[number], SentSpanRow>(`SELECT ${sentSpanColumns} FROM span WHERE span.id = ?`);
    this.#tagSets = db
      .prepare<[number], string>(
        `SELECT DISTINCT term.value FROM span JOIN term ON term.id = span.tags WHERE span.trace = ? AND (span.flags & ${flag.placeholder}) = 0`,
      )
      .pluck();
  }

  findWrong(kind: WrongRollup['kind']): Generator<WrongRollup> {
    if (kind === 'trace') return this.#each('trace', (row) => this.#ofTrace(row));
    if (kind === 'session') return this.#each('session', (row) => this.#ofSession(row));
    return this.#each('scope', (row) => this.#ofApp(row));
  }

  /** Repairs a finding of `findWrong`. Call it within a transaction. */
  repair({ kind, row, expected }: WrongRollup): void {
    const columns = Object.keys(expected);
    const table = kind === 'app' ? 'scope' : kind;
    if (columns.length === 0) this.#db.prepare(`DELETE FROM ${table} WHERE id = ?`).run(row);
    else
      this.#db
        .prepare(`UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`)
        .run(...Object.values(expected), row);
  }

  *#each(table: 'trace' | 'session' | 'scope', compare: (row: Row) => WrongRollup | null): Generator<WrongRollup> {
    const page = this.#db.prepare<[number, number], Row>(`SELECT * FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`);
    const damageReporter = new DamageReporter(() => this.damaged++);
    for (let after = -1; ; ) {
      const rows = page.all(after, pageRows);
      for (const row of rows) {
        const wrong = damageReporter.read('row', row.id, () => compare(row));
        if (wrong) yield wrong;
      }
      if (rows.length < pageRows) return;
      after = (rows.at(-1) as Row).id;
    }
  }

  #ofTrace(row: Row): WrongRollup | null {
    const tree = new TraceTree<number, number>();
    for (const span of this.#spans.iterate(row.id)) tree.put(fromRow(span));
    const rollup = tree.rollUp((span, side) => this.#hasContent(span, side));
    if (!rollup) return row['span_count'] === 0 ? null : { kind: 'trace', row: row.id, expected: { span_count: 0 } };
    const expected: Record<string, unknown> = { root: rollup.root.row, metadata: rollup.root.metadata };
    for (const column of [...sumColumns, ...otherColumns]) expected[column] = rollup[column];
    expected['input_span'] = rollup.input?.row ?? 0;
    expected['output_span'] = rollup.output?.row ?? 0;
    expected['tags'] = this.#tags(row);
    return differenceOf('trace', row, expected);
  }

  /** Tags of the spans and those that people gave. Spans from before migration 5 have none, so the other tags of the trace stay. */
  #tags(row: Row): string {
    const tags = new Set(this.#tagSets.all(row.id).flatMap(storedTags));
    for (const column of ['tags', 'added_tags'])
      for (const tag of new DamageReporter().read('trace', row.id, () => storedTags(row[column])) ?? []) tags.add(tag);
    return JSON.stringify([...tags].sort());
  }

  #ofSession(row: Row): WrongRollup | null {
    const values = this.#sessions.expected(row.id);
    if (values === null) return { kind: 'session', row: row.id, expected: {} };
    return differenceOf('session', row, Object.fromEntries(sessionColumns.map((column, at) => [column, values[at]])));
  }

  #ofApp(row: Row): WrongRollup | null {
    const counts = this.#db
      .prepare<[number], Record<string, unknown>>(
        'SELECT count(*) AS trace_count, coalesce(sum(span_count), 0) AS span_count FROM trace WHERE scope = ? AND span_count > 0',
      )
      .get(row.id) as Record<string, unknown>;
    return differenceOf('app', row, counts);
  }

  #hasContent(span: StoredTreeSpan, side: Side): boolean {
    const row = this.#sent.get(span.row);
    return row !== undefined && contentOf(withLogsAsEvents(this.#sentSpans.read(row).sent))[side] !== '';
  }
}

function differenceOf(kind: WrongRollup['kind'], row: Row, values: Record<string, unknown>): WrongRollup | null {
  const expected = Object.fromEntries(Object.entries(values).filter(([column, value]) => !isSame(row[column], value)));
  return Object.keys(expected).length === 0 ? null : { kind, row: row.id, expected };
}

/** Costs may differ in their last digit where an earlier version summed them. */
const isSame = (stored: unknown, expected: unknown): boolean =>
  stored === expected ||
  (typeof stored === 'number' && typeof expected === 'number' && Math.abs(stored - expected) <= Math.abs(expected) * 1e-9);
