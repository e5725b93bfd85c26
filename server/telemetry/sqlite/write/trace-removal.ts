/** Takes whole traces out, with what is only theirs. Their records stay in their blocks until no row needs those (retention.ts). */
import type { OpenDatabase } from '../open.ts';
import { resourceKey } from '../resource-key.ts';
import type { ScoreOwners } from './score-owners.ts';
import type { SessionRows } from './session-rows.ts';
import type { Trees } from './trees.ts';

interface TraceRow {
  scope: number;
  trace_id: unknown;
  span_count: number;
}

interface SpanRow {
  span_id: unknown;
  size: number;
  session: number | null;
}

export class TraceRemoval {
  readonly #trees: Trees;
  readonly #sessions: SessionRows;
  readonly #hasNewer;
  readonly #trace;
  readonly #spans;
  readonly #logBytes;
  readonly #dropScores;
  readonly #drops;
  readonly #countDown;
  readonly #release;

  constructor(db: OpenDatabase, trees: Trees, sessions: SessionRows) {
    this.#trees = trees;
    this.#sessions = sessions;
    const newer = (table: string) => `EXISTS (SELECT 1 FROM ${table} WHERE trace = @trace AND block > @cutoff)`;
    const waits = 'EXISTS (SELECT 1 FROM outgoing WHERE trace = @trace)';
    this.#hasNewer = db
      .prepare<[{ trace: number; cutoff: number }], number>(`SELECT ${newer('span')} OR ${newer('span_log')} OR ${waits}`)
      .pluck();
    this.#trace = db.prepare<[number], TraceRow>('SELECT scope, trace_id, span_count FROM trace WHERE id = ?');
    this.#spans = db.prepare<[number], SpanRow>('SELECT span_id, size, session FROM span WHERE trace = ?');
    this.#logBytes = db.prepare<[number], number>('SELECT coalesce(sum(size), 0) FROM span_log WHERE trace = ?').pluck();
    this.#dropScores = db.prepare('DELETE FROM score WHERE scope = ? AND resource = ?');
    this.#drops = [
      'DELETE FROM content_stale WHERE span IN (SELECT id FROM span WHERE trace = ?)',
      'DELETE FROM parked WHERE trace = ?',
      'DELETE FROM forwarded WHERE trace = ?',
      'DELETE FROM span_log WHERE trace = ?',
      'DELETE FROM span WHERE trace = ?',
      'DELETE FROM trace WHERE id = ?',
    ].map((sql) => db.prepare<[number]>(sql));
    this.#countDown = db.prepare('UPDATE scope SET trace_count = trace_count - ?, span_count = span_count - ? WHERE id = ?');
    this.#release = db.prepare('UPDATE holding SET bytes = max(0, bytes - ?) WHERE tenant_id = (SELECT tenant_id FROM scope WHERE id = ?)');
  }

  /** Whether anything of a trace came after a block, or waits to be forwarded: such a trace stays whole. */
  isYoung(trace: number, cutoff: number): boolean {
    return this.#hasNewer.get({ trace, cutoff }) === 1;
  }

  /**
   * Within a transaction. What the trace is posted under is swept later, as are sessions' names.
   * @param owners of all spans that there are; null where no score is to go
   * @returns whether lists had it
   */
  remove(id: number, owners: ScoreOwners | null): boolean {
    const trace = this.#trace.get(id);
    if (!trace) return false;
    const { scope, trace_id, span_count } = trace;
    const spans = this.#spans.all(id);
    for (const { span_id } of spans) if (owners?.leave(scope, span_id)) this.#dropScoresOf(scope, span_id);
    if (owners?.has(scope, trace_id) === false) this.#dropScoresOf(scope, trace_id);
    const bytes = spans.reduce((sum, { size }) => sum + size, this.#logBytes.get(id) ?? 0);
    for (const drop of this.#drops) drop.run(id);
    this.#countDown.run(span_count > 0 ? 1 : 0, span_count, scope);
    this.release(scope, bytes);
    this.#trees.drop(id);
    const sessions = new Set(spans.map(({ session }) => session ?? 0));
    for (const session of sessions) if (session !== 0) this.#sessions.sumAnew(scope, session);
    return span_count > 0;
  }

  /** Bytes that a tenant holds no more, where they are counted. */
  release(scope: number, bytes: number): void {
    this.#release.run(bytes, scope);
  }

  #dropScoresOf(scope: number, stored: unknown): void {
    this.#dropScores.run(scope, typeof stored === 'string' ? resourceKey(stored) : stored);
  }
}
