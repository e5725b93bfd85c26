/**
 * Deletes terms and documents without references, in steps between batches. First all rows are read and their references marked; meanwhile
 * temporary triggers mark the references of every inserted or changed row. So a row is either unchanged since it was read, or was marked when
 * it was written, and entries without a mark at the end are unreferenced.
 */
import type { OpenDatabase } from '../file/open.ts';
import { runTimeSlice } from './time-slice.ts';

/** Columns with ids of terms and of documents. */
const columnsOf: Record<Kind, Record<string, string[]>> = {
  term: {
    span: ['name', 'model', 'service', 'session', 'user', 'prompt', 'trace_name', 'finish_reason', 'tags', 'environment'],
    trace: ['name', 'session', 'user', 'session_name', 'prompt_name', 'trace_name'],
    trace_term: ['term'],
    recent_trace_term: ['term'],
    session: ['id'],
  },
  document: { span: ['metadata', 'resource', 'instrumentation'], trace: ['metadata'] },
};
type Kind = 'term' | 'document';
const kinds: Kind[] = ['term', 'document'];
const pieceRows = 200;

export class UnusedNames {
  readonly #db: OpenDatabase;
  readonly #user: string;
  readonly #forget: () => void;
  /** By id, 1 for referenced entries. Null when no pass is running. */
  #marks: Record<Kind, Uint8Array> | null = null;

  /**
   * @param user names the owner of the passes, because several may run at once
   * @param forget clears caches of names after some were deleted
   */
  constructor(db: OpenDatabase, user: string, forget: () => void) {
    this.#db = db;
    this.#user = user;
    this.#forget = forget;
    for (const kind of kinds) db.function(`${user}_mark_${kind}`, { varargs: true }, (...ids) => this.#mark(kind, ids as number[]));
  }

  /**
   * Deletes the entries that are unused at the start of the pass, a step at a time.
   * @param onProgress receives the progress from 0 to 1
   */
  *drop(onProgress: (part: number) => void): Generator<void> {
    const newest = (table: string) => this.#numberFrom(`SELECT coalesce(max(id), 0) FROM ${table}`);
    // The newest stays, because its id would be reused.
    const marks = (kind: Kind) => new Uint8Array(newest(kind) + 1).fill(1, newest(kind));
    this.#marks = { term: marks('term'), document: marks('document') };
    this.#createTriggers();
    try {
      yield* this.#markRows('span', (part) => onProgress(part * 0.7));
      yield* this.#markRows('trace', (part) => onProgress(0.7 + part * 0.1));
      yield* this.#markRows('session', () => {});
      yield* this.#markPostings();
      for (const kind of kinds) yield* this.#dropUnmarked(kind, (part) => onProgress(0.8 + part * 0.2));
    } finally {
      this.#dropTriggers();
      this.#marks = null;
    }
  }

  #mark(kind: Kind, ids: readonly (number | null)[]): null {
    const marks = this.#marks?.[kind];
    if (marks) for (const number of ids) if (number && number < marks.length) marks[number] = 1;
    return null;
  }

  #createTriggers(): void {
    for (const [name, table, columns, kind] of triggers())
      for (const event of ['INSERT', 'UPDATE'])
        this.#db.exec(
          `CREATE TEMP TRIGGER ${this.#user}_${name}_${event} AFTER ${event} ON main.${table} BEGIN SELECT ${this.#user}_mark_${kind}(${columns.map((column) => `new.${column}`).join(', ')}); END`,
        );
  }

  #dropTriggers(): void {
    for (const [name] of triggers())
      for (const event of ['INSERT', 'UPDATE']) this.#db.exec(`DROP TRIGGER IF EXISTS temp.${this.#user}_${name}_${event}`);
  }

  /** Marks the references of existing rows; later rows are marked by the triggers. */
  *#markRows(table: 'span' | 'trace' | 'session', onProgress: (part: number) => void): Generator<void> {
    const parts = kinds.flatMap((kind) => {
      const columns = columnsOf[kind][table];
      return columns ? [{ kind, columns }] : [];
    });
    const termColumns = parts[0]?.columns.length;
    const rows = this.#db
      .prepare<[number], (number | null)[]>(
        `SELECT id, ${parts.flatMap(({ columns }) => columns).join(', ')} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${pieceRows}`,
      )
      .raw();
    const last = this.#numberFrom(`SELECT coalesce(max(id), 0) FROM ${table}`);
    let at = 0;
    const piece = () => {
      const page = rows.all(at);
      for (const [id, ...ids] of page) {
        at = id as number;
        this.#mark('term', ids.slice(0, termColumns));
        this.#mark('document', ids.slice(termColumns));
      }
      return page.length === pieceRows && at < last;
    };
    while (runTimeSlice(piece)) {
      onProgress(at / last);
      yield;
    }
  }

  /** Marks the terms of traces, skipping from one term to the next instead of reading every row. */
  *#markPostings(): Generator<void> {
    const next = this.#db.prepare<[number], number>('SELECT term FROM trace_term WHERE term > ? ORDER BY term LIMIT 1').pluck();
    this.#mark('term', this.#db.prepare<[], number>('SELECT DISTINCT term FROM recent_trace_term').pluck().all());
    let at: number | undefined = 0;
    const piece = () => {
      at = next.get(at as number);
      if (at !== undefined) this.#mark('term', [at]);
      return at !== undefined;
    };
    while (runTimeSlice(piece)) yield;
  }

  *#dropUnmarked(kind: Kind, onProgress: (part: number) => void): Generator<void> {
    const drop = this.#db.prepare<[number]>(`DELETE FROM ${kind} WHERE id = ?`);
    let at = 0;
    const step = this.#db.transaction(() =>
      runTimeSlice(() => {
        const marks = this.#marks?.[kind];
        const id = marks ? marks.indexOf(0, at + 1) : -1;
        if (id === -1) return false;
        drop.run(id);
        at = id;
        return true;
      }),
    );
    for (let isMore = true; isMore; ) {
      const before = at;
      isMore = step.immediate();
      if (at !== before) this.#forget();
      onProgress(isMore ? at / (this.#marks?.[kind].length ?? 1) : 1);
      yield;
    }
  }

  #numberFrom(sql: string): number {
    return this.#db.prepare<[], number>(sql).pluck().get() ?? 0;
  }
}

/** Triggers: name, table, columns and the kind of entry that these refer to. */
const triggers = (): [string, string, string[], Kind][] =>
  kinds.flatMap((kind) =>
    Object.entries(columnsOf[kind]).map(([table, columns]): [string, string, string[], Kind] => [
      `mark_${kind}_of_${table}`,
      table,
      columns,
      kind,
    ]),
  );
