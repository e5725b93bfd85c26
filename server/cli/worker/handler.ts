/**
 * The module that a team writes for its worker: a JavaScript or TypeScript file that exports functions. docs/worker.md has a working example.
 *
 *     export async function runPrompt({ input, prompt, signal }) { return { result: '…', model: '…' } }
 *     export const evals = { exact: ({ output, expected_output }) => output === expected_output }
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandError, exitCode } from '../command.ts';

/** One call of a prompt: on its own, or for a row of a dataset. */
export interface PromptCall {
  /** The props of the prompt: the row's input, or what the user typed. Any JSON. */
  input: unknown;
  /** The prompt as a Markdown tree (GET /v1/templates), with its path. Null where none was chosen. */
  prompt: { path: string; ast: unknown } | null;
  /** For a row only. */
  expected_output?: unknown;
  metadata?: unknown;
  /** W3C trace context: your own spans that continue it become children of the row's span. Absent for a prompt on its own. */
  traceparent?: string;
  /** Aborts when the job is cancelled or the connection is lost. */
  signal: AbortSignal;
}

/** The outcome of a call. A handler may also return just the result, or yield text in pieces (`async function*`). */
export interface PromptOutcome {
  /** Text, or any JSON. */
  result: unknown;
  /** If set, a span for the model call is sent; leave it out when your own spans record the call. */
  model?: string;
  usage?: { inputTokens?: number; outputTokens?: number };
  finishReason?: string;
  toolCalls?: unknown[];
  toolResults?: unknown[];
}

export interface EvalCall extends Pick<PromptCall, 'input' | 'expected_output' | 'metadata' | 'signal'> {
  output: unknown;
}

/** A number is a score, a boolean passes or fails. */
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
  if (typeof evals !== 'object' || evals === null || !Object.values(evals).every((value) => typeof value === 'function'))
    throw new CommandError(exitCode.usage, `evals of ${path} must be an object of functions`);
  return { runPrompt: runPrompt as Handler['runPrompt'], evals: evals as Handler['evals'] };
}

/** Anything a handler throws, as a message for people. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const found = (error ?? {}) as { message?: unknown; error?: { message?: unknown } };
  return [found.message, found.error?.message].find((text): text is string => typeof text === 'string' && text !== '') ?? 'Unknown error';
}

const isStream = (value: unknown): value is AsyncIterable<string> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** @param onText called with each piece of streamed text, or with the whole text */
export async function callPrompt(handler: Handler, call: PromptCall, onText: (piece: string) => void = () => {}): Promise<PromptOutcome> {
  const returned: unknown = await handler.runPrompt(call);
  if (isStream(returned)) {
    let result = '';
    for await (const piece of returned) {
      call.signal.throwIfAborted();
      result += piece;
      onText(piece);
    }
    return { result };
  }
  const outcome =
    typeof returned === 'object' && returned !== null && 'result' in returned ? (returned as PromptOutcome) : { result: returned };
  if (typeof outcome.result === 'string') onText(outcome.result);
  return outcome;
}
