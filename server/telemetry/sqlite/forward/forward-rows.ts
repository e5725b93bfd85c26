/** Where the store is forwarded to and what became of it. All on the writer's connection, each deed a transaction. */
import type { OpenDatabase } from '../open.ts';

/** What a letter of the outbox is about. */
export const kind = { span: 1, log: 2, score: 3 } as const;

/** What may be done to the outbox of a destination. */
export type ForwardDeed = { name: string } & (
  | { do: 'begin'; withAll: boolean }
  | { do: 'end' }
  | { do: 'letGo'; upTo: number; refused: { count: number; message: string } }
  | { do: 'park'; letter: number; reason: string }
  | { do: 'retryParked' }
);

export class ForwardRows {
  readonly #db: OpenDatabase;
  readonly #now: () => number;

  constructor(db: OpenDatabase, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** @param scopeRow makes the row of the app when there is none */
  do(scopeRow: () => number, deed: ForwardDeed): void {
    const { name } = deed;
    if (deed.do === 'begin') this.begin(scopeRow(), name, deed.withAll);
    else if (deed.do === 'end') this.end(name);
    else if (deed.do === 'letGo') this.letGo(name, deed.upTo, deed.refused);
    else if (deed.do === 'park') this.park(name, deed.letter, deed.reason);
    else this.retryParked(name);
  }

  /** From now on what comes in is forwarded there, and what is there already when that is asked for, the oldest first. */
  begin(scope: number, name: string, withAll: boolean): void {
    this.#atomically(() => {
      const id = Number(this.#db.prepare('INSERT INTO forward (scope, name) VALUES (?, ?)').run(scope, name).lastInsertRowid);
      if (withAll) this.#queueAll(id, scope);
    });
  }

  /** What waits for it waits no more. */
  end(name: string): void {
    this.#atomically(() => {
      const id = this.#idOf(name);
      for (const table of ['outgoing', 'parked']) this.#db.prepare(`DELETE FROM ${table} WHERE forward = ?`).run(id);
      this.#db.prepare('DELETE FROM forward WHERE id = ?').run(id);
    });
  }

  /** All up to a letter was taken, but for so many spans of it. */
  letGo(name: string, upTo: number, refused: { count: number; message: string }): void {
    this.#atomically(() => {
      const id = this.#idOf(name);
      const sent = this.#count('SELECT count(*) FROM outgoing WHERE forward = ? AND id <= ? AND kind = 1', id, upTo);
      this.#db.prepare('DELETE FROM outgoing WHERE forward = ? AND id <= ?').run(id, upTo);
      this.#db
        .prepare('UPDATE forward SET sent = sent + ?, refused = refused + ?, refusal = iif(? = 0, refusal, ?) WHERE id = ?')
        .run(sent - refused.count, refused.count, refused.count, refused.message, id);
    });
  }

  /** One letter cannot be sent: it is kept apart, with why. */
  park(name: string, letter: number, reason: string): void {
    this.#atomically(() => {
      const id = this.#idOf(name);
      this.#db
        .prepare(
          'INSERT OR REPLACE INTO parked (forward, kind, row, trace, reason, parked_ms) SELECT forward, kind, row, trace, ?, ? FROM outgoing WHERE forward = ? AND id = ?',
        )
        .run(reason, this.#now(), id, letter);
      this.#db.prepare('DELETE FROM outgoing WHERE forward = ? AND id = ?').run(id, letter);
    });
  }

  /** What was parked waits again, behind all else. */
  retryParked(name: string): void {
    this.#atomically(() => {
      const id = this.#idOf(name);
      this.#db
        .prepare(
          'INSERT INTO outgoing (forward, kind, row, trace) SELECT forward, kind, row, trace FROM parked WHERE forward = ? ORDER BY parked_ms, row',
        )
        .run(id);
      this.#db.prepare('DELETE FROM parked WHERE forward = ?').run(id);
    });
  }

  #queueAll(id: number, scope: number): void {
    const all = [
      `SELECT ?, 1, id, trace FROM span WHERE scope = ? AND (flags & 2) = 0 ORDER BY id`,
      `SELECT ?, 2, span_log.id, trace FROM span_log JOIN trace ON trace.id = span_log.trace WHERE scope = ? ORDER BY span_log.id`,
      `SELECT ?, 3, id, 0 FROM score WHERE scope = ? ORDER BY id`,
    ];
    for (const some of all) this.#db.prepare(`INSERT INTO outgoing (forward, kind, row, trace) ${some}`).run(id, scope);
  }

  #idOf(name: string): number {
    return this.#count('SELECT id FROM forward WHERE name = ?', name);
  }

  #count(sql: string, ...values: unknown[]): number {
    return (
      this.#db
        .prepare<unknown[], number>(sql)
        .pluck()
        .get(...values) ?? 0
    );
  }

  #atomically(work: () => void): void {
    this.#db.transaction(work).immediate();
  }
}
