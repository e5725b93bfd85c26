/**
 * Drops the terms and documents that no row refers to, in steps between which batches are written. First the rows are read and what they refer
 * to is marked; meanwhile temporary triggers mark what every row refers to that is inserted or changed. A row is therefore either as it was when
 * it was read, or marked when it was written, and whatever is unmarked at the end is referred to by none.
 */
import type { OpenDatabase } from '../open.ts';
import { spend } from './spend.ts';

/** Where rows hold the numbers of terms, and of documents. */
const columnsOf: Record<Kind, Record<string, string[]>> = {
  term: {
    span: ['name', 'model', 'service', 'session', 'user', 'prompt', 'trace_name', 'finish_reason', 'tags', 'environment'],
    trace: ['name', 'session', 'user', 'session_name', 'prompt_name', 'trace_name'],
    trace_term: ['term'],
    session: ['id'],
  },
  document: { span: ['metadata', 'resource', 'instrumentation'], trace: ['metadata'] },
};
type Kind = 'term' | 'document';
const kinds: Kind[] = ['term', 'document'];
const pieceRows = 200;

export class UnusedNames {
  readonly #db: OpenDatabase;
  readonly #forget: () => void;
  /** By number: 1 for what a row refers to. Null while nothing is looked for. */
  #marks: Record<Kind, Uint8Array> | null = null;

  /** @param forget what is remembered of names, after some were dropped */
  constructor(db: OpenDatabase, forget: () => void) {
    this.#db = db;
    this.#forget = forget;
    for (const kind of kinds) db.function(`mark_${kind}`, { varargs: true }, (...numbers) => this.#mark(kind, numbers as number[]));
  }

  /**
   * Drops what was unused when it began, a step at a time.
   * @param told of the part that is done, from 0 to 1
   */
  *drop(told: (part: number) => void): Generator<void> {
    const newest = (table: string) => this.#one(`SELECT coalesce(max(id), 0) FROM ${table}`);
    // The newest stays: its number would be given again.
    const marks = (kind: Kind) => new Uint8Array(newest(kind) + 1).fill(1, newest(kind));
    this.#marks = { term: marks('term'), document: marks('document') };
    this.#watch();
    try {
      yield* this.#markRows('span', (part) => told(part * 0.7));
      yield* this.#markRows('trace', (part) => told(0.7 + part * 0.1));
      yield* this.#markRows('session', () => {});
      yield* this.#markPostings();
      for (const kind of kinds) yield* this.#dropUnmarked(kind, (part) => told(0.8 + part * 0.2));
    } finally {
      this.#unwatch();
      this.#marks = null;
    }
  }

  #mark(kind: Kind, numbers: readonly (number | null)[]): null {
    const marks = this.#marks?.[kind];
    if (marks) for (const number of numbers) if (number && number < marks.length) marks[number] = 1;
    return null;
  }

  #watch(): void {
    for (const [name, table, columns, kind] of watched())
      for (const event of ['INSERT', 'UPDATE'])
        this.#db.exec(
          `CREATE TEMP TRIGGER ${name}_${event} AFTER ${event} ON main.${table} BEGIN SELECT mark_${kind}(${columns.map((each) => `new.${each}`).join(', ')}); END`,
        );
  }

  #unwatch(): void {
    for (const [name] of watched()) for (const event of ['INSERT', 'UPDATE']) this.#db.exec(`DROP TRIGGER IF EXISTS temp.${name}_${event}`);
  }

  /** The rows that are there: later ones are marked as they come. */
  *#markRows(table: 'span' | 'trace' | 'session', told: (part: number) => void): Generator<void> {
    const parts = kinds.flatMap((kind) => {
      const columns = columnsOf[kind][table];
      return columns ? [{ kind, columns }] : [];
    });
    const width = parts[0]?.columns.length;
    const rows = this.#db
      .prepare<[number], (number | null)[]>(
        `SELECT id, ${parts.flatMap(({ columns }) => columns).join(', ')} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${pieceRows}`,
      )
      .raw();
    const last = this.#one(`SELECT coalesce(max(id), 0) FROM ${table}`);
    let at = 0;
    const piece = () => {
      const some = rows.all(at);
      for (const [id, ...numbers] of some) {
        at = id as number;
        this.#mark('term', numbers.slice(0, width));
        this.#mark('document', numbers.slice(width));
      }
      return some.length === pieceRows && at < last;
    };
    while (spend(piece)) {
      told(at / last);
      yield;
    }
  }

  /** The terms that traces are found by: from one to the next, not row by row. */
  *#markPostings(): Generator<void> {
    const next = this.#db.prepare<[number], number>('SELECT term FROM trace_term WHERE term > ? ORDER BY term LIMIT 1').pluck();
    let at: number | undefined = 0;
    const piece = () => {
      at = next.get(at as number);
      if (at !== undefined) this.#mark('term', [at]);
      return at !== undefined;
    };
    while (spend(piece)) yield;
  }

  *#dropUnmarked(kind: Kind, told: (part: number) => void): Generator<void> {
    const drop = this.#db.prepare<[number]>(`DELETE FROM ${kind} WHERE id = ?`);
    let at = 0;
    const step = this.#db.transaction(() =>
      spend(() => {
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
      told(isMore ? at / (this.#marks?.[kind].length ?? 1) : 1);
      yield;
    }
  }

  #one(sql: string): number {
    return this.#db.prepare<[], number>(sql).pluck().get() ?? 0;
  }
}

/** Of each trigger: its name, its table, the columns and what their numbers are of. */
const watched = (): [string, string, string[], Kind][] =>
  kinds.flatMap((kind) =>
    Object.entries(columnsOf[kind]).map(([table, columns]): [string, string, string[], Kind] => [
      `mark_${kind}_of_${table}`,
      table,
      columns,
      kind,
    ]),
  );
