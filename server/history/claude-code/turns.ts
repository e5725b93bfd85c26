/** Turns of Claude Code, and what their prompts are. */
import { isJson, textAt } from '../json.ts';
import { type MessagePart, textOf } from '../messages.ts';
import type { Turn } from '../turn.ts';
import type { SessionEntry } from './session-entry.ts';

/** Its `promptId` is the one that Claude Code exports with its log records. */
export interface ClaudeTurn extends Turn {
  hasSteps: boolean;
  /** More of a turn whose span was made already. */
  isContinued: boolean;
}

export const newTurn = (
  promptId: string,
  { sessionId, version, folder, branch, atMs }: SessionEntry,
  isContinued: boolean,
): ClaudeTurn => ({
  program: { agent: 'claude-code', service: 'claude-code', version, provider: 'anthropic' },
  ...{ promptId, sessionId, folder, branch, startMs: atMs, endMs: atMs },
  ...{ prompt: [], answer: [], hasSteps: false, error: null, isContinued },
});

/** The file that a tool reads or writes. */
export const fileOf = (given: unknown): string => (isJson(given) ? textAt(given, 'file_path') || textAt(given, 'notebook_path') : '');

const commands = /^\s*(?:<(?:command-|local-command-|bash-)|\[Request interrupted)/;

/** The user stopped the agent, which waits for another prompt. */
export const isInterruption = (prompt: readonly MessagePart[]): boolean => textOf(prompt).trimStart().startsWith('[Request interrupted');

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
