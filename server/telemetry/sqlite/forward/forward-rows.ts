/** Writes destinations, outboxes and the token map on the writer's connection, each command in one transaction. */
import { readId } from '../../../ingest/otlp/identifiers.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { AckResult, ForwardSettings } from '../../forward-store.ts';
import type { Token } from '../../redaction-store.ts';
import { storeId } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';
import { keyOf } from '../file/resource-key.ts';
import { storageErrorKind } from '../file/storage-error-kind.ts';
import { stored } from '../file/stored-names.ts';
import { isSent, spanGoes } from '../migrations/025-history-stays.ts';

/** Codes of the message kinds. */
export const kind = { span: 1, log: 2, score: 3 } as const;

/** Changes to the outboxes and to the token map: the write commands of group `forward` (commands.ts). */
export class ForwardRows {
  readonly #db: OpenDatabase;
  readonly #scopeRow: (scope: Scope) => number;
  readonly #now: () => number;

  /** @param scopeRow finds or creates the row of an app */
  constructor(db: OpenDatabase, scopeRow: (scope: Scope) => number, now: () => number) {
    this.#db = db;
    this.#scopeRow = scopeRow;
    this.#now = now;
    try {
      this.#watchSpans();
    } catch (error) {
      // The trigger stays as it was, which is harmless. A full or damaged disk is reported elsewhere and must not prevent reads.
      if (!storageErrorKind(error)) throw error;
    }
  }

  /** Adds tokens to the map, without changing known ones. */
  keepTokens(scope: Scope, tokens: readonly Token[]): void {
    const row = this.#scopeRow(scope);
    const add = this.#db.prepare(
      `INSERT OR IGNORE INTO ${stored.redactionTokens} (scope, token, kind, value, first_ms) VALUES (?, ?, ?, ?, ?)`,
    );
    this.#atomically(() => {
      for (const { token, kind, value } of tokens) add.run(row, token, kind, value, this.#now());
    });
  }

  /**
   * Adds a destination. Queues everything that arrives from now on, and with `withAll` also everything stored, oldest first, apart from what was
   * read from session files of coding agents.
   */
  begin(scope: Scope, name: string, withAll: boolean, settings: Partial<ForwardSettings> = {}): void {
    this.#atomically(() => {
      const row = this.#scopeRow(scope);
      const insert = this.#db.prepare('INSERT INTO forward (scope, name, created_ms) VALUES (?, ?, ?)');
      const id = Number(insert.run(row, name, this.#now()).lastInsertRowid);
      this.#set(name, settings);
      this.#watchSpans();
      if (withAll) this.#queueAll(id, row);
    });
  }

  set(_scope: Scope, name: string, settings: Partial<ForwardSettings>): void {
    this.#atomically(() => this.#set(name, settings));
  }

  /** Records why sending fails, until the next batch is accepted. */
  recordFailure(_scope: Scope, name: string, failure: string, error: string): void {
    const update = this.#db.prepare(`UPDATE forward SET ${stored.failure} = ?, last_error = ? WHERE name = ?`);
    this.#atomically(() => void update.run(failure, error, name));
  }

  /** Removes a destination with its pending messages. */
  end(_scope: Scope, name: string): void {
    this.#atomically(() => {
      const id = this.#idOf(name);
      for (const table of ['outgoing', stored.deadLetters, 'forwarded']) this.#db.prepare(`DELETE FROM ${table} WHERE forward = ?`).run(id);
      this.#db.prepare('DELETE FROM forward WHERE id = ?').run(id);
      this.#watchSpans();
    });
  }

  /** Creates or drops the trigger that queues spans. It takes a twentieth of the time to write a span, so it exists only with a destination. */
  #watchSpans(): void {
    const isNeeded = this.#count('SELECT EXISTS (SELECT 1 FROM forward)') === 1;
    const exists = this.#count("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = 'span_goes')") === 1;
    if (isNeeded && !exists) this.#db.exec(spanGoes);
    if (exists && !isNeeded) this.#db.exec('DROP TRIGGER span_goes');
  }

  /** Removes all messages up to the id `upTo`, and adds their outcome to the statistics. */
  ack(_scope: Scope, name: string, upTo: number, result: AckResult): void {
    this.#atomically(() => {
      const id = this.#idOf(name);
      const acked = [id, upTo] as const;
      const spans = this.#count('SELECT count(*) FROM outgoing WHERE forward = ? AND id <= ? AND kind = 1', ...acked);
      const { sent = spans, count: refused, message, receipt = '', retained = [] } = result;
      if (spans === 0 || sent > 0) this.#recordOutcome(acked, { sent, count: refused, message, receipt, retained });
      this.#db.prepare('DELETE FROM outgoing WHERE forward = ? AND id <= ?').run(...acked);
    });
  }

  #recordOutcome(
    acked: readonly [id: number, upTo: number],
    { sent, count: refused, message, receipt, retained }: Required<AckResult>,
  ): void {
    const now = this.#now();
    // The answer does not name the rejected spans, so each trace of the batch may contain all of them.
    this.#db
      .prepare(
        `INSERT INTO forwarded (trace, forward, spans, refused, refusal, sent_ms)
         SELECT trace, forward, count(*), min(count(*), ?), ?, ? FROM outgoing
         WHERE forward = ? AND id <= ? AND kind = 1 AND id NOT IN (SELECT value FROM json_each(?)) GROUP BY trace
         ON CONFLICT DO UPDATE SET spans = spans + excluded.spans, sent_ms = excluded.sent_ms, refused = refused + excluded.refused,
           refusal = iif(excluded.refused = 0, refusal, excluded.refusal)`,
      )
      .run(refused, message, now, ...acked, JSON.stringify(retained));
    this.#db
      .prepare(
        `UPDATE forward SET sent = sent + ?, refused = refused + ?, refusal = iif(? = 0, refusal, ?), ${stored.failure} = '', success_ms = ?,
           receipt = ? WHERE id = ?`,
      )
      .run(sent - refused, refused, refused, message, now, receipt, acked[0]);
  }

  /** Moves a message that can never be sent to the dead letters, with the reason. */
  deadLetter(_scope: Scope, name: string, message: number, reason: string): void {
    this.#atomically(() => {
      const id = this.#idOf(name);
      this.#db
        .prepare(
          `INSERT OR REPLACE INTO ${stored.deadLetters} (forward, kind, row, trace, reason, ${stored.failedMs}) SELECT forward, kind, row, trace, ?, ? FROM outgoing WHERE forward = ? AND id = ?`,
        )
        .run(reason, this.#now(), id, message);
      this.#db.prepare('DELETE FROM outgoing WHERE forward = ? AND id = ?').run(id, message);
    });
  }

  /** Moves the dead letters back into the outbox, after all other messages. */
  retryDeadLetters(_scope: Scope, name: string): void {
    this.#atomically(() => {
      const id = this.#idOf(name);
      this.#db
        .prepare(
          `INSERT INTO outgoing (forward, kind, row, trace) SELECT forward, kind, row, trace FROM ${stored.deadLetters} WHERE forward = ? ORDER BY ${stored.failedMs}, row`,
        )
        .run(id);
      this.#db.prepare(`DELETE FROM ${stored.deadLetters} WHERE forward = ?`).run(id);
    });
  }

  /** Queues all messages of some traces, once each, after all others, and resets the forwarding state of the traces. */
  queueTraces(app: Scope, name: string, traceIds: readonly string[]): void {
    const queued = (of: number, trace: string) => `SELECT row FROM outgoing WHERE forward = @id AND trace = ${trace} AND kind = ${of}`;
    const inserts = [
      `SELECT @id, 1, id, trace FROM span WHERE trace = @trace AND (flags & 2) = 0 AND id NOT IN (${queued(1, '@trace')}) ORDER BY id`,
      `SELECT @id, 2, id, trace FROM span_log WHERE trace = @trace AND id NOT IN (${queued(2, '@trace')}) ORDER BY id`,
      `SELECT @id, 3, id, 0 FROM score WHERE scope = @scope AND resource IN (
         SELECT ${keyOf('trace_id')} FROM trace WHERE id = @trace UNION ALL SELECT ${keyOf('span_id')} FROM span WHERE trace = @trace
       ) AND id NOT IN (${queued(3, '0')}) ORDER BY id`,
    ].map((rows) => this.#db.prepare(`INSERT INTO outgoing (forward, kind, row, trace) ${rows}`));
    this.#atomically(() => {
      const [id, scope] = [this.#idOf(name), this.#scopeRow(app)];
      for (const traceId of traceIds) {
        const trace = this.#count('SELECT id FROM trace WHERE scope = ? AND trace_id = ?', scope, storeId(readId(traceId, 16) ?? ''));
        if (trace === 0) continue;
        for (const insert of inserts) insert.run({ id, scope, trace });
        for (const table of [stored.deadLetters, 'forwarded'])
          this.#db.prepare(`DELETE FROM ${table} WHERE forward = ? AND trace = ?`).run(id, trace);
      }
    });
  }

  #set(name: string, { automatic, about }: Partial<ForwardSettings>): void {
    const flag = automatic === undefined ? null : Number(automatic);
    this.#db
      .prepare('UPDATE forward SET automatic = coalesce(?, automatic), about = coalesce(?, about) WHERE name = ?')
      .run(flag, about ?? null, name);
  }

  #queueAll(id: number, scope: number): void {
    const selects = [
      `SELECT ?, 1, id, trace FROM span WHERE scope = ? AND ${isSent('span')} ORDER BY id`,
      `SELECT ?, 2, span_log.id, trace FROM span_log JOIN trace ON trace.id = span_log.trace WHERE scope = ? ORDER BY span_log.id`,
      `SELECT ?, 3, id, 0 FROM score WHERE scope = ? ORDER BY id`,
    ];
    for (const rows of selects) this.#db.prepare(`INSERT INTO outgoing (forward, kind, row, trace) ${rows}`).run(id, scope);
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
