/** Reads the entries of a session file in their order, and makes spans of them as soon as nothing more can come. */
import { boundedInput } from '../bounded-list.ts';
import { isJson, readJson, textAt } from '../json.ts';
import { type MessagePart, textOf } from '../messages.ts';
import type { HistorySpan } from '../otlp-span.ts';
import type { LineReader } from '../read-file.ts';
import { RecentKeys } from '../recent-keys.ts';
import { SpanOutput } from '../span-output.ts';
import { answerOf, type ModelCall, type ToolCall, type Turn } from '../turn.ts';
import { compactionSpan, modelSpan, rootSpan, toolSpan } from '../turn-spans.ts';
import { type Answer, entryOf, type PiEntry, type Result, type Summary, type Tokens } from './session-entry.ts';

interface ReaderOptions {
  sessionId: string;
  /** When the session was begun. Milliseconds since the epoch. */
  createdMs: number;
  /** Turns that began before are left out. Milliseconds since the epoch. */
  sinceMs: number;
}

type At = Pick<PiEntry, 'id' | 'atMs'>;

const fileTools = new Set(['read', 'write', 'edit']);

export class SessionReader implements LineReader {
  readonly #options: ReaderOptions;
  readonly #output: SpanOutput;
  readonly #seen = new RecentKeys();
  /** Names of the tool calls that were made. */
  readonly #toolIds = new RecentKeys();
  /** By the ids that the model gave them. */
  readonly #tools = new Map<string, ToolCall>();
  damaged = 0;
  #folder = '';
  #isFork = false;
  #turn: Turn | null = null;
  /** Whether the model has not answered what it was given. */
  #awaitsModel = false;
  #input = boundedInput();
  #system: string[] = [];

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#output = new SpanOutput(options.sinceMs);
  }

  get hasOpenWork(): boolean {
    return this.#awaitsModel || this.#tools.size > 0;
  }

  read(line: string): HistorySpan[] {
    if (line.trim() === '') return [];
    const json = readJson(line);
    const entry = json ? entryOf(json) : 'damaged';
    if (entry === 'damaged') this.damaged++;
    else if (entry) this.#add(entry);
    return this.#output.take();
  }

  end(isOver: boolean): HistorySpan[] {
    this.#closeTurn(isOver);
    return this.#output.take();
  }

  #add(entry: PiEntry): void {
    const { id, atMs, what } = entry;
    if (what.kind === 'session') {
      this.#folder ||= what.folder;
      this.#isFork ||= what.isFork;
      return;
    }
    // The session that they were copied from has them.
    const isCopy = this.#isFork && atMs < this.#options.createdMs;
    if (isCopy || !this.#seen.add(id)) return;
    if (what.kind === 'prompt') this.#addPrompt(entry, what.parts);
    else if (what.kind === 'input') this.#input.add({ role: 'user', parts: what.parts });
    else if (what.kind === 'system') this.#system.push(textOf(what.parts));
    else if (what.kind === 'answer') this.#addAnswer(entry, what);
    else if (what.kind === 'result') this.#addResult(entry, what);
    else if (what.kind === 'spent') this.#addSpent(entry, what.spent, what);
    else this.#addSummary(entry, what);
  }

  #addPrompt(at: At, parts: MessagePart[]): void {
    this.#closeTurn(true);
    this.#turn = this.#newTurn(at, parts);
    this.#awaitsModel = true;
    this.#input.add({ role: 'user', parts });
  }

  /** The turn that an entry belongs to; one of its own, if the prompt is damaged or an extension began it. */
  #turnAt(at: At): Turn {
    this.#turn ??= this.#newTurn(at, []);
    return this.#turn;
  }

  #newTurn({ id, atMs }: At, prompt: MessagePart[]): Turn {
    return {
      program: { agent: 'pi', service: 'pi', version: '', provider: '' },
      ...{ promptId: id, sessionId: this.#options.sessionId, folder: this.#folder, branch: '' },
      ...{ startMs: atMs, endMs: atMs, prompt, answer: [], error: null },
    };
  }

  #addAnswer(at: At, { provider, model, startMs, parts, stopReason, spent, error }: Answer): void {
    const turn = this.#turnAt(at);
    const call: ModelCall = {
      ...callAt(at, model, spent),
      ...{ startMs: startMs > 0 ? Math.min(startMs, at.atMs) : at.atMs, input: this.#input.items, system: this.#system },
      ...{ output: parts, stopReason, error },
    };
    [this.#input, this.#system] = [boundedInput(), []];
    this.#awaitsModel = false;
    turn.endMs = Math.max(turn.endMs, at.atMs);
    turn.answer = answerOf(call) ?? turn.answer;
    // After some failures the model is asked again.
    turn.error = error;
    this.#addCall(turn, provider, call);
    if (error === null) for (const part of parts) if (part.type === 'tool_call' && part.id !== '') this.#addTool(at, part);
  }

  #addCall(turn: Turn, provider: string, call: ModelCall): void {
    this.#output.add(turn, modelSpan({ ...turn, program: { ...turn.program, provider } }, call, null, true));
  }

  #addTool(at: At, { id, name, arguments: given }: Extract<MessagePart, { type: 'tool_call' }>): void {
    const file = fileTools.has(name) && isJson(given) ? textAt(given, 'path') : '';
    const made = { id: this.#toolId(at, id), name, arguments: JSON.stringify(given), file };
    this.#tools.set(id, { ...made, startMs: at.atMs, endMs: null, result: '', error: null });
  }

  /** Some models give the same id again. */
  #toolId({ id }: At, callId: string): string {
    return this.#toolIds.add(callId) ? callId : `${callId}:${id}`;
  }

  #addResult(at: At, { callId, name, text, isError, durationMs, spent }: Result): void {
    const turn = this.#turnAt(at);
    const open = this.#tools.get(callId);
    this.#tools.delete(callId);
    // Without the answer that called it, if that is damaged.
    const tool = open ?? { id: this.#toolId(at, callId), name, arguments: '', startMs: at.atMs, file: '' };
    const startMs = durationMs > 0 ? Math.max(tool.startMs, at.atMs - durationMs) : tool.startMs;
    turn.endMs = Math.max(turn.endMs, at.atMs);
    this.#output.add(turn, toolSpan(turn, { ...tool, startMs, endMs: at.atMs, result: text, error: isError ? text : null }, null));
    this.#addSpent(at, spent);
    this.#input.add({ role: 'tool', results: [{ callId, text, isError }] });
    this.#awaitsModel = true;
  }

  /** A model call of which nothing but its tokens is known, and for a summary its answer. */
  #addSpent(at: At, spent: Tokens | null, { provider = '', model = '', output = [] as MessagePart[] } = {}): void {
    if (spent) this.#addCall(this.#turnAt(at), provider, { ...callAt(at, model, spent), output });
  }

  #addSummary(at: At, { kind, text, trigger, tokensBefore, spent }: Summary): void {
    const turn = this.#turnAt(at);
    const summary: MessagePart = { type: 'text', content: text };
    if (kind === 'compaction') {
      const known = { durationMs: 0, tokensBefore, tokensAfter: undefined };
      this.#output.add(turn, compactionSpan(turn, { atMs: at.atMs, summary: text, trigger, ...known }, null));
      this.#input = boundedInput();
    }
    this.#addSpent(at, spent, { output: [summary] });
    this.#input.add({ role: 'user', parts: [summary] });
  }

  #closeTurn(isOver: boolean): void {
    const turn = this.#turn;
    this.#turn = null;
    if (!turn) return;
    for (const tool of this.#tools.values()) this.#output.add(turn, toolSpan(turn, { ...tool, endMs: isOver ? turn.endMs : null }, null));
    this.#tools.clear();
    this.#output.add(turn, rootSpan(turn, null, isOver));
  }
}

const callAt = ({ id, atMs }: At, model: string, spent: Tokens | null): ModelCall => ({
  ...{ id, model, startMs: atMs, endMs: atMs, input: [], system: [], output: [], stopReason: '' },
  ...{ usage: spent?.usage ?? null, cost: spent?.cost ?? null, error: null },
});
