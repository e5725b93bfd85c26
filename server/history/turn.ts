/** What the session of a coding agent consists of: turns, each a prompt and what the agent did until the next one. */
import type { AgentName } from '../ingest/agent-records/agents.ts';
import type { InputMessage, MessagePart } from './messages.ts';

/** The program that wrote a session file. */
export interface Program {
  /** pi exports no log records. */
  agent: AgentName | 'pi';
  /** As it names itself when it exports telemetry. */
  service: string;
  version: string;
  /** Of the models. */
  provider: string;
}

/** Only what its span needs: its calls and tools become spans while it runs. */
export interface Turn {
  program: Program;
  /** Names the trace within the session. */
  promptId: string;
  sessionId: string;
  /** Of the spans that the agent exports of the turn; '' or none where the file does not say. */
  traceId?: string;
  folder: string;
  branch: string;
  startMs: number;
  endMs: number;
  prompt: MessagePart[];
  /** What the last call said so far, without reasoning. */
  answer: MessagePart[];
  /** With which the turn ended; null if it did not fail. */
  error: string | null;
}

export interface ModelCall {
  /** Names the call within the turn. */
  id: string;
  model: string;
  startMs: number;
  endMs: number;
  /** What is new in the conversation since the call before. */
  input: InputMessage[];
  system: string[];
  output: MessagePart[];
  stopReason: string;
  usage: Usage | null;
  /** US dollars; null where the file does not say. */
  cost: number | null;
  error: string | null;
}

/** By the conventions the input contains what was cached, and the output includes reasoning. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Undefined where it is not counted. */
  reasoning?: number;
}

export interface ToolCall {
  id: string;
  name: string;
  /** JSON. */
  arguments: string;
  startMs: number;
  /** Null while there is no result. */
  endMs: number | null;
  result: string;
  /** Why it failed; null if it did not. */
  error: string | null;
  /** That it reads or writes; '' for none. */
  file: string;
}

/** A sub-agent of a turn. */
export interface SubAgent {
  id: string;
  name: string;
  /** The conversation that its log records name, where it is not that of the turn. */
  threadId?: string;
  /** The call of a tool that started it; '' where it is not known. */
  callId: string;
  /** Names its span within the turn. */
  target: string;
}

export interface Compaction {
  atMs: number;
  durationMs: number;
  summary: string;
  trigger: string;
  tokensBefore: number | undefined;
  tokensAfter: number | undefined;
}

/** The text that a call answered; null for none. */
export function answerOf({ output, error }: ModelCall): MessagePart[] | null {
  const texts = output.filter(({ type }) => type === 'text');
  return texts.length === 0 || error !== null ? null : texts;
}

/** Names the span of a sub-agent within its turn. */
export const agentTarget = (id: string): string => `agent:${id}`;
