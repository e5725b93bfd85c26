/**
 * Command line of an agent, from the settings of the deployment: a JSON array of arguments, the program first. Never run by a shell.
 * `{name}` in an argument is replaced; an inner array is omitted when one of its values is missing:
 *
 *     ["claude", "-p", "--output-format", "stream-json", ["--resume", "{session}"], ["--model", "{model}"]]
 *
 * The task is passed on stdin and in a file, so that it cannot be taken for an option.
 */
import { z } from 'zod';

export const placeholders = ['prompt_file', 'thread_file', 'workspace', 'session', 'model'] as const;
export type Placeholder = (typeof placeholders)[number];

const known: readonly string[] = placeholders;
const placeholderPattern = /\{(\w+)\}/g;
const isKnown = (argument: string): boolean => [...argument.matchAll(placeholderPattern)].every(([, name = '']) => known.includes(name));

const argument = z.string().refine(isKnown, `may contain no placeholders but ${placeholders.map((name) => `{${name}}`).join(', ')}`);

/** The program is fixed; values cannot change it. */
export const agentCommand = z.tuple([z.string().regex(/^[^{}]+$/)], z.union([argument, z.array(argument).min(1)]));
export type AgentCommand = z.output<typeof agentCommand>;

export function argumentsOf(command: AgentCommand, values: Readonly<Record<Placeholder, string | null>>): string[] {
  const valueFor = (name: string) => values[name as Placeholder];
  const fill = (text: string) => text.replace(placeholderPattern, (_, name: string) => valueFor(name) ?? '');
  const hasValues = (text: string) => [...text.matchAll(placeholderPattern)].every(([, name = '']) => valueFor(name) !== null);
  return command.flatMap((part) => {
    if (typeof part === 'string') return [fill(part)];
    return part.every(hasValues) ? part.map(fill) : [];
  });
}
