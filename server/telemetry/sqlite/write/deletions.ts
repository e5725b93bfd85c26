/**
 * Deletes traces that people asked to delete (ADR 043), a little at a time between batches. An accepted deletion is a list of traces in the store,
 * so a restart continues it. First all of them leave the lists, then their rows are removed; from then on no read returns anything of them. Last,
 * the bytes that this left in the file are overwritten.
 */
import type { Scope } from '../../../platform/scope.ts';
import { StorageError } from '../../storage-error.ts';
import type { DeletionChange } from '../../trace-deletions.ts';
import { readOrWhy } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { StoredSignatures } from '../signatures/stored-signatures.ts';
import { groupUnits, unitSpans } from '../signatures/units.ts';
import type { ByteErasure } from './byte-erasure.ts';
import { DeletedScores } from './deleted-scores.ts';
import { deletionStates, publicState } from './deletion-states.ts';
import { sweepIndexEntries } from './leftovers.ts';
import type { ReservedIds } from './reserved-ids.ts';
import type { SessionRows } from './session-rows.ts';
import { runTimeSlice } from './time-slice.ts';
import type { TraceRemoval } from './trace-removal.ts';
import type { DeletedTraces } from './trace-rows.ts';
import type { UnusedNames } from './unused-names.ts';

const spansOfGroup = unitSpans * groupUnits;

/** The parts of the writer that deletions use. */
export interface DeletionParts {
  removal: TraceRemoval;
  sessions: SessionRows;
  ids: ReservedIds;
  bytes: ByteErasure;
  names: UnusedNames;
}

/** What deletions tell the write thread. */
export interface DeletionEvents {
  /** Signatures that are being made may hold words of removed spans. */
  removed(): void;
  changed(change: DeletionChange): void;
}

export class Deletions implements DeletedTraces {
  readonly #db: OpenDatabase;
  readonly #parts: DeletionParts;
  readonly #events: DeletionEvents;
  readonly #now: () => number;
  readonly #scores: DeletedScores;
  readonly #signatures: StoredSignatures;
  readonly #mark;
  /** Traces of accepted deletions that may still have their ids. Read when they are needed first, because a damaged store must open. */
  #waiting: Set<number> | null = null;
  /** Deletions whose traces are being listed. */
  readonly #listing = new Set<string>();
  #removing: Generator<void> | null = null;
  #erasing: Generator<void> | null = null;
  /** Whether there may be work that was not begun. */
  #isDue = { removal: true, erasure: true };

  constructor(db: OpenDatabase, parts: DeletionParts, now: () => number, events: DeletionEvents) {
    this.#db = db;
    this.#parts = parts;
    this.#now = now;
    this.#events = events;
    this.#scores = new DeletedScores(db);
    this.#signatures = new StoredSignatures(db);
    this.#mark = db.prepare<[number]>('UPDATE deletion_trace SET detached = 1 WHERE trace = ? AND detached = 0');
  }

  /** Starts to list the traces of a deletion. */
  begin(scope: number, id: string): void {
    const insert = this.#db.prepare('INSERT INTO deletion (id, scope, created_ms, state) VALUES (?, ?, ?, ?)');
    this.#atomically(() => insert.run(id, scope, this.#now(), deletionStates.listing));
    this.#listing.add(id);
  }

  /** Adds traces, unless another deletion has them. */
  add(scope: number, id: string, traces: readonly number[]): void {
    const add = this.#db.prepare('INSERT OR IGNORE INTO deletion_trace (trace, deletion) VALUES (?, ?)');
    const spansOf = this.#db
      .prepare<[number, number], number>('SELECT span_count FROM trace WHERE id = ? AND scope = ? AND span_count > 0')
      .pluck();
    const count = this.#db.prepare('UPDATE deletion SET traces = traces + ?, spans = spans + ? WHERE id = ? AND state = ?');
    this.#atomically(() => {
      let [added, spans] = [0, 0];
      for (const trace of traces) {
        const spanCount = spansOf.get(trace, scope);
        if (spanCount === undefined || add.run(trace, id).changes === 0) continue;
        added++;
        spans += spanCount;
      }
      if (count.run(added, spans, id, deletionStates.listing).changes === 0) throw new StorageError('io', `Deletion ${id} was interrupted`);
    });
  }

  /** The deletion is carried out from now on. */
  accept(id: string, forwarded: string): void {
    const accept = this.#db.prepare('UPDATE deletion SET state = ?, forwarded = ? WHERE id = ? AND state = ?');
    const listed = this.#db.prepare<[string], number>('SELECT trace FROM deletion_trace WHERE deletion = ?').pluck();
    this.#atomically(() => accept.run(deletionStates.removing, forwarded, id, deletionStates.listing));
    for (const trace of listed.iterate(id)) this.#accepted().add(trace);
    this.#listing.delete(id);
    this.#isDue = { removal: true, erasure: true };
  }

  /** Forgets a deletion that was not accepted. */
  abandon(id: string): void {
    const isListing = `deletion IN (SELECT id FROM deletion WHERE id = ? AND state = ${deletionStates.listing})`;
    const drop = [
      `DELETE FROM deletion_trace WHERE ${isListing}`,
      `DELETE FROM deletion WHERE id = ? AND state = ${deletionStates.listing}`,
    ];
    this.#listing.delete(id);
    this.#atomically(() => {
      for (const sql of drop) this.#db.prepare(sql).run(id);
    });
  }

  has(trace: number): boolean {
    return this.#accepted().has(trace);
  }

  detach(trace: number): void {
    if (this.#mark.run(trace).changes === 0) return;
    const detached = this.#parts.removal.detach(trace);
    if (detached) this.#scores.remove(detached.scope, detached.trace_id);
  }

  /** Runs one step of removing rows. False when there is nothing to remove. */
  removeStep(): boolean {
    if (!this.#removing && this.#isDue.removal) this.#removing = this.#remove();
    this.#isDue.removal = false;
    if (!this.#removing) return false;
    if (this.#removing.next().done) this.#removing = null;
    return true;
  }

  /** Runs one step of overwriting bytes. False when there is nothing to overwrite. */
  eraseStep(): boolean {
    if (!this.#erasing && this.#isDue.erasure) this.#erasing = this.#erase();
    this.#isDue.erasure = false;
    if (!this.#erasing) return false;
    if (this.#erasing.next().done) this.#erasing = null;
    return true;
  }

  /**
   * Call it when no other idle work is left.
   * @param emptyLog empties the write-ahead log; false when a reader prevents it
   * @returns whether work is left
   */
  finishStep(emptyLog: () => boolean): boolean {
    const erased = this.#idsIn(deletionStates.erased);
    if (erased.length === 0) return false;
    // The columns of deleted rows are made again by their maker.
    const isStale = (resource: number, table: string) =>
      `EXISTS (SELECT 1 FROM column_stale WHERE resource = ${resource} AND NOT EXISTS (SELECT 1 FROM ${table} WHERE id = row))`;
    if (
      this.#db
        .prepare<[], number>(`SELECT ${isStale(1, 'span')} OR ${isStale(2, 'trace')}`)
        .pluck()
        .get() === 1
    )
      return true;
    if (!emptyLog()) return false;
    this.#setState(erased, deletionStates.done);
    return false;
  }

  *#remove(): Generator<void> {
    this.#abandonOthers();
    for (let ids = this.#idsIn(deletionStates.removing); ids.length > 0; ids = this.#idsIn(deletionStates.removing)) {
      yield* this.#inSteps(() => {
        const waiting = this.#accepted();
        const [trace] = waiting;
        if (trace === undefined) return false;
        this.detach(trace);
        waiting.delete(trace);
        return true;
      });
      for (const id of ids) yield* this.#removeTraces(id);
      this.#events.removed();
      yield* this.#sumSessions();
      yield* this.#scores.drop();
      this.#setState(ids, deletionStates.erasing);
      this.#isDue.erasure = true;
    }
  }

  *#removeTraces(id: string): Generator<void> {
    const { removal, ids } = this.#parts;
    const next = this.#db.prepare<[string], number>('SELECT trace FROM deletion_trace WHERE deletion = ? ORDER BY trace LIMIT 1').pluck();
    const forget = this.#db.prepare<[number]>('DELETE FROM deletion_trace WHERE trace = ?');
    const count = this.#db.prepare<[string]>('UPDATE deletion SET removed_traces = removed_traces + 1 WHERE id = ?');
    const addSession = this.#db.prepare('INSERT OR IGNORE INTO deletion_session (session, scope) VALUES (?, ?)');
    yield* this.#inSteps(() => {
      const trace = next.get(id);
      if (trace === undefined) return false;
      ids.beforeTrace(trace);
      const { isComplete, spans } = removal.remove(trace, this.#scores, (scope, session) => addSession.run(session, scope));
      for (const group of new Set(spans.map((span) => Math.floor(span / spansOfGroup))))
        this.#signatures.drop(group * groupUnits, (group + 1) * groupUnits - 1);
      if (isComplete) {
        forget.run(trace);
        count.run(id);
      }
      return true;
    });
  }

  *#sumSessions(): Generator<void> {
    const next = this.#db.prepare<[], { session: number; scope: number }>('SELECT session, scope FROM deletion_session LIMIT 1');
    const forget = this.#db.prepare<[number]>('DELETE FROM deletion_session WHERE session = ?');
    yield* this.#inSteps(() => {
      const { session, scope } = next.get() ?? {};
      if (session === undefined || scope === undefined) return false;
      this.#parts.sessions.recompute(scope, session);
      forget.run(session);
      return true;
    });
  }

  *#erase(): Generator<void> {
    const { bytes, names, ids } = this.#parts;
    const deletions = this.#idsIn(deletionStates.erasing);
    if (deletions.length === 0) return;
    const scopeOf = this.#db.prepare<[string], number>('SELECT scope FROM deletion WHERE id = ?').pluck();
    yield* sweepIndexEntries(this.#db);
    yield* bytes.erase(new Set(deletions.map((id) => scopeOf.get(id) as number)));
    ids.beforeNames();
    yield* names.drop(() => {});
    ids.sweep();
    this.#setState(deletions, deletionStates.erased);
    this.#isDue.erasure = this.#idsIn(deletionStates.erasing).length > 0;
  }

  /** Forgets what was being listed when the gateway ended. */
  #abandonOthers(): void {
    for (const id of this.#idsIn(deletionStates.listing)) if (!this.#listing.has(id)) this.abandon(id);
  }

  #accepted(): Set<number> {
    this.#waiting ??= new Set(readOrWhy(() => this.#readAccepted()).value);
    return this.#waiting;
  }

  #readAccepted(): number[] {
    return this.#db
      .prepare<[number], number>('SELECT trace FROM deletion_trace WHERE deletion IN (SELECT id FROM deletion WHERE state = ?)')
      .pluck()
      .all(deletionStates.removing);
  }

  #idsIn(state: number): string[] {
    return this.#db.prepare<[number], string>('SELECT id FROM deletion WHERE state = ?').pluck().all(state);
  }

  #setState(ids: readonly string[], state: number): void {
    const set = this.#db.prepare('UPDATE deletion SET state = ? WHERE id = ?');
    this.#atomically(() => {
      for (const id of ids) set.run(state, id);
    });
    const scopeOf = this.#db.prepare<[string], Scope>(
      'SELECT tenant_id, app_id FROM deletion JOIN scope ON scope.id = deletion.scope WHERE deletion.id = ?',
    );
    for (const id of ids) {
      const scope = scopeOf.get(id);
      if (scope) this.#events.changed({ scope, id, state: publicState(state) });
    }
  }

  /** Repeats a piece until it returns false, in transactions that end by the clock. */
  *#inSteps(piece: () => boolean): Generator<void> {
    const step = this.#db.transaction(() => runTimeSlice(piece));
    while (step.immediate()) yield;
  }

  #atomically(work: () => void): void {
    this.#db.transaction(work).immediate();
  }
}
