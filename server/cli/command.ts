/** The interface of `glasshouse` commands, and their exit codes. */
import type { ParseArgsConfig } from 'node:util';

/**
 * Exit codes of the process. `run` passes on the exit code of its program; its own codes are those that shells and `timeout` use (124 to
 * 127), so that they are not mistaken for the program's.
 */
export const exitCode = { ok: 0, failed: 1, usage: 2, noGateway: 3, ended: 124, runFailed: 125, cannotStart: 126, notFound: 127 } as const;

/** Ends the command with a line on stderr. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export type Values = Record<string, string | boolean | undefined>;

export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** All of `--help`. */
  help: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** Takes arguments that are not options. */
  operands?: true;
  /** Everything after `--` is passed to the program it runs, including options. */
  passesArguments?: true;
  /** @returns the exit code */
  execute(values: Values, operands: string[]): Promise<number>;
}

export const usage = (message: string): never => {
  throw new CommandError(exitCode.usage, message);
};

/** The value of a string option. */
export const textOf = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};
