/** What a command of `glasshouse` is, and how it ends. */
import type { ParseArgsConfig } from 'node:util';

/**
 * How the process ends. `run` gives on what its program ended with; what it says of itself lies where shells put such things (125 to
 * 127), so that it is not taken for the program's.
 */
export const exitCode = { ok: 0, failed: 1, usage: 2, noGateway: 3, runFailed: 125, cannotStart: 126, notFound: 127 } as const;

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
  /** Takes words that are no options. */
  operands?: true;
  /** Arguments behind the options are its own, options of the program it runs among them. */
  passesOn?: true;
  /** @returns the exit code */
  act(values: Values, operands: string[]): Promise<number>;
}

export const usage = (message: string): never => {
  throw new CommandError(exitCode.usage, message);
};

/** The value of an option that takes a text. */
export const textOf = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};
