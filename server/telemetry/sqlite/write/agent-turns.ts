/** Correlates log records of a coding agent with its prompts, and determines the span to which a record belongs. */
import type { AgentName } from '../../../ingest/agent-records/agents.ts';
import { targetInHistory } from '../../../ingest/agent-records/history-turn.ts';
import { type TurnRecord, turnSpanId, unassignedSpanId } from '../../../ingest/agent-records/turn-record.ts';
import { must } from '../../../platform/assert.ts';
import { readStoredId, storeId } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';
import { type HistoryRow, HistoryTurns, isOfHistory } from './history-turns.ts';

/** Span to which a record belongs. */
export interface TurnPlace {
  trace_id: string;
  span_id: string;
  /** Span that exists in log records only; null where a real span exists, or while the prompt is unknown. */
  logSpan: { trace: string; prompt: string; agent: AgentName; target: string; resource: string } | null;
}

/** What identifies a span, or the span that a log record was sent with. */
export interface SpanContext {
  trace_id: string;
  span_id: string;
}

export interface StoredRecord {
  log: number;
  turn: Pick<TurnRecord, 'agent' | 'conversation' | 'prompt' | 'target' | 'at_us'>;
  /** The span that it was sent with; null for none. */
  own: SpanContext | null;
  trace_id: string;
  span_id: string;
}

interface PromptRow {
  prompt: Buffer;
  opened_us: number | null;
  link_trace: string | null;
  link_span: string | null;
  link_us: number | null;
  resource: string | null;
}

interface RecordRow {
  log: number;
  agent: AgentName;
  conversation: Buffer;
  prompt: Buffer | null;
  target: string;
  at_us: number;
  own_trace: string | null;
  own_span: string | null;
  trace_id: unknown;
  span_id: unknown;
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const emptyPrompt = { opened_us: null, link_trace: null, link_span: null, link_us: null, resource: null };

export class AgentTurns {
  readonly history: HistoryTurns;
  readonly #find;
  readonly #before;
  readonly #put;
  readonly #setTrace;
  readonly #records;
  readonly #add;
  readonly #move;

  constructor(db: OpenDatabase) {
    this.history = new HistoryTurns(db);
    const columns = 'prompt, opened_us, link_trace, link_span, link_us, resource';
    this.#find = db.prepare<[number, Buffer, Buffer], PromptRow>(
      `SELECT ${columns} FROM agent_prompt WHERE scope = ? AND conversation = ? AND prompt = ?`,
    );
    this.#before = db.prepare<[number, Buffer, number], PromptRow>(
      `SELECT ${columns} FROM agent_prompt
       WHERE scope = ? AND conversation = ? AND opened_us <= ? AND (link_us IS NULL OR link_us > 0) ORDER BY opened_us DESC, prompt LIMIT 1`,
    );
    this.#put = db.prepare(
      `INSERT INTO agent_prompt (scope, conversation, prompt, opened_us, link_trace, link_span, link_us, resource) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET opened_us = excluded.opened_us, link_trace = excluded.link_trace, link_span = excluded.link_span,
         link_us = excluded.link_us, resource = excluded.resource`,
    );
    this.#setTrace = db.prepare('UPDATE agent_prompt SET trace = ? WHERE scope = ? AND conversation = ? AND prompt = ?');
    this.#records = db.prepare<[number, Buffer], RecordRow>(
      `SELECT log, agent, conversation, prompt, target, at_us, own_trace, own_span, trace.trace_id, span_log.span_id
       FROM agent_log JOIN span_log ON span_log.id = agent_log.log JOIN trace ON trace.id = span_log.trace
       WHERE agent_log.scope = ? AND conversation = ?`,
    );
    this.#add = db.prepare(
      'INSERT INTO agent_log (log, scope, agent, conversation, prompt, target, at_us, own_trace, own_span) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#move = db.prepare('UPDATE span_log SET trace = ?, span_id = ? WHERE id = ?');
  }

  /**
   * Stores the prompt of a record.
   * @param span span in the record; null for none
   * @returns whether other records may belong to another span now
   */
  savePrompt(scope: number, turn: TurnRecord, span: SpanContext | null, resource: string | null): boolean {
    if (turn.prompt === null) return false;
    const key = [scope, bytes(turn.conversation), bytes(turn.prompt)] as const;
    const found = this.#find.get(...key);
    const row = { ...emptyPrompt, ...found };
    const opened_us = turn.opens ? Math.min(row.opened_us ?? turn.at_us, turn.at_us) : row.opened_us;
    const isEarlier =
      span !== null &&
      (row.link_us === null || turn.at_us < row.link_us || (turn.at_us === row.link_us && span.span_id < (row.link_span ?? '')));
    const link = isEarlier ? { link_trace: span.trace_id, link_span: span.span_id, link_us: Math.max(turn.at_us, 1) } : row;
    const promptResource = row.resource ?? resource;
    const changed = opened_us !== row.opened_us || link.link_span !== row.link_span || link.link_trace !== row.link_trace;
    if (found && !changed && promptResource === row.resource) return false;
    this.#put.run(...key, opened_us, link.link_trace, link.link_span, link.link_us, promptResource);
    return changed;
  }

  /** Current span of a record. */
  placeOf(scope: number, { turn: { agent, conversation, prompt, target, at_us }, own }: Pick<StoredRecord, 'turn' | 'own'>): TurnPlace {
    const conversationId = bytes(conversation);
    const row = prompt === null ? this.#before.get(scope, conversationId, at_us) : this.#find.get(scope, conversationId, bytes(prompt));
    // Records of Claude Code name their prompt as its session files do, and the ids of spans derive from it in both.
    const isRead = agent === 'claude-code' && row !== undefined && isOfHistory(row);
    const turn =
      agent === 'claude-code' ? null : this.history.turnOf(scope, conversationId, at_us, row?.opened_us ?? null, prompt !== null);
    if (turn) return placeInHistory(turn, agent, target);
    if (own && !isRead) return { ...own, logSpan: null };
    if (!row) return { trace_id: conversation, span_id: unassignedSpanId(conversation), logSpan: null };
    if (!isRead && row.link_trace !== null && row.link_span !== null)
      return { trace_id: row.link_trace, span_id: row.link_span, logSpan: null };
    const id = row.prompt.toString('hex');
    const resource = must(row.resource, 'a prompt without spans has records');
    return { trace_id: id, span_id: turnSpanId(id, target), logSpan: { trace: id, prompt: id, agent, target, resource } };
  }

  /** Records the trace that holds the spans of a prompt. */
  setTrace(scope: number, conversation: string, prompt: string, trace: number): void {
    this.#setTrace.run(trace, scope, bytes(conversation), bytes(prompt));
  }

  recordsOf(scope: number, conversation: string): StoredRecord[] {
    return this.#records
      .all(scope, bytes(conversation))
      .map(({ log, agent, prompt, target, at_us, own_trace, own_span, trace_id, span_id }) => ({
        log,
        turn: { agent, conversation, prompt: prompt?.toString('hex') ?? null, target, at_us },
        own: own_trace === null || own_span === null ? null : { trace_id: own_trace, span_id: own_span },
        trace_id: readStoredId(trace_id),
        span_id: readStoredId(span_id),
      }));
  }

  /** Adds a record that has just been stored. */
  add(scope: number, log: number, { agent, conversation, prompt, target, at_us }: TurnRecord, own: SpanContext | null): void {
    const promptId = prompt === null ? null : bytes(prompt);
    const ownIds = [own?.trace_id ?? null, own?.span_id ?? null];
    this.#add.run(log, scope, agent, bytes(conversation), promptId, target, at_us, ...ownIds);
  }

  move(log: number, trace: number, spanId: string): void {
    this.#move.run(trace, storeId(spanId), log);
  }
}

function placeInHistory({ prompt, link_trace, link_span, resource }: HistoryRow, agent: AgentName, target: string): TurnPlace {
  const part = targetInHistory(agent, target);
  if (part === 'turn') return { trace_id: link_trace, span_id: link_span, logSpan: null };
  const id = prompt.toString('hex');
  return { trace_id: link_trace, span_id: turnSpanId(id, part), logSpan: { trace: link_trace, prompt: id, agent, target: part, resource } };
}
