/**
 * Command line of a program in this folder: options, `--help` from the same list, and one sentence on stderr for any error. A program with
 * invalid options exits with 1 before it touches anything.
 */
import { statSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { startFailure } from './start-failure.ts';

interface Option {
  /** Name of the value in the help; absent for a switch. */
  value?: string;
  help: string;
  /** Shown in the help, and used when the option is absent. */
  default?: string;
  /** For the help only: the program itself reports a missing option. */
  isNeeded?: true;
}

export interface Program<Name extends string> {
  /** Command that starts it: `npm run gateway --`. */
  name: string;
  /** Description, one line or more. */
  about: string;
  options: Readonly<Record<Name, Option>>;
}

export interface ParsedArguments<Name extends string> {
  /** Texts of options, `''` for a switch that is on. */
  values: Partial<Record<Name, string>>;
  /** Arguments that are not options. */
  operands: string[];
}

export class UsageError extends Error {}

/** Given options, without defaults. @throws UsageError with a sentence for the error */
export function parseArguments<Name extends string>({ name, options }: Program<Name>, args: readonly string[]): ParsedArguments<Name> {
  const config: NonNullable<ParseArgsConfig['options']> = {};
  for (const [key, { value }] of entriesOf(options)) config[key] = { type: value === undefined ? 'boolean' : 'string' };
  const { tokens } = parseArgs({ args: [...args], options: config, strict: false, allowPositionals: true, tokens: true });
  const parsed: ParsedArguments<Name> = { values: {}, operands: [] };
  for (const token of tokens) {
    if (token.kind === 'positional') parsed.operands.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name as Name] : undefined;
    if (!option) throw new UsageError(`There is no option ${token.rawName}; ${name} --help lists them.`);
    parsed.values[token.name as Name] = textOf(option, token.rawName, token.value, token.inlineValue);
  }
  return parsed;
}

function textOf({ value: valueName }: Option, name: string, value: string | undefined, isInline: boolean | undefined): string {
  if (valueName === undefined) {
    if (value !== undefined) throw new UsageError(`${name} takes no value.`);
    return '';
  }
  // In `--data --port 1` a value is missing; a folder of that name is `--data=--port`. `-` alone means stdin.
  if (!value || (!isInline && value.startsWith('-') && value !== '-')) throw new UsageError(`${name} needs a value (${valueName}).`);
  return value;
}

const entriesOf = <Name extends string>(options: Readonly<Record<Name, Option>>) => Object.entries(options) as [Name, Option][];

/** Values of the options. Answers `--help`, and exits on errors. */
export function readCommandLine<Name extends string>(program: Program<Name>, args = process.argv.slice(2)): Partial<Record<Name, string>> {
  answerHelp(program, args);
  return orQuit(() => {
    const { values, operands } = parseArguments(program, args);
    if (operands.length > 0) throw new UsageError(`Unexpected argument '${operands[0]}'; ${program.name} --help lists the options.`);
    for (const [key, option] of entriesOf(program.options)) if (option.default !== undefined) values[key] ??= option.default;
    return values;
  });
}

/** Prints the help and exits with 0 on `--help`. */
export function answerHelp<Name extends string>(program: Program<Name>, args: readonly string[]): void {
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (!options.includes('--help') && !options.includes('-h')) return;
  process.stdout.write(helpOf(program));
  process.exit(0);
}

export function helpOf<Name extends string>({ name, about, options }: Program<Name>): string {
  const shown = entriesOf(options).map(([key, { value, ...rest }]) => ({ flag: `--${key}${value ? ` ${value}` : ''}`, ...rest }));
  const width = Math.max(...shown.map(({ flag }) => flag.length), '-h, --help'.length);
  const line = (flag: string, help: string, standard?: string) =>
    `  ${flag.padEnd(width)}  ${help}${standard === undefined ? '' : ` (${standard})`}\n`;
  const usage = shown.map(({ flag, isNeeded }) => (isNeeded ? flag : `[${flag}]`)).join(' ');
  const lines = shown.map((option) => line(option.flag, option.help, option.default)).join('');
  return `${name} ${usage}\n\n${about}\n\n${lines}${line('-h, --help', 'this text')}`;
}

/** @param text value of the option. @throws UsageError */
export function portOf(text: string | undefined): number {
  if (!/^\d{1,5}$/.test(text ?? '') || Number(text) > 65_535) throw new UsageError(`--port takes a number from 0 to 65535, not '${text}'.`);
  return Number(text);
}

/** @throws UsageError when the folder does not exist */
export function projectOf(folder: string | undefined): string {
  const found = statSync(folder ?? '', { throwIfNoEntry: false });
  if (!found) throw new UsageError(`There is no folder ${folder}; name another with --project.`);
  if (!found.isDirectory()) throw new UsageError(`${folder} is a file, not a project folder; name another with --project.`);
  return folder ?? '';
}

/** Exits with a message when the command line is invalid. */
export function orQuit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return quit(error instanceof Error ? error.message : String(error));
  }
}

/** Runs a command on a data folder; exits with a message when the folder cannot be used. */
export async function onFolder<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return quit(startFailure(error, null, dataDir));
  }
}

/** Exits the program. @param message sentence for the user */
export function quit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
