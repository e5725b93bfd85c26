/** What a session consists of: turns, each a prompt and what the agent did until the next one. */
import { type MessagePart, type ModelBlock, type SessionEntry, type ToolResults, textOf } from './session-entry.ts';

/** Only what its span needs: its calls and tools become spans while it runs. */
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
  /** What the last call said so far, without what it thought. */
  answer: MessagePart[];
  hasSteps: boolean;
  /** Why the last call failed, with which the turn ended; null if it did not. */
  error: string | null;
  /** More of a turn whose span was made already. */
  isContinued: boolean;
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
  cost: number | null;
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

/** A sub-agent of a turn. */
export interface SubAgent {
  id: string;
  name: string;
  /** The call of a tool that started it; '' where it is not known. */
  callId: string;
}

export const newTurn = (promptId: string, { sessionId, version, folder, branch, atMs }: SessionEntry, isContinued: boolean): Turn => ({
  ...{ promptId, sessionId, version, folder, branch, startMs: atMs, endMs: atMs },
  ...{ prompt: [], answer: [], hasSteps: false, error: null, isContinued },
});

const commands = /^\s*(?:<(?:command-|local-command-|bash-)|\[Request interrupted)/;

/** Whether it is empty, or a command of the program itself, such as `/model`, which asks nothing of a model. */
export const isCommand = (prompt: readonly MessagePart[]): boolean => prompt.length === 0 || commands.test(textOf(prompt));

const commandName = /<command-name>([^<]*)<\/command-name>/;
const commandArguments = /<command-args>([^<]*)<\/command-args>/;

/** What the user typed: a slash command is recorded with tags. */
export function typed(prompt: MessagePart[]): MessagePart[] {
  const text = textOf(prompt);
  const name = commandName.exec(text)?.[1];
  return name ? [{ type: 'text', content: `${name} ${commandArguments.exec(text)?.[1] ?? ''}`.trim() }] : prompt;
}

/** The text that a call answered; null for none. */
export function answerOf({ output, error }: ModelCall): MessagePart[] | null {
  const texts = output.filter(({ type }) => type === 'text');
  return texts.length === 0 || error !== null ? null : texts;
}
