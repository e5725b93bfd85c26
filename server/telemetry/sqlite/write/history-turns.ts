/**
 * Turns that were read from session files, in the table of prompts. Their link is the root that was read; `link_us` is 0 while a turn goes on,
 * then minus the time of its end, which is how they are told from prompts of log records. A prompt of Claude Code that was read and that records
 * tell of is one row.
 */
import type { HistoryTurn } from '../../../ingest/agent-records/history-turn.ts';
import type { ExportingAgent } from '../../../ingest/prepare/history-turns.ts';
import type { OpenDatabase } from '../file/open.ts';

/** A trace that an agent exported of a turn, or of a part of it. */
export interface ExportedTrace {
  agent: ExportingAgent;
  trace_id: string;
  /** Of its first span. */
  start_us: number;
}

export interface HistoryRow {
  prompt: Buffer;
  opened_us: number;
  link_trace: string;
  link_span: string;
  link_us: number;
  /** JSON. */
  resource: string;
}

interface ExportRow {
  conversation: Buffer;
  /** Its id. */
  link_trace: string;
  /** The start of its first span. */
  link_us: number;
  /** Null for one of Gemini CLI that an earlier version stored. */
  agent: string | null;
}

/** A root that was read. */
export interface HistoryRoot {
  trace_id: string;
  span_id: string;
  start_us: number;
  /** Null while it goes on. */
  end_us: number | null;
  /** JSON. */
  resource: string;
}

/**
 * Gemini CLI reports a prompt, and chooses a model for it, before it writes the prompt to the file; Claude Code begins the trace of a prompt shortly before
 * that. Until the span of the whole turn has come, the first span that is known of it may be some seconds later.
 */
const leadUs = 10_000_000;

/** Whether a prompt was read from a session file. */
export const isOfHistory = ({ link_us }: { link_us: number | null }): boolean => link_us !== null && link_us <= 0;

const columns = 'prompt, opened_us, link_trace, link_span, link_us, resource';

export class HistoryTurns {
  readonly #find;
  readonly #openedBy;
  readonly #put;
  readonly #last;
  readonly #next;
  readonly #ofTrace;
  readonly #export;
  readonly #exportsIn;
  readonly #unread;
  readonly #exports;

  constructor(db: OpenDatabase) {
    const ofConversation = `SELECT ${columns} FROM agent_prompt WHERE scope = ? AND conversation = ?`;
    this.#find = db.prepare<[number, Buffer, Buffer], HistoryRow>(`${ofConversation} AND prompt = ? AND link_us <= 0`);
    this.#openedBy = db
      .prepare<[number, Buffer, Buffer], number | null>(
        'SELECT opened_us FROM agent_prompt WHERE scope = ? AND conversation = ? AND prompt = ?',
      )
      .pluck();
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO agent_prompt (scope, conversation, prompt, opened_us, link_trace, link_span, link_us, resource, trace)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const before = `${ofConversation} AND link_us <= 0 AND opened_us <= ? ORDER BY opened_us DESC, prompt LIMIT 1`;
    this.#last = db.prepare<[number, Buffer, number], HistoryRow>(before);
    const after = `${ofConversation} AND link_us <= 0 AND opened_us > ? AND opened_us <= ? ORDER BY opened_us, prompt LIMIT 1`;
    this.#next = db.prepare<[number, Buffer, number, number], HistoryRow>(after);
    // The id of such a trace stands for its prompt, which is not known.
    this.#export = db.prepare(
      `INSERT INTO agent_prompt (scope, conversation, prompt, link_trace, link_us, trace, agent) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET link_us = min(link_us, excluded.link_us), trace = excluded.trace`,
    );
    this.#exportsIn = db.prepare<[number], ExportRow>(
      'SELECT conversation, link_trace, link_us, agent FROM agent_prompt WHERE trace = ? AND link_span IS NULL AND link_us > 0',
    );
    this.#unread = db
      .prepare<[number, Buffer, string], number>(
        `SELECT 1 FROM agent_prompt WHERE scope = ? AND conversation = ? AND link_trace = ? AND link_span IS NOT NULL AND link_us > 0 LIMIT 1`,
      )
      .pluck();
    this.#exports = db
      .prepare<[number, Buffer, number, number], string>(
        `SELECT link_trace FROM agent_prompt
         WHERE scope = ? AND conversation = ? AND link_span IS NULL AND link_us >= max(1, ?) AND link_us <= ?`,
      )
      .pluck();
    this.#ofTrace = db.prepare<[number], number>('SELECT 1 FROM agent_prompt WHERE trace = ? AND link_us <= 0 LIMIT 1').pluck();
  }

  /**
   * A sub-agent that is sent more within a turn has a root for each: they are one, from the first to the last.
   * @returns null if that changed nothing
   */
  save(scope: number, { conversation, prompt }: HistoryTurn, root: HistoryRoot, trace: number): { wasOpen: boolean } | null {
    const key = [scope, Buffer.from(conversation, 'hex'), Buffer.from(prompt, 'hex')] as const;
    const found = this.#find.get(...key);
    const opened_us = Math.min(this.#openedBy.get(...key) ?? root.start_us, root.start_us);
    const end = root.end_us === null ? 0 : -root.end_us;
    const isLater = !found || root.span_id !== found.link_span || found.link_us === 0;
    const link_us = isLater ? Math.min(found?.link_us ?? 0, end) : found.link_us;
    if (found && opened_us === found.opened_us && link_us === found.link_us) return null;
    const { trace_id, span_id, resource } = root;
    this.#put.run(
      ...key,
      opened_us,
      found?.link_trace ?? trace_id,
      found?.link_span ?? span_id,
      link_us,
      found?.resource ?? resource,
      trace,
    );
    return { wasOpen: found?.link_us === 0 };
  }

  /** Whether a turn that was read is in the trace. */
  hasTurn(trace: number): boolean {
    return this.#ofTrace.get(trace) !== undefined;
  }

  addExport(scope: number, conversation: string, { agent, trace_id, start_us }: ExportedTrace, trace: number): void {
    const id = Buffer.from(trace_id, 'hex');
    this.#export.run(scope, Buffer.from(conversation, 'hex'), id, trace_id, Math.max(start_us, 1), trace, agent);
  }

  /** Whether everything in a trace that was exported by agents is of turns that were read. */
  isExportOfTurn(scope: number, trace: number): boolean {
    const found = this.#exportsIn.all(trace);
    return found.length > 0 && found.every((row) => (row.agent === 'claude-code' ? this.#isTurn(scope, row) : this.#isInTurn(scope, row)));
  }

  #isInTurn(scope: number, { conversation, link_us }: ExportRow): boolean {
    return this.turnOf(scope, conversation, link_us, null, true) !== null;
  }

  /** Claude Code begins a trace with each prompt, which its records name if they are exported too. */
  #isTurn(scope: number, { conversation, link_trace, link_us }: ExportRow): boolean {
    if (this.#unread.get(scope, conversation, link_trace) !== undefined) return false;
    const before = this.#last.get(scope, conversation, link_us);
    if (before && link_us - before.opened_us <= leadUs) return true;
    return this.#next.get(scope, conversation, link_us, link_us + leadUs) !== undefined;
  }

  /** The exported traces to which a change of a turn may matter. */
  exportsFrom(scope: number, conversation: string, { start_us, end_us }: Pick<HistoryRoot, 'start_us' | 'end_us'>): string[] {
    return this.#exports.all(scope, Buffer.from(conversation, 'hex'), start_us - leadUs, end_us ?? Number.MAX_SAFE_INTEGER);
  }

  /**
   * The turn of a record: that during which it was written. Between turns, it is the turn of its prompt. Null where no turn is known.
   * @param opened_us when the prompt of the record was given; null if that is not known
   * @param namesPrompt as records of Gemini CLI do: they may be of the next turn, whose prompt was reported before it was written down, and several
   *   prompts may have one name
   */
  turnOf(scope: number, conversation: Buffer, at_us: number, opened_us: number | null, namesPrompt: boolean): HistoryRow | null {
    const last = this.#last.get(scope, conversation, at_us);
    if (last && isDuring(last, at_us)) return last;
    const ofPrompt = () =>
      last && opened_us !== null && this.#opened(scope, conversation, opened_us)?.prompt.equals(last.prompt) ? last : null;
    return (namesPrompt && this.#next.get(scope, conversation, at_us, at_us + leadUs)) || ofPrompt();
  }

  /** The turn that a prompt began. */
  #opened(scope: number, conversation: Buffer, opened_us: number): HistoryRow | null {
    const last = this.#last.get(scope, conversation, opened_us);
    if (last && isDuring(last, opened_us)) return last;
    return this.#next.get(scope, conversation, opened_us, opened_us + leadUs) ?? null;
  }
}

const isDuring = ({ link_us }: HistoryRow, at_us: number): boolean => link_us === 0 || at_us <= -link_us;
