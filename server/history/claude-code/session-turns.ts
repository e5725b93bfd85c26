/** The turns of a session: a prompt, and what the agent did until the next one. */
import type { Compaction, MessagePart, ModelBlock, Prompt, SessionEntry, ToolResults } from './session-entry.ts';

export interface Turn {
  /** As Claude Code exports it with its log records. */
  promptId: string;
  sessionId: string;
  version: string;
  folder: string;
  branch: string;
  startMs: number;
  endMs: number;
  prompt: MessagePart[];
  calls: ModelCall[];
  tools: ToolCall[];
  compactions: (Compaction & { atMs: number; summary: string })[];
}

export interface ModelCall {
  requestId: string;
  model: string;
  startMs: number;
  endMs: number;
  /** What is new in the conversation since the call before. */
  input: InputMessage[];
  system: string[];
  output: MessagePart[];
  stopReason: string;
  usage: ModelBlock['usage'];
  error: string | null;
}

export type InputMessage = { role: 'user'; parts: MessagePart[] } | { role: 'tool'; results: ToolResults['results'] };

export interface ToolCall {
  id: string;
  name: string;
  arguments: unknown;
  startMs: number;
  /** Null while there is no result. */
  endMs: number | null;
  result: string;
  isError: boolean;
}

/** @param entries in the order of the file: of a session, or of one sub-agent */
export function turnsOf(entries: readonly SessionEntry[]): Turn[] {
  const reader = new TurnReader();
  for (const entry of entries) reader.read(entry);
  return reader.turns.filter(({ calls, compactions }) => calls.length + compactions.length > 0);
}

class TurnReader {
  readonly turns: Turn[] = [];
  readonly #byPrompt = new Map<string, Turn>();
  /** Lines that do not name their prompt follow one that does. */
  readonly #promptOf = new Map<string, string>();
  readonly #timeOf = new Map<string, number>();
  readonly #calls = new Map<string, ModelCall>();
  readonly #tools = new Map<string, ToolCall>();
  #newInput: InputMessage[] = [];
  #newSystem: string[] = [];

  read(entry: SessionEntry): void {
    const { id, parentId, atMs, what } = entry;
    const opens = what.kind === 'prompt' && !what.isMeta && !what.isSummary;
    const promptId = entry.promptId || (opens ? id : (this.#promptOf.get(parentId) ?? this.turns.at(-1)?.promptId ?? id));
    this.#promptOf.set(id, promptId);
    const turn = this.#turnOf(promptId, entry);
    turn.endMs = Math.max(turn.endMs, atMs);
    if (what.kind === 'prompt') this.#addPrompt(turn, what);
    else if (what.kind === 'tool results') this.#addResults(what, atMs);
    else if (what.kind === 'model') this.#addBlock(turn, what, entry);
    else if (what.kind === 'compaction') turn.compactions.push({ ...what, atMs, summary: '' });
    else if (what.kind === 'system prompt') this.#newSystem = what.texts;
    // Attachments are written when the request is made, whatever they stand behind.
    this.#timeOf.set(id, atMs);
  }

  #turnOf(promptId: string, { sessionId, version, folder, branch, atMs }: SessionEntry): Turn {
    const known = this.#byPrompt.get(promptId);
    if (known) return known;
    const turn: Turn = {
      ...{ promptId, sessionId, version, folder, branch, startMs: atMs, endMs: atMs },
      ...{ prompt: [], calls: [], tools: [], compactions: [] },
    };
    this.#byPrompt.set(promptId, turn);
    this.turns.push(turn);
    return turn;
  }

  #addPrompt(turn: Turn, { parts, isMeta, isSummary }: Prompt): void {
    if (isSummary) {
      const last = turn.compactions.at(-1) ?? this.turns.findLast(({ compactions }) => compactions.length > 0)?.compactions.at(-1);
      if (last) last.summary = parts.map((part) => ('content' in part ? part.content : '')).join('\n');
      // The conversation begins anew with it.
      this.#newInput = [];
    } else if (!isMeta && turn.prompt.length === 0) turn.prompt = parts;
    this.#newInput.push({ role: 'user', parts });
  }

  #addResults({ results }: ToolResults, atMs: number): void {
    for (const { callId, text, isError } of results) {
      const tool = this.#tools.get(callId);
      if (tool) Object.assign(tool, { endMs: atMs, result: text, isError });
    }
    this.#newInput.push({ role: 'tool', results });
  }

  #addBlock(turn: Turn, block: ModelBlock, { parentId, atMs }: SessionEntry): void {
    const call = this.#calls.get(block.requestId) ?? this.#newCall(turn, block, this.#timeOf.get(parentId) ?? atMs);
    call.endMs = Math.max(call.endMs, atMs);
    call.output.push(...block.parts);
    // The last block has the final count.
    Object.assign(call, { usage: block.usage, stopReason: block.stopReason || call.stopReason, error: block.error ?? call.error });
    for (const part of block.parts) {
      if (part.type !== 'tool_call') continue;
      const tool = { id: part.id, name: part.name, arguments: part.arguments, startMs: atMs, endMs: null, result: '', isError: false };
      this.#tools.set(part.id, tool);
      turn.tools.push(tool);
    }
  }

  #newCall(turn: Turn, { requestId, model, usage }: ModelBlock, startMs: number): ModelCall {
    const call: ModelCall = {
      ...{ requestId, model, startMs, endMs: startMs, input: this.#newInput, system: this.#newSystem },
      ...{ output: [], stopReason: '', usage, error: null },
    };
    [this.#newInput, this.#newSystem] = [[], []];
    this.#calls.set(requestId, call);
    turn.calls.push(call);
    return call;
  }
}
