/**
 * Checks derived rows against their sources: traces against spans, sessions against traces, apps against both. One trace is in memory at a
 * time. Needs a store without writes, or a snapshot.
 */
import { contentOf } from '../../../ingest/normalise/index.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import { TraceTree, type TreeSpan } from '../../trace-tree.ts';
import { flag } from '../file/codes.ts';
import { Damages, storedTags } from '../file/damaged.ts';
import { Documents } from '../file/documents.ts';
import type { OpenDatabase } from '../file/open.ts';
import { RecordReader } from '../read/record-reader.ts';
import { type SentSpanRow, SentSpans, sentSpanColumns } from '../read/sent-span.ts';
import { SessionRows, sessionColumns } from './session-rows.ts';
import { fromRow, treeRowsOf } from './trees.ts';

/** Row that differs from its source. */
export interface WrongRollup {
  of: (typeof rollupKinds)[number];
  row: number;
  /** Correct values by column. */
  right: Record<string, unknown>;
}

/** Repairs use this order, so that each sum is computed from correct rows. */
export const rollupKinds = ['trace', 'session', 'app'] as const;

type Row = Record<string, unknown> & { id: number };

const summed = ['status', 'start_us', 'end_us', 'latency_ns', 'longest_ns', 'cost', 'tokens', 'input_tokens', 'output_tokens'] as const;
const counted = ['span_count', 'error_count', 'pending_count', 'session', 'user', 'name'] as const;
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
    this.#sessions = new SessionRows(db, new Damages(() => this.damaged++));
    this.#sentSpans = new SentSpans(db, new RecordReader(db), new Documents(db));
    this.#spans = treeRowsOf(db);
    this.#sent = db.prepare<[number], SentSpanRow>(`SELECT ${sentSpanColumns} FROM span WHERE span.id = ?`);
    this.#tagSets = db
      .prepare<[number], string>(
        `SELECT DISTINCT term.value FROM span JOIN term ON term.id = span.tags WHERE span.trace = ? AND (span.flags & ${flag.placeholder}) = 0`,
      )
      .pluck();
  }

  wrong(of: WrongRollup['of']): Generator<WrongRollup> {
    if (of === 'trace') return this.#each('trace', (row) => this.#ofTrace(row));
    if (of === 'session') return this.#each('session', (row) => this.#ofSession(row));
    return this.#each('scope', (row) => this.#ofApp(row));
  }

  /** Repairs a finding of `wrong`. Within a transaction. */
  repair({ of, row, right }: WrongRollup): void {
    const columns = Object.keys(right);
    const table = of === 'app' ? 'scope' : of;
    if (columns.length === 0) this.#db.prepare(`DELETE FROM ${table} WHERE id = ?`).run(row);
    else
      this.#db
        .prepare(`UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`)
        .run(...Object.values(right), row);
  }

  *#each(table: 'trace' | 'session' | 'scope', compare: (row: Row) => WrongRollup | null): Generator<WrongRollup> {
    const page = this.#db.prepare<[number, number], Row>(`SELECT * FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`);
    const damages = new Damages(() => this.damaged++);
    for (let after = -1; ; ) {
      const rows = page.all(after, pageRows);
      for (const row of rows) {
        const wrong = damages.read('row', row.id, () => compare(row));
        if (wrong) yield wrong;
      }
      if (rows.length < pageRows) return;
      after = (rows.at(-1) as Row).id;
    }
  }

  #ofTrace(row: Row): WrongRollup | null {
    const tree = new TraceTree();
    for (const span of this.#spans.iterate(row.id)) tree.put(fromRow(span));
    const rollup = tree.rollUp((span) => this.#look(span));
    if (!rollup) return row['span_count'] === 0 ? null : { of: 'trace', row: row.id, right: { span_count: 0 } };
    const right: Record<string, unknown> = { root: rollup.root.row, metadata: rollup.root.metadata };
    for (const column of [...summed, ...counted]) right[column] = rollup[column];
    right['input_span'] = rollup.input?.row ?? 0;
    right['output_span'] = rollup.output?.row ?? 0;
    right['tags'] = this.#tags(row);
    return differing('trace', row, right);
  }

  /** Tags of the spans. Spans from before migration 5 have none, so the other tags of the trace stay. */
  #tags(row: Row): string {
    const tags = new Set(this.#tagSets.all(row.id).flatMap(storedTags));
    for (const tag of new Damages().read('trace', row.id, () => storedTags(row['tags'])) ?? []) tags.add(tag);
    return JSON.stringify([...tags].sort());
  }

  #ofSession(row: Row): WrongRollup | null {
    const values = this.#sessions.expected(row.id);
    if (values === null) return { of: 'session', row: row.id, right: {} };
    return differing('session', row, Object.fromEntries(sessionColumns.map((column, at) => [column, values[at]])));
  }

  #ofApp(row: Row): WrongRollup | null {
    const right = this.#db
      .prepare<[number], Record<string, unknown>>(
        'SELECT count(*) AS trace_count, coalesce(sum(span_count), 0) AS span_count FROM trace WHERE scope = ? AND span_count > 0',
      )
      .get(row.id) as Record<string, unknown>;
    return differing('app', row, right);
  }

  #look(span: TreeSpan): void {
    const row = this.#sent.get(span.row);
    const content = row && contentOf(withLogsAsEvents(this.#sentSpans.read(row).sent));
    span.has_input = content !== undefined && content.input !== '';
    span.has_output = content !== undefined && content.output !== '';
  }
}

function differing(of: WrongRollup['of'], row: Row, expected: Record<string, unknown>): WrongRollup | null {
  const right = Object.fromEntries(Object.entries(expected).filter(([column, value]) => !isSame(row[column], value)));
  return Object.keys(right).length === 0 ? null : { of, row: row.id, right };
}

/** Money may differ in its last digit where an earlier version added it up. */
const isSame = (stored: unknown, right: unknown): boolean =>
  stored === right || (typeof stored === 'number' && typeof right === 'number' && Math.abs(stored - right) <= Math.abs(right) * 1e-9);
