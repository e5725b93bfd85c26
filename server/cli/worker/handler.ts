/**
 * The module that a team writes for its worker: a file of JavaScript or TypeScript that exports functions. docs/worker.md has one that runs.
 *
 *     export async function runPrompt({ input, prompt, signal }) { return { result: '…', model: '…' } }
 *     export const evals = { exact: ({ output, expected_output }) => output === expected_output }
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandError, exitCode } from '../command.ts';

/** One call of a prompt: for itself, or for a row of a dataset. */
export interface PromptCall {
  /** What the prompt is filled with: the row's input, or what was typed. Any JSON. */
  input: unknown;
  /** The prompt as a tree of Markdown (GET /v1/templates), and where it is. Null where none was chosen. */
  prompt: { path: string; ast: unknown } | null;
  /** Of a row; absent otherwise. */
  expected_output?: unknown;
  metadata?: unknown;
  /** W3C trace context: spans of your own that continue it stand below the row's. Absent for a prompt by itself. */
  traceparent?: string;
  /** Aborts when the job is cancelled, or the connection is gone. */
  signal: AbortSignal;
}

/** What came of it. A handler may also return the result by itself, or give pieces of text one by one (`async function*`). */
export interface PromptOutcome {
  /** Text, or any JSON. */
  result: unknown;
  /** A model call is recorded where one is named, unless your own spans say it already. */
  model?: string;
  usage?: { inputTokens?: number; outputTokens?: number };
  finishReason?: string;
  toolCalls?: unknown[];
  toolResults?: unknown[];
}

export interface EvalCall extends Pick<PromptCall, 'input' | 'expected_output' | 'metadata' | 'signal'> {
  output: unknown;
}

/** A number is a score, a truth passes or fails. */
export type EvalOutcome = number | boolean | { score?: number; passed?: boolean; label?: string; reason?: string };

export interface Handler {
  runPrompt(call: PromptCall): AsyncIterable<string> | Promise<unknown> | unknown;
  /** By name. */
  evals: Record<string, (call: EvalCall) => Promise<EvalOutcome> | EvalOutcome>;
}

/** @throws CommandError when there is no such file, or it exports something else */
export async function loadHandler(path: string): Promise<Handler> {
  const loaded = await import(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
    throw new CommandError(exitCode.usage, `${path} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  });
  const { runPrompt, evals = {} } = loaded as Record<string, unknown>;
  if (typeof runPrompt !== 'function') throw new CommandError(exitCode.usage, `${path} exports no function runPrompt`);
  if (typeof evals !== 'object' || evals === null || !Object.values(evals).every((each) => typeof each === 'function'))
    throw new CommandError(exitCode.usage, `evals of ${path} must be functions by name`);
  return { runPrompt: runPrompt as Handler['runPrompt'], evals: evals as Handler['evals'] };
}

/** Whatever a handler throws, as a line for people. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const found = (error ?? {}) as { message?: unknown; error?: { message?: unknown } };
  return [found.message, found.error?.message].find((text): text is string => typeof text === 'string' && text !== '') ?? 'Unknown error';
}

const isStream = (value: unknown): value is AsyncIterable<string> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** @param onText hears each piece of a text as it comes, or all of it */
export async function callPrompt(handler: Handler, call: PromptCall, onText: (piece: string) => void = () => {}): Promise<PromptOutcome> {
  const given: unknown = await handler.runPrompt(call);
  if (isStream(given)) {
    let result = '';
    for await (const piece of given) {
      call.signal.throwIfAborted();
      result += piece;
      onText(piece);
    }
    return { result };
  }
  const outcome = typeof given === 'object' && given !== null && 'result' in given ? (given as PromptOutcome) : { result: given };
  if (typeof outcome.result === 'string') onText(outcome.result);
  return outcome;
}
