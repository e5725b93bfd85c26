/**
 * The command line of an agent, as the deployment gives it: a JSON array of arguments, the program first. It is run as it is, never by a
 * shell. `{name}` in an argument becomes a value; an inner array is left out as a whole where one of its values is not there:
 *
 *     ["claude", "-p", "--output-format", "stream-json", ["--resume", "{session}"], ["--model", "{model}"]]
 *
 * The task is no value, so that none can be taken for an option: it comes on stdin and in a file.
 */
import { z } from 'zod';

export const placeholders = ['prompt_file', 'thread_file', 'workspace', 'session', 'model'] as const;
export type Placeholder = (typeof placeholders)[number];

const known: readonly string[] = placeholders;
const naming = /\{(\w+)\}/g;
const isKnown = (argument: string): boolean => [...argument.matchAll(naming)].every(([, name = '']) => known.includes(name));

const argument = z.string().refine(isKnown, `may name ${placeholders.map((name) => `{${name}}`).join(', ')} in braces, and nothing else`);

/** The program is a fixed word: no value decides what is run. */
export const agentCommand = z.tuple([z.string().regex(/^[^{}]+$/)], z.union([argument, z.array(argument).min(1)]));
export type AgentCommand = z.output<typeof agentCommand>;

export function argumentsOf(command: AgentCommand, values: Readonly<Record<Placeholder, string | null>>): string[] {
  const wordFor = (name: string) => values[name as Placeholder];
  const filled = (text: string) => text.replace(naming, (_, name: string) => wordFor(name) ?? '');
  const isThere = (text: string) => [...text.matchAll(naming)].every(([, name = '']) => wordFor(name) !== null);
  return command.flatMap((part) => {
    if (typeof part === 'string') return [filled(part)];
    return part.every(isThere) ? part.map(filled) : [];
  });
}
