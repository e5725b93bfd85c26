/** Configuration of a project, with its defaults. */
import { legalSegments } from './legal-name.ts';
import { invalidFile, ProjectError } from './project-error.ts';

/** In order of precedence. */
export const configNames = ['service.json', 'agentmark.json'] as const;
export const configBytesMax = 1024 * 1024;
export const templateBytesMax = 5 * 1024 * 1024;
export const datasetBytesMax = 64 * 1024 * 1024;

/**
 * Parsed configuration; null unless it is a JSON object.
 * @param name name of the file
 * @throws ProjectError `invalid` for invalid JSON
 */
export function configOf(text: string, name: string): Record<string, unknown> | null {
  const value = jsonOf(text, name);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, line, column] = /\(line (\d+) column (\d+)\)/.exec((error as Error).message) ?? [];
    // Without a position from the parser the text is truncated.
    if (line === undefined) throw invalidFile({ path, line: text.split('\n').length, why: 'is not JSON: the text ends too early' });
    throw invalidFile({ path, line: Number(line), why: `is not JSON from column ${column} on` });
  }
}

/**
 * The parts of the path from the project to its folder of templates and datasets, which need not exist.
 * @throws ProjectError `outside` when the configuration leads out of the project
 */
export function templatesPath(config: Record<string, unknown> | null): string[] {
  const configured = config?.['agentmarkPath'];
  const parts = typeof configured === 'string' ? configured.split('/').filter((part) => part !== '' && part !== '.') : [];
  try {
    if (parts.length > 0) legalSegments(parts.join('/'));
  } catch {
    throw outsideByConfig();
  }
  return [...parts, 'agentmark'];
}

export const outsideByConfig = () => new ProjectError('outside', 'agentmarkPath leads outside the project');
