/**
 * Reads the lines of a session, or of one sub-agent, in their order, and makes spans of them as soon as nothing more can come. It holds what is
 * not over yet, however long the file is.
 */
import { boundedInput, boundedOutput } from '../bounded-list.ts';
import { type InputMessage, textOf } from '../messages.ts';
import type { HistorySpan } from '../otlp-span.ts';
import { RecentValues } from '../recent-keys.ts';
import { SpanOutput } from '../span-output.ts';
import { answerOf, type Compaction, type ModelCall, type SubAgent, type ToolCall } from '../turn.ts';
import { compactionSpan, modelSpan, rootSpan, toolSpan } from '../turn-spans.ts';
import type { ModelBlock, Prompt, SessionEntry, ToolResults } from './session-entry.ts';
import { type ClaudeTurn, fileOf, isCommand, isInterruption, newTurn, typed } from './turns.ts';

/** Calls of one conversation follow each other. More than one is held open in case lines are not in order. */
const openCallsMax = 4;
const openTurnsMax = 4;
const startedAgentsMax = 10_000;
/** The model goes on. */
const unfinished = new Set(['tool_use', 'pause_turn']);

export interface ReaderOptions {
  /** Turns that began before are left out. Milliseconds since the epoch. */
  sinceMs: number;
  /** Null for the session itself. */
  agent: SubAgent | null;
}

interface OpenCall {
  turn: ClaudeTurn;
  call: ModelCall;
  /** Of the call, while it grows. */
  output: ReturnType<typeof boundedOutput>;
}

export class SessionReader {
  readonly #options: ReaderOptions;
  readonly #output: SpanOutput;
  /** The newest lines: a line names the line before it, which is never far away. */
  readonly #recent = new RecentValues<{ atMs: number; promptId: string }>();
  readonly #turns = new Map<string, ClaudeTurn>();
  readonly #closed = new Set<string>();
  readonly #calls = new Map<string, OpenCall>();
  readonly #tools = new Map<string, { turn: ClaudeTurn; tool: ToolCall }>();
  /** The tool call and the prompt that started a sub-agent, by its id. */
  readonly startedAgents = new Map<string, { callId: string; promptId: string }>();
  #compaction: Compaction | null = null;
  #last: ClaudeTurn | null = null;
  /** Whether the model has not answered what it was given. */
  #awaitsModel = false;
  #newInput = boundedInput();
  #newSystem: string[] = [];

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#output = new SpanOutput(options.sinceMs);
  }

  get hasOpenWork(): boolean {
    return this.#awaitsModel || this.#tools.size > 0 || this.#compaction !== null;
  }

  /** @returns the spans that are complete now */
  read(entry: SessionEntry): HistorySpan[] {
    if (!this.#recent.has(entry.id)) this.#readNew(entry);
    return this.#output.take();
  }

  /** @param isOver whether nothing will be added to the file; else spans that may change have no end */
  end(isOver: boolean): HistorySpan[] {
    if (isOver && this.#last) this.#compacted(this.#last, '');
    const newest = isOver ? undefined : [...this.#calls.values()].findLast(({ turn }) => turn === this.#last);
    for (const call of this.#calls.values()) {
      if (call === newest) this.#output.add(call.turn, modelSpan(call.turn, call.call, this.#options.agent, false));
      else this.#closeCall(call);
    }
    const open = new Set([this.#last, ...[...this.#tools.values()].map(({ turn }) => turn)]);
    for (const turn of this.#turns.values()) this.#closeTurn(turn, isOver || !open.has(turn));
    return this.#output.take();
  }

  /** The tools that have no result yet. */
  openTools(): ToolCall[] {
    return [...this.#tools.values()].map(({ tool }) => tool);
  }

  /** The prompt of a tool without a result, else the newest one. */
  promptOfTool(callId: string): string {
    return (this.#tools.get(callId)?.turn ?? this.#last)?.promptId ?? '';
  }

  #readNew(entry: SessionEntry): void {
    const { id, parentId, atMs, what } = entry;
    if (what.kind === 'compaction') {
      this.#compaction = { ...what, atMs, summary: '' };
      this.#recent.set(id, { atMs, promptId: entry.promptId || this.#promptBefore(parentId) });
      return;
    }
    const opens = what.kind === 'prompt' && !what.isMeta && !what.isSummary;
    const promptId = entry.promptId || (opens ? id : this.#promptBefore(parentId)) || id;
    this.#recent.set(id, { atMs, promptId });
    if (what.kind === 'system prompt') this.#newSystem = what.texts;
    if (what.kind === 'other' || what.kind === 'system prompt') return;
    const turn = this.#turnOf(promptId, entry);
    this.#compacted(turn, what.kind === 'prompt' && what.isSummary ? textOf(what.parts) : '');
    turn.startMs = Math.min(turn.startMs, atMs);
    turn.endMs = Math.max(turn.endMs, atMs);
    if (what.kind === 'prompt') this.#addPrompt(turn, what);
    else if (what.kind === 'tool results') this.#addResults(turn, what, atMs);
    else this.#addBlock(turn, what, entry);
  }

  #promptBefore = (parentId: string): string => this.#recent.get(parentId)?.promptId || this.#last?.promptId || '';

  #turnOf(promptId: string, entry: SessionEntry): ClaudeTurn {
    const known = this.#turns.get(promptId);
    if (known) return known;
    const turn = newTurn(promptId, entry, this.#closed.has(promptId));
    this.#turns.set(promptId, turn);
    this.#last = turn;
    const [oldest] = this.#turns.values();
    if (oldest && this.#turns.size > openTurnsMax) this.#closeTurn(oldest, true);
    return turn;
  }

  /** A compaction is part of the turn whose line follows it: that of the summary. */
  #compacted(turn: ClaudeTurn, summary: string): void {
    if (!this.#compaction) return;
    turn.hasSteps = true;
    turn.endMs = Math.max(turn.endMs, this.#compaction.atMs);
    this.#output.add(turn, compactionSpan(turn, { ...this.#compaction, summary }, this.#options.agent));
    this.#compaction = null;
    // The conversation begins anew with the summary.
    this.#newInput = boundedInput();
  }

  #addPrompt(turn: ClaudeTurn, { parts, isMeta, isSummary }: Prompt): void {
    const isBetter = turn.prompt.length === 0 || (isCommand(turn.prompt) && !isCommand(parts));
    if (isBetter && !isMeta && !isSummary) turn.prompt = parts;
    if (isInterruption(parts)) this.#awaitsModel = false;
    else if (!isMeta && !isSummary && !isCommand(parts)) this.#awaitsModel = true;
    this.#addInput({ role: 'user', parts });
  }

  #addInput(message: InputMessage): void {
    this.#newInput.add(message);
  }

  #addResults(turn: ClaudeTurn, { results, agentId }: ToolResults, atMs: number): void {
    for (const { callId, text, isError } of results) {
      if (agentId !== '' && this.startedAgents.size < startedAgentsMax)
        this.startedAgents.set(agentId, { callId, promptId: turn.promptId });
      const open = this.#tools.get(callId);
      if (!open) continue;
      this.#tools.delete(callId);
      this.#output.add(
        open.turn,
        toolSpan(open.turn, { ...open.tool, endMs: atMs, result: text, error: isError ? text : null }, this.#options.agent),
      );
    }
    this.#addInput({ role: 'tool', results });
    this.#awaitsModel = true;
  }

  #addBlock(turn: ClaudeTurn, block: ModelBlock, { parentId, atMs }: SessionEntry): void {
    turn.hasSteps = true;
    const { call, output } = this.#calls.get(block.requestId) ?? this.#newCall(turn, block, this.#recent.get(parentId)?.atMs ?? atMs);
    call.startMs = Math.min(call.startMs, atMs);
    call.endMs = Math.max(call.endMs, atMs);
    // The text of a failure is why it failed.
    if (block.error === null) for (const part of block.parts) output.add(part);
    // The last block has the final counts.
    call.usage = block.usage ?? call.usage;
    call.cost = block.cost ?? call.cost;
    call.stopReason = block.stopReason || call.stopReason;
    call.error = block.error ?? call.error;
    // Some versions record no reason.
    const isFinal = block.stopReason === '' ? block.parts.some(({ type }) => type === 'text') : !unfinished.has(block.stopReason);
    this.#awaitsModel = block.error === null && !isFinal;
    for (const part of block.parts) {
      if (part.type !== 'tool_call' || part.id === '') continue;
      const tool = {
        ...{ id: part.id, name: part.name, arguments: JSON.stringify(part.arguments), startMs: atMs },
        ...{ endMs: null, result: '', error: null, file: fileOf(part.arguments) },
      };
      this.#tools.set(part.id, { turn, tool });
    }
  }

  #newCall(turn: ClaudeTurn, { requestId, model }: ModelBlock, startMs: number): OpenCall {
    const output = boundedOutput();
    const call: ModelCall = {
      ...{ id: requestId, model, startMs, endMs: startMs, input: this.#newInput.items, system: this.#newSystem },
      ...{ output: output.items, stopReason: '', usage: null, cost: null, error: null },
    };
    [this.#newInput, this.#newSystem] = [boundedInput(), []];
    const open = { turn, call, output };
    this.#calls.set(requestId, open);
    const [oldest] = this.#calls.values();
    if (oldest && this.#calls.size > openCallsMax) this.#closeCall(oldest);
    return open;
  }

  #closeCall({ turn, call }: OpenCall): void {
    this.#calls.delete(call.id);
    turn.answer = answerOf(call) ?? turn.answer;
    turn.error = call.error;
    this.#output.add(turn, modelSpan(turn, call, this.#options.agent, true));
  }

  /** @param isOver whether nothing more of the turn will come */
  #closeTurn(turn: ClaudeTurn, isOver: boolean): void {
    if (isOver) for (const open of this.#calls.values()) if (open.turn === turn) this.#closeCall(open);
    for (const [id, { tool, turn: toolTurn }] of this.#tools) {
      if (toolTurn !== turn) continue;
      this.#tools.delete(id);
      this.#output.add(turn, toolSpan(turn, { ...tool, endMs: isOver ? turn.endMs : null }, this.#options.agent));
    }
    this.#turns.delete(turn.promptId);
    this.#closed.add(turn.promptId);
    if (!turn.isContinued && (turn.hasSteps || !isCommand(turn.prompt)))
      this.#output.add(turn, rootSpan({ ...turn, prompt: typed(turn.prompt) }, this.#options.agent, isOver));
  }
}
