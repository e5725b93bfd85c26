/**
 * Reads the records of a session file in their order, and makes spans of them as soon as nothing more can come. A message is recorded again when
 * its tools are over; the last record counts.
 */

import { boundedInput } from '../bounded-list.ts';
import { isJson, type Json, listAt, readJson, textAt } from '../json.ts';
import { type InputMessage, type MessagePart, textOf } from '../messages.ts';
import type { HistorySpan } from '../otlp-span.ts';
import type { LineReader } from '../read-file.ts';
import { RecentKeys } from '../recent-keys.ts';
import { SpanOutput } from '../span-output.ts';
import { agentTarget, answerOf, type Compaction, type ModelCall, type SubAgent, type Turn } from '../turn.ts';
import { compactionSpan, modelSpan, rootSpan, toolSpan } from '../turn-spans.ts';
import { type ChatMessage, type ChatTool, messageOf } from './chat-record.ts';

const agentsMax = 10_000;

/** What Gemini CLI tells the model in the name of the user, and commands of its own. */
const notPrompt = /^\s*(?:$|[/?]|<(?:session_context|hook_context|state_snapshot)>)/;
const workspace = /(?:Workspace Directories:\*\*\s+- |working in the directory: )(.+)/;

export interface AgentStart {
  agent: SubAgent;
  sessionId: string;
  /** Of the prompt that it was started in. */
  promptId: string;
}

interface ChatOptions {
  /** Turns that began before are left out. Milliseconds since the epoch. */
  sinceMs: number;
  /** Of a sub-agent; null for a session. */
  start: AgentStart | null;
}

type OpenCall = ModelCall & { turn: Turn; tools: ChatTool[] };

export class ChatReader implements LineReader {
  readonly #options: ChatOptions;
  readonly #seen = new RecentKeys();
  readonly #output: SpanOutput;
  /** The sub-agents that tools of this file were, by their ids. */
  readonly agents = new Map<string, AgentStart>();
  sessionId = '';
  damaged = 0;
  #folder = '';
  #turn: Turn | null = null;
  #call: OpenCall | null = null;
  /** Whether the model has not answered what it was given, or one of its tools runs. */
  hasOpenWork = false;
  #inputMs = 0;
  #input = boundedInput();
  #compactions: Compaction[] = [];

  constructor(options: ChatOptions) {
    this.#options = options;
    this.#output = new SpanOutput(options.sinceMs);
  }

  read(line: string): HistorySpan[] {
    if (line.trim() === '') return [];
    const json = readJson(line);
    if (!json) this.damaged++;
    else if (isJson(json['$set'])) this.#readUpdate(json['$set']);
    else if (textAt(json, 'id') !== '') this.#readMessage(json);
    else this.#readHeader(json);
    return this.#output.take();
  }

  end(isOver: boolean): HistorySpan[] {
    this.#closeCall(isOver);
    this.#closeTurn(isOver);
    return this.#output.take();
  }

  get #agent(): SubAgent | null {
    return this.#options.start?.agent ?? null;
  }

  /** The first line; in earlier versions all messages are in it. */
  #readHeader(json: Json): void {
    if (this.sessionId === '') this.sessionId = textAt(json, 'sessionId');
    this.#folder ||= listAt(json, 'directories').find((folder) => typeof folder === 'string') ?? '';
    for (const message of listAt(json, 'messages')) if (isJson(message)) this.#readMessage(message);
  }

  /**
   * The messages of an update are what the model is given from then on: those that were recorded, and after a compaction its summary and copies.
   */
  #readUpdate(update: Json): void {
    for (const json of listAt(update, 'messages')) {
      const message = isJson(json) && json['type'] === 'user' ? messageOf(json) : null;
      if (!message || message === 'damaged' || message.what.kind !== 'user' || this.#seen.has(message.id)) continue;
      const text = textOf(message.what.parts);
      this.#folder ||= workspace.exec(text)?.[1] ?? '';
      if (text.includes('<session_context>')) this.#addInput({ role: 'user', parts: message.what.parts });
      if (text.includes('<state_snapshot>')) {
        const known = { durationMs: 0, trigger: '', tokensBefore: undefined, tokensAfter: undefined };
        this.#compactions.push({ atMs: message.atMs, summary: text, ...known });
        this.#input = boundedInput();
      }
      if (/<(?:session_context|state_snapshot)>/.test(text)) this.#seen.add(message.id);
    }
  }

  /** A compaction is part of the turn whose message follows it. */
  #addCompactions(turn: Turn): void {
    for (const compaction of this.#compactions) {
      turn.startMs = Math.min(turn.startMs, compaction.atMs);
      this.#output.add(turn, compactionSpan(turn, compaction, this.#agent));
    }
    this.#compactions = [];
  }

  #readMessage(json: Json): void {
    const message = messageOf(json);
    if (message === 'damaged') this.damaged++;
    if (message === 'damaged' || !message) return;
    const { id, atMs, what } = message;
    if (what.kind === 'model' && this.#call?.id === id) this.#update(this.#call, what);
    else if (this.#seen.add(id)) {
      this.#closeCall(true);
      if (what.kind === 'user') this.#addUser(id, atMs, what);
      else if (what.kind === 'model') this.#addCall(id, atMs, what);
      else this.#addError(what.message, atMs);
    }
    this.#inputMs = atMs;
  }

  #addError(error: string, atMs: number): void {
    this.hasOpenWork = false;
    if (this.#turn) Object.assign(this.#turn, { error, endMs: Math.max(this.#turn.endMs, atMs) });
  }

  #addUser(id: string, atMs: number, { parts, shown }: { parts: MessagePart[]; shown: MessagePart[] }): void {
    // Results of tools are read with their calls.
    if (parts.length === 0) return;
    this.#folder ||= workspace.exec(textOf(parts))?.[1] ?? '';
    const isPrompt = !notPrompt.test(textOf(parts));
    if (isPrompt) this.hasOpenWork = true;
    // A sub-agent has one task; later messages only urge it to finish.
    const opens = isPrompt && (this.#options.start === null || !this.#turn);
    if (opens) {
      this.#closeTurn(true);
      this.#turn = this.#newTurn(id, atMs, shown);
      this.#addCompactions(this.#turn);
    }
    this.#addInput({ role: 'user', parts });
  }

  #newTurn(id: string, atMs: number, prompt: MessagePart[]): Turn {
    const { start } = this.#options;
    return {
      program: { agent: 'gemini-cli', service: 'gemini-cli', version: '', provider: 'gcp.gen_ai' },
      ...{ promptId: start?.promptId ?? id, sessionId: start?.sessionId ?? this.sessionId, folder: this.#folder, branch: '' },
      ...{ startMs: atMs, endMs: atMs, prompt, answer: [], error: null },
    };
  }

  #addInput(message: InputMessage): void {
    this.#input.add(message);
  }

  #addCall(id: string, atMs: number, what: Extract<ChatMessage['what'], { kind: 'model' }>): void {
    const turn = this.#turn ?? this.#newTurn(id, atMs, []);
    this.#turn = turn;
    this.#addCompactions(turn);
    turn.error = null;
    this.#call = {
      ...{ id, model: '', startMs: Math.min(this.#inputMs || atMs, atMs), endMs: atMs, input: this.#input.items, system: [] },
      ...{ output: [], stopReason: '', usage: null, cost: null, error: null, turn, tools: [] },
    };
    this.#input = boundedInput();
    turn.endMs = Math.max(turn.endMs, atMs);
    this.#update(this.#call, what);
  }

  #update(call: OpenCall, { model, parts, usage, tools }: Extract<ChatMessage['what'], { kind: 'model' }>): void {
    const asked = tools.map(({ id, name, arguments: given }): MessagePart => ({ type: 'tool_call', id, name, arguments: readJson(given) }));
    Object.assign(call, { model: model || call.model, output: [...parts, ...asked], usage: usage ?? call.usage, tools });
    // A sub-agent ends with a tool.
    const isAnswer = tools.length > 0 ? this.#options.start !== null : parts.some(({ type }) => type === 'text');
    this.hasOpenWork = !isAnswer || tools.some(({ endMs }) => endMs === null);
    for (const { endMs } of tools) call.turn.endMs = Math.max(call.turn.endMs, endMs ?? 0);
    for (const { id, agentId, agentName } of tools) {
      if (agentId === '' || this.agents.size >= agentsMax) continue;
      const agent = { id: agentId, name: agentName, callId: id, target: agentTarget(agentId) };
      this.agents.set(agentId, { agent, sessionId: call.turn.sessionId, promptId: call.turn.promptId });
    }
  }

  /** @param isOver whether the message of the call will not be recorded again */
  #closeCall(isOver: boolean): void {
    const call = this.#call;
    if (!call) return;
    this.#call = null;
    const { turn, tools } = call;
    turn.answer = answerOf(call) ?? turn.answer;
    this.#output.add(turn, modelSpan(turn, call, this.#agent, isOver));
    for (const tool of tools) {
      const endMs = isOver ? (tool.endMs ?? turn.endMs) : null;
      this.#output.add(turn, toolSpan(turn, { ...tool, startMs: Math.min(call.endMs, tool.endMs ?? call.endMs), endMs }, this.#agent));
    }
    const results = tools.map(({ id, result, error }) => ({ callId: id, text: result, isError: error !== null }));
    if (results.length > 0) this.#addInput({ role: 'tool', results });
  }

  #closeTurn(isOver: boolean): void {
    if (this.#turn) this.#output.add(this.#turn, rootSpan(this.#turn, this.#agent, isOver));
    this.#turn = null;
  }
}
