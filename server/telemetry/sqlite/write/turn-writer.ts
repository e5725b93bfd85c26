/** Writes log records about the prompts of coding agents, and moves records that belong to another span after a batch. */

import { placeholderSpan } from '../../../ingest/agent-records/agent-span.ts';
import { turnSpanId } from '../../../ingest/agent-records/turn-record.ts';
import type { RawResource } from '../../../ingest/otlp/raw-span.ts';
import { exportedSpansIn, historyTurnsIn } from '../../../ingest/prepare/history-turns.ts';
import type { PreparedBatch, PreparedLog } from '../../../ingest/prepare/prepared.ts';
import type { WriteOutcome } from '../../../ingest/sink.ts';
import { must } from '../../../platform/assert.ts';
import { endUs } from '../../trace-tree.ts';
import type { AgentTurns, SpanContext, StoredRecord, TurnPlace } from './agent-turns.ts';
import type { LogRows } from './log-rows.ts';
import type { Touched } from './trace-rows.ts';

type TurnLog = PreparedLog & { turn: NonNullable<PreparedLog['turn']> };

/**
 * Whether the place of a record follows from its turn. One of Claude Code that was sent with a span stands there until the turn is read from a
 * session file.
 */
export const isPlacedByTurn = (log: PreparedLog): log is TurnLog =>
  log.turn !== null && (log.span_id === '' || (log.turn.agent === 'claude-code' && log.turn.prompt !== null));

const ownSpan = ({ trace_id, span_id }: PreparedLog): SpanContext | null => (span_id === '' ? null : { trace_id, span_id });

/** Operations on spans that this class needs. */
export interface SpanWork {
  touch(traceId: string): Touched;
  /** Runs `change`, then derives the columns of the given spans again, because `change` changes their log records. */
  rederive(spans: readonly { entry: Touched; spanId: string }[], change: () => void): void;
  /** Writes a span that exists in log records only. */
  create(entry: Touched, span: ReturnType<typeof placeholderSpan>): void;
  /** Extends a span to the first start and the last end in its trace. */
  extend(entry: Touched, spanId: string): void;
}

interface Change {
  place: TurnPlace;
  from: StoredRecord | null;
  log: TurnLog | null;
}

export class TurnWriter {
  readonly #turns: AgentTurns;
  readonly #logs: LogRows;

  constructor(turns: AgentTurns, logs: LogRows) {
    this.#turns = turns;
    this.#logs = logs;
  }

  write(scope: number, batch: PreparedBatch, work: SpanWork, outcome: WriteOutcome): void {
    const turnLogs = batch.logs.filter((log): log is TurnLog => log.turn !== null);
    const prompts = this.#savePrompts(scope, batch, turnLogs);
    const conversations = [...this.#saveHistory(scope, batch, prompts.linked, work), ...prompts.conversations];
    if (turnLogs.length === 0 && conversations.length === 0) return;
    const changes = [
      ...this.#moves(scope, new Set(conversations)),
      ...this.#additions(scope, turnLogs.filter(isPlacedByTurn), work, outcome),
    ];
    this.#apply(scope, batch, changes, work);
  }

  /** Whether the turn of a trace that an agent exported was read from a session file. */
  isInHistory(scope: number, trace: number): boolean {
    const { history } = this.#turns;
    return history.hasTurn(trace) || history.isExportOfTurn(scope, trace);
  }

  /** Whether the same record is stored. */
  has(scope: number, log: TurnLog, traceOf: (traceId: string) => number | undefined): boolean {
    const place = this.#turns.placeOf(scope, { turn: log.turn, own: ownSpan(log) });
    const trace = traceOf(place.trace_id);
    return trace !== undefined && this.#logs.has(trace, { ...log, span_id: place.span_id });
  }

  /** Returns the conversations whose records may now belong to another span, and the traces that records name as those of a prompt. */
  #savePrompts(scope: number, { resources }: PreparedBatch, turnLogs: readonly TurnLog[]) {
    const conversations = new Set<string>();
    const linked = new Set<string>();
    for (const log of turnLogs) {
      const span = ownSpan(log);
      const resource = log.resource === -1 ? null : must(resources[log.resource], 'a record has a resource');
      if (!this.#turns.savePrompt(scope, log.turn, span, resource)) continue;
      conversations.add(log.turn.conversation);
      if (span) linked.add(span.trace_id);
    }
    return { conversations, linked };
  }

  /** Returns the conversations of turns that were read from session files and are new, or over. */
  #saveHistory(scope: number, batch: PreparedBatch, linked: ReadonlySet<string>, work: SpanWork): string[] {
    const { history } = this.#turns;
    const exported = new Set(linked);
    const turns = new Set<string>();
    for (const span of exportedSpansIn(batch)) {
      history.addExport(scope, span.conversation, span, work.touch(span.trace_id).trace.id);
      exported.add(span.trace_id);
    }
    const changed = historyTurnsIn(batch).flatMap(({ root, turn }) => {
      const { trace_id, span_id, start_us } = root;
      const resource = must(batch.resources[root.resource], 'a span has a resource');
      const saved = { trace_id, span_id, start_us, end_us: root.pending ? null : endUs(root), resource };
      const change = history.save(scope, turn, saved, work.touch(trace_id).trace.id);
      if (!change) return [];
      // Spans that Codex exported of the turn are in the trace of the turn, those of Claude Code and Gemini CLI in others.
      if (trace_id !== turn.prompt) turns.add(trace_id);
      // While it went on, whatever came later was taken for a part of it.
      const matters = change.wasOpen ? { ...saved, end_us: null } : saved;
      for (const id of history.exportsFrom(scope, turn.conversation, matters)) exported.add(id);
      return [turn.conversation];
    });
    // Codex exports internals as well, which are bookkeeping anyway; in traces of the others nothing else is.
    for (const traceId of turns) this.#markExported(scope, work.touch(traceId), work, (marks) => marks.every(Boolean));
    for (const traceId of exported) this.#markExported(scope, work.touch(traceId), work, (marks) => marks.some(Boolean));
    return changed;
  }

  /** Derives exported spans again if it changed whether their turn was read. */
  #markExported(scope: number, entry: Touched, work: SpanWork, isMarked: (marks: boolean[]) => boolean): void {
    const spans = [...entry.trace.tree.spans.values()];
    if (this.isInHistory(scope, entry.trace.id) === isMarked(spans.map(({ bookkeeping }) => bookkeeping))) return;
    work.rederive(
      spans.map(({ span_id }) => ({ entry, spanId: span_id })),
      () => {},
    );
  }

  #moves(scope: number, conversations: Set<string>): Change[] {
    const stored = [...conversations].flatMap((conversation) => this.#turns.recordsOf(scope, conversation));
    const changes = stored.map((from): Change => ({ from, log: null, place: this.#turns.placeOf(scope, from) }));
    return changes.filter(({ from, place }) => from?.trace_id !== place.trace_id || from.span_id !== place.span_id);
  }

  #additions(scope: number, logs: readonly TurnLog[], work: SpanWork, outcome: WriteOutcome): Change[] {
    const unique = new Map(logs.map((log) => [log.hash, log]));
    const newLogs = [...unique.values()].filter((log) => !this.has(scope, log, (traceId) => work.touch(traceId).trace.id));
    outcome.accepted += newLogs.length;
    outcome.duplicates += logs.length - newLogs.length;
    return newLogs.map((log) => ({ log, from: null, place: this.#turns.placeOf(scope, { turn: log.turn, own: ownSpan(log) }) }));
  }

  #apply(scope: number, batch: PreparedBatch, changes: readonly Change[], work: SpanWork): void {
    const traces = new Map<string, Touched>();
    const entryOf = (traceId: string) => {
      const entry = traces.get(traceId) ?? work.touch(traceId);
      traces.set(traceId, entry);
      return entry;
    };
    const spans = new Map<string, { entry: Touched; spanId: string }>();
    const addSpan = (traceId: string, spanId: string) => spans.set(`${traceId}/${spanId}`, { entry: entryOf(traceId), spanId });
    for (const { place, from } of changes) {
      addSpan(place.trace_id, place.span_id);
      if (from) {
        addSpan(from.trace_id, from.span_id);
        addSpan(from.trace_id, turnSpanId(from.trace_id, 'turn'));
      }
      if (!place.logSpan) continue;
      addSpan(place.trace_id, turnSpanId(place.logSpan.prompt, 'turn'));
    }
    work.rederive([...spans.values()], () => {
      for (const change of changes) this.#put(scope, batch, change, entryOf(change.place.trace_id));
    });
    for (const { place } of changes) if (place.logSpan) this.#createSpans(place.logSpan, entryOf(place.trace_id), work);
    for (const traceId of traces.keys()) work.extend(entryOf(traceId), turnSpanId(traceId, 'turn'));
  }

  #put(scope: number, batch: PreparedBatch, { place, from, log }: Change, { trace }: Touched): void {
    if (from) this.#turns.move(from.log, trace.id, place.span_id);
    else if (log) {
      const row = this.#logs.add(scope, trace.id, batch, { ...log, span_id: place.span_id });
      this.#turns.add(scope, row, log.turn, ownSpan(log));
    }
    trace.logged.add(place.span_id);
    const turn = from?.turn ?? log?.turn;
    if (turn && place.logSpan) this.#turns.setTrace(scope, turn.conversation, place.logSpan.prompt, trace.id);
  }

  /** Creates the span of a place and the root above it, unless they exist. */
  #createSpans({ trace, prompt, agent, target, resource }: NonNullable<TurnPlace['logSpan']>, entry: Touched, work: SpanWork): void {
    for (const part of ['turn', target]) {
      if (entry.trace.tree.spans.has(turnSpanId(prompt, part))) continue;
      work.create(entry, placeholderSpan({ trace, prompt }, { agent, target: part }, JSON.parse(resource) as RawResource));
    }
  }
}
