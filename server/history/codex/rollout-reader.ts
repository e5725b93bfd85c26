/**
 * Reads the lines of a session file in their order, and makes spans of them as soon as nothing more can come. It holds what is not over yet,
 * however long the file is.
 */
import { boundedInput, boundedOutput, boundedTexts } from '../bounded-list.ts';
import type { InputMessage, ToolResult } from '../messages.ts';
import type { HistorySpan } from '../otlp-span.ts';
import type { LineReader } from '../read-file.ts';
import { RecentKeys } from '../recent-keys.ts';
import { SpanOutput } from '../span-output.ts';
import { answerOf, type ModelCall, type ToolCall, type Usage } from '../turn.ts';
import { compactionSpan, modelSpan, rootSpan, toolSpan } from '../turn-spans.ts';
import type { ModelOutput, RolloutLine, SessionMeta, ToolOutcome } from './rollout.ts';
import { writtenText } from './rollout-item.ts';
import { readLine } from './rollout-line.ts';
import type { StartedAgents } from './started-agents.ts';
import { TokenCounts } from './token-counts.ts';
import { type CodexTurn, newTurn } from './turns.ts';

const openToolsMax = 10_000;

export interface RolloutOptions {
  /** Of the file. */
  threadId: string;
  /** Turns that began before are left out. Milliseconds since the epoch. */
  sinceMs: number;
  /** By the sessions that were read before. */
  started: StartedAgents;
}

/** What a model answers is recorded in parts, and its usage before or after them. */
interface OpenCall extends ModelCall {
  /** Input came after this output, so the next output is that of another call. */
  hasLaterInput: boolean;
  /** The output, while it grows. */
  parts: ReturnType<typeof boundedOutput>;
}

type OpenTool = ToolCall & { turn: CodexTurn; failed: boolean };

export class RolloutReader implements LineReader {
  readonly #options: RolloutOptions;
  readonly #counts = new TokenCounts();
  readonly #closed = new RecentKeys();
  readonly #output: SpanOutput;
  readonly #tools = new Map<string, OpenTool>();
  #session: SessionMeta & { atMs: number };
  #turn: CodexTurn | null = null;
  #call: OpenCall | null = null;
  /** Of a call whose answer is not recorded yet, and the id of that call if none comes. */
  #usage: { usage: Usage; id: string } | null = null;
  /** Whether the file has usage for each call, so that token counts only repeat it. */
  #hasCallUsage = false;
  #model = '';
  /** Whether the file says when turns begin, and so when they end. */
  #hasTurnLines = false;
  /** Whether the model has not answered its last input. */
  #awaitsModel = false;
  /** When the model had its last input. */
  #inputMs = 0;
  #input = boundedInput();
  #system = boundedTexts();
  /** Times that were used as ids, which several calls may have. */
  #idTime = { atMs: 0, uses: 0 };
  damaged = 0;

  constructor(options: RolloutOptions) {
    this.#options = options;
    this.#output = new SpanOutput(options.sinceMs);
    const { threadId } = options;
    this.#session = {
      ...{ kind: 'session', threadId, parentId: '', sessionId: threadId, isForked: false, agentName: '', atMs: 0 },
      ...{ service: 'codex', version: '', provider: 'openai', folder: '', branch: '', instructions: '' },
    };
  }

  read(text: string): HistorySpan[] {
    if (text.trim() === '') return [];
    const line = readLine(text);
    if (line === 'damaged') this.damaged++;
    else if (line?.what.kind === 'session') this.#begin(line.what, line.atMs);
    else if (line) this.#readLine(line);
    return this.#output.take();
  }

  get hasOpenWork(): boolean {
    return this.#turn !== null && (this.#hasTurnLines || this.#awaitsModel || this.#tools.size > 0);
  }

  end(isOver: boolean): HistorySpan[] {
    if (this.#turn) this.#closeTurn(this.#turn, isOver);
    return this.#output.take();
  }

  #emit(turn: CodexTurn, span: HistorySpan): void {
    if (!turn.isCopy) this.#output.add(turn, span);
  }

  /** A fork has the line of the original session as well. */
  #begin(session: SessionMeta, atMs: number): void {
    if (session.threadId !== this.#options.threadId) return;
    this.#session = { ...session, atMs: this.#session.atMs || atMs };
    if (session.instructions === '') return;
    this.#system = boundedTexts();
    this.#system.add(session.instructions);
  }

  #readLine(line: RolloutLine): void {
    const { atMs, what } = line;
    const turn = this.#turnOf(line);
    if (what.kind === 'turn') this.#hasTurnLines = true;
    if (what.kind === 'prompt') this.#awaitsModel = true;
    if (turn) turn.endMs = Math.max(turn.endMs, atMs);
    switch (what.kind) {
      case 'context':
        this.#model = what.model || this.#model;
        if (turn && what.folder !== '') turn.folder = what.folder;
        break;
      case 'prompt':
        if (turn?.prompt.length === 0) turn.prompt = what.parts;
        break;
      case 'input':
        this.#addInput({ role: 'user', parts: what.parts }, atMs);
        break;
      case 'instructions':
        this.#system.add(what.text);
        break;
      case 'output':
        if (turn) this.#addOutput(turn, what, atMs);
        break;
      case 'tool result':
        this.#addResult(what.result, atMs);
        break;
      case 'tool outcome':
        this.#addOutcome(what);
        break;
      case 'token count':
        this.#addCount(turn, this.#counts.next(what.count), atMs);
        break;
      default:
        if (turn) this.#readStep(turn, what, atMs);
    }
  }

  /** Lines that are about a turn as a whole. */
  #readStep(turn: CodexTurn, what: RolloutLine['what'], atMs: number): void {
    if (what.kind === 'usage') {
      this.#hasCallUsage = true;
      this.#addUsage(turn, what.usage, atMs);
      this.#closeCall(turn, true);
    } else if (what.kind === 'agents') {
      for (const threadId of what.threadIds)
        this.#options.started.add(threadId, { callId: what.callId, promptId: turn.promptId, traceId: turn.traceId ?? '' });
    } else if (what.kind === 'compaction') {
      this.#closeCall(turn, true);
      turn.hasSteps = true;
      const known = { durationMs: 0, trigger: '', tokensBefore: undefined, tokensAfter: undefined };
      this.#emit(turn, compactionSpan(turn, { atMs, summary: what.summary, ...known }, turn.agent));
      // The conversation begins anew with the summary.
      this.#input = boundedInput();
    } else if (what.kind === 'error') {
      turn.error = what.message;
      this.#awaitsModel = false;
    } else if (what.kind === 'turn end') {
      turn.error = what.error ?? turn.error;
      this.#closeTurn(turn, true);
    }
  }

  /** The turn of a line. Where lines do not name it, each prompt begins one. */
  #turnOf(line: RolloutLine): CodexTurn | null {
    const { turnId, what } = line;
    const now = this.#turn;
    const begins =
      what.kind === 'turn' ||
      (turnId !== '' && turnId !== now?.turnId) ||
      (what.kind === 'prompt' && (!now || (now.turnId === '' && now.prompt.length > 0))) ||
      (what.kind === 'output' && !now);
    if (!begins || (now && turnId !== '' && turnId === now.turnId)) return now;
    if (now) this.#closeTurn(now, true);
    this.#turn = newTurn(this.#session, line, this.#options.started, turnId !== '' && this.#closed.has(turnId));
    this.#inputMs = line.atMs;
    return this.#turn;
  }

  #addInput(message: InputMessage, atMs: number): void {
    this.#input.add(message);
    this.#inputMs = atMs;
    this.#awaitsModel = true;
    if (this.#call) this.#call.hasLaterInput = true;
  }

  #addOutput(turn: CodexTurn, { id, parts, tool }: ModelOutput, atMs: number): void {
    if (this.#call?.hasLaterInput !== false) this.#openCall(turn, id || tool?.id || this.#idOf(turn, atMs), atMs);
    const call = this.#call as OpenCall | null;
    for (const part of parts) call?.parts.add(part);
    if (call) call.endMs = Math.max(call.endMs, atMs);
    turn.error = null;
    this.#awaitsModel = !parts.some(({ type }) => type === 'text');
    if (!tool || tool.id === '' || this.#tools.size >= openToolsMax) return;
    const { hasResult, ...made } = tool;
    const open = { ...made, startMs: atMs, endMs: null, result: '', error: null, file: '', turn, failed: false };
    if (hasResult) this.#tools.set(tool.id, open);
    else this.#emit(turn, toolSpan(turn, { ...open, endMs: atMs }, turn.agent));
  }

  #openCall(turn: CodexTurn, id: string, atMs: number): void {
    this.#endCall(turn, true);
    turn.hasSteps = true;
    const parts = boundedOutput();
    this.#call = {
      ...{ id, model: this.#model, startMs: Math.min(this.#inputMs || atMs, atMs), endMs: atMs },
      ...{ input: this.#input.items, system: this.#system.items, output: parts.items, parts },
      ...{ stopReason: '', usage: this.#usage?.usage ?? null, cost: null, error: null, hasLaterInput: false },
    };
    [this.#input, this.#system, this.#usage] = [boundedInput(), boundedTexts(), null];
  }

  /** For a call without an id in the file: its time, which sub-agents of one prompt and several calls of one may share. */
  #idOf({ agent }: CodexTurn, atMs: number): string {
    this.#idTime = { atMs, uses: this.#idTime.atMs === atMs ? this.#idTime.uses + 1 : 1 };
    const time = this.#idTime.uses === 1 ? `${atMs}` : `${atMs}.${this.#idTime.uses}`;
    return agent ? `${agent.target}:${time}` : time;
  }

  #addResult(result: ToolResult, atMs: number): void {
    this.#addInput({ role: 'tool', results: [result] }, atMs);
    const tool = this.#tools.get(result.callId);
    if (!tool) return;
    this.#tools.delete(result.callId);
    const error = tool.failed || result.isError ? writtenText(result.text) : null;
    this.#emit(tool.turn, toolSpan(tool.turn, { ...tool, endMs: atMs, result: result.text, error }, tool.turn.agent));
  }

  #addOutcome({ callId, failed, file }: ToolOutcome): void {
    const tool = this.#tools.get(callId);
    if (tool) Object.assign(tool, { failed: tool.failed || failed, file: file || tool.file });
  }

  #addCount(turn: CodexTurn | null, usage: Usage | null, atMs: number): void {
    if (turn && usage && !this.#hasCallUsage) this.#addUsage(turn, usage, atMs);
  }

  #addUsage(turn: CodexTurn, usage: Usage, atMs: number): void {
    if (this.#call?.usage === null) this.#call.usage = usage;
    else {
      this.#addUnrecorded(turn, atMs);
      this.#usage = { usage, id: `usage:${this.#idOf(turn, atMs)}` };
    }
  }

  /** Adds a call whose answer is not in the file, as that which writes a summary in older versions. */
  #addUnrecorded(turn: CodexTurn, atMs: number): void {
    if (this.#usage === null) return;
    this.#openCall(turn, this.#usage.id, atMs);
    this.#endCall(turn, true);
  }

  #closeCall(turn: CodexTurn, isOver: boolean): void {
    this.#endCall(turn, isOver);
    this.#addUnrecorded(turn, turn.endMs);
  }

  #endCall(turn: CodexTurn, isOver: boolean): void {
    const call = this.#call;
    if (!call) return;
    this.#call = null;
    turn.answer = answerOf(call) ?? turn.answer;
    this.#emit(turn, modelSpan(turn, call, turn.agent, isOver));
  }

  /** @param isOver whether nothing more of the turn will come */
  #closeTurn(turn: CodexTurn, isOver: boolean): void {
    this.#closeCall(turn, isOver);
    for (const [id, tool] of this.#tools) {
      this.#tools.delete(id);
      this.#emit(tool.turn, toolSpan(tool.turn, { ...tool, endMs: isOver ? turn.endMs : null }, tool.turn.agent));
    }
    this.#turn = null;
    if (turn.turnId !== '') this.#closed.add(turn.turnId);
    if (turn.isContinued || (!turn.hasSteps && turn.prompt.length === 0 && turn.error === null)) return;
    this.#emit(turn, rootSpan(turn, turn.agent, isOver));
  }
}
