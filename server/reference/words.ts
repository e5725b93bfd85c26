/**
 * Descriptions of properties and parameters. A name that means the same everywhere is described once; `Component.name` and
 * `operation-id.name` are exceptions.
 */
import { parameterWords } from './words/parameters.ts';
import { projectWords } from './words/project.ts';
import { teamWords } from './words/teams.ts';
import { telemetryWords } from './words/telemetry.ts';

const properties: Record<string, string> = { ...telemetryWords, ...projectWords, ...teamWords };

export { componentWords } from './words/components.ts';

/** @param where the name of a component, or the id of an operation. @param known the description in the declaration itself */
export const propertyText = (where: string, name: string, known?: string): string | undefined => textIn(properties, where, name, known);
export const parameterText = (where: string, name: string, known?: string): string | undefined =>
  textIn(parameterWords, where, name, known);

function textIn(words: Record<string, string>, where: string, name: string, known: string | undefined): string | undefined {
  const own = `${where}.${name}`;
  if (Object.hasOwn(words, own)) return words[own];
  return known ?? (Object.hasOwn(words, name) ? words[name] : undefined);
}
