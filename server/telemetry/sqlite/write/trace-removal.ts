/**
 * Removes whole traces with their own data, a few spans at a time, because a trace may have a hundred thousand. With the first step the trace
 * leaves all lists and sums. Records stay in their blocks until no row needs them (retention.ts).
 */
import { flag } from '../file/codes.ts';
import type { OpenDatabase } from '../file/open.ts';
import { resourceKey } from '../file/resource-key.ts';
import { stored } from '../file/stored-names.ts';
import type { SessionRows } from './session-rows.ts';
import type { Trees } from './trees.ts';

interface TraceRow {
  scope: number;
  trace_id: unknown;
  span_count: number;
}

interface SpanRow {
  id: number;
  span_id: unknown;
  flags: number;
  size: number;
  session: number | null;
}

/** Decides what happens to the scores of removed spans and traces. */
export interface ScoredResources {
  /** Called for each removed span. @returns whether its scores must be removed now */
  remove(scope: number, spanId: unknown): boolean;
  /** Whether the scores of a removed trace stay for now. */
  has(scope: number, id: unknown): boolean;
}

/** Result of a removal step. */
export interface Removed {
  /** Row ids of the removed spans. */
  spans: number[];
  /** True if lists contained the trace before this step. */
  wasListed: boolean;
  /** The trace is completely removed. */
  isComplete: boolean;
}

/** Spans or log records removed in one call, which takes a millisecond or two. */
const pieceRows = 200;

export class TraceRemoval {
  readonly #trees: Trees;
  readonly #sessions: SessionRows;
  readonly #mustStay;
  readonly #trace;
  readonly #spans;
  readonly #logs;
  readonly #hide;
  readonly #detach;
  readonly #dropScores;
  readonly #dropSpan;
  readonly #dropLog;
  readonly #dropForwarding;
  readonly #dropRunaways;
  readonly #dropTrace;
  readonly #countDown;
  readonly #release;

  constructor(db: OpenDatabase, trees: Trees, sessions: SessionRows) {
    this.#trees = trees;
    this.#sessions = sessions;
    const newer = (table: string) => `EXISTS (SELECT 1 FROM ${table} WHERE trace = @trace AND block > @cutoff)`;
    const isQueued = 'EXISTS (SELECT 1 FROM outgoing WHERE trace = @trace)';
    this.#mustStay = db
      .prepare<[{ trace: number; cutoff: number }], number>(`SELECT ${newer('span')} OR ${newer('span_log')} OR ${isQueued}`)
      .pluck();
    this.#trace = db.prepare<[number], TraceRow>('SELECT scope, trace_id, span_count FROM trace WHERE id = ?');
    this.#spans = db.prepare<[number], SpanRow>(`SELECT id, span_id, flags, size, session FROM span WHERE trace = ? LIMIT ${pieceRows}`);
    this.#logs = db.prepare<[number], { id: number; size: number }>(`SELECT id, size FROM span_log WHERE trace = ? LIMIT ${pieceRows}`);
    this.#hide = db.prepare<[number]>('UPDATE trace SET span_count = 0 WHERE id = ?');
    this.#detach = db.prepare<[number]>('UPDATE trace SET span_count = 0, trace_id = randomblob(16) WHERE id = ?');
    this.#dropSpan = ['DELETE FROM content_change WHERE span = ?', 'DELETE FROM span WHERE id = ?'].map((sql) => db.prepare<[number]>(sql));
    this.#dropLog = db.prepare<[number]>('DELETE FROM span_log WHERE id = ?');
    this.#dropScores = db.prepare('DELETE FROM score WHERE scope = ? AND resource = ?');
    this.#dropForwarding = ['outgoing', stored.deadLetters, 'forwarded'].map((table) =>
      db.prepare<[number]>(`DELETE FROM ${table} WHERE trace = ?`),
    );
    this.#dropRunaways = db.prepare<[number]>('DELETE FROM runaway WHERE trace = ?');
    this.#dropTrace = db.prepare<[number]>('DELETE FROM trace WHERE id = ?');
    this.#countDown = db.prepare('UPDATE scope SET trace_count = trace_count - ?, span_count = span_count - ? WHERE id = ?');
    this.#release = db.prepare('UPDATE holding SET bytes = max(0, bytes - ?) WHERE tenant_id = (SELECT tenant_id FROM scope WHERE id = ?)');
  }

  /** Whether any part of a trace arrived after the cutoff, or is in the outbox: such a trace stays complete. */
  mustStay(trace: number, cutoff: number): boolean {
    return this.#mustStay.get({ trace, cutoff }) === 1;
  }

  /**
   * Takes a trace out of all lists and outboxes, and its id from it: a span that arrives for the id creates another trace, and no read finds
   * this one. Call it within a transaction.
   * @returns its app and id; null when there is no such trace
   */
  detach(id: number): Pick<TraceRow, 'scope' | 'trace_id'> | null {
    const trace = this.#trace.get(id);
    if (!trace) return null;
    this.#detach.run(id);
    for (const drop of this.#dropForwarding) drop.run(id);
    this.#dropRunaways.run(id);
    this.#countDown.run(trace.span_count > 0 ? 1 : 0, 0, trace.scope);
    this.#trees.drop(id);
    return trace;
  }

  /**
   * Removes a trace, or the first part of a large one. Call it within a transaction. Terms and session names are deleted later.
   * @param scored by counts of all spans in the store; null to keep scores
   * @param onSession called for each changed session; its sums are made again by default
   */
  remove(
    id: number,
    scored: ScoredResources | null,
    onSession: (scope: number, session: number) => void = (scope, session) => this.#sessions.recompute(scope, session),
  ): Removed {
    const trace = this.#trace.get(id);
    if (!trace) return { wasListed: false, isComplete: true, spans: [] };
    const { scope, trace_id, span_count } = trace;
    const wasListed = span_count > 0;
    if (wasListed) this.#hide.run(id);
    this.#dropRunaways.run(id);
    const spans = this.#spans.all(id);
    for (const { span_id } of spans) if (scored?.remove(scope, span_id)) this.#dropScoresOf(scope, span_id);
    for (const drop of this.#dropSpan) for (const span of spans) drop.run(span.id);
    const logs = spans.length < pieceRows ? this.#logs.all(id) : [];
    for (const log of logs) this.#dropLog.run(log.id);
    const isComplete = spans.length < pieceRows && logs.length < pieceRows;
    if (isComplete) {
      if (scored?.has(scope, trace_id) === false) this.#dropScoresOf(scope, trace_id);
      for (const drop of this.#dropForwarding) drop.run(id);
      this.#dropTrace.run(id);
    }
    this.release(
      scope,
      [...spans, ...logs].reduce((sum, { size }) => sum + size, 0),
    );
    const counted = spans.filter(({ flags }) => (flags & flag.placeholder) === 0);
    this.#countDown.run(wasListed ? 1 : 0, counted.length, scope);
    this.#trees.drop(id);
    const sessions = new Set(spans.map(({ session }) => session ?? 0));
    for (const session of sessions) if (session !== 0) onSession(scope, session);
    return { wasListed, isComplete, spans: spans.map((span) => span.id) };
  }

  /** Releases quota bytes of a tenant, where they are counted. */
  release(scope: number, bytes: number): void {
    this.#release.run(bytes, scope);
  }

  #dropScoresOf(scope: number, stored: unknown): void {
    this.#dropScores.run(scope, typeof stored === 'string' ? resourceKey(stored) : stored);
  }
}
