import { type FileHandle, lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { legalSegments } from '../legal-name.ts';
import { ProjectTrouble } from '../project-trouble.ts';
import type { Place } from './held-folder.ts';
import { isInside, type ProjectFolder, realPlace } from './inside.ts';
import { textOf } from './read-text.ts';

/** In the order in which they are looked for. */
const configNames = ['service.json', 'agentmark.json'] as const;
const configBytesMax = 1024 * 1024;

/** The real folder of a project, and its configuration; null where no folder up to the top has one, and the project is the folder itself. */
export interface ProjectRoot {
  folder: string;
  config: Place | null;
}

/** The nearest folder, from `start` upwards, that has a configuration. Looked for anew each time: it is a few stats, and it may come later. */
export async function findProjectRoot(start: string): Promise<ProjectRoot> {
  const top = await realPlace(resolve(start));
  for (let folder = top; ; folder = dirname(folder)) {
    for (const name of configNames) {
      const found = await lstat(join(folder, name)).catch(() => null);
      if (found?.isFile()) return { folder, config: { root: folder, parts: [name] } };
    }
    if (dirname(folder) === folder) return { folder: top, config: null };
  }
}

/**
 * A configuration as it stands in its file; null when it is no JSON object.
 * @throws ProjectTrouble `unreadable` when it is not JSON
 */
export async function readConfig(file: FileHandle): Promise<Record<string, unknown> | null> {
  const value = jsonOf(await textOf(file, configBytesMax));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [place] = /\(line \d+ column \d+\)/.exec((error as Error).message) ?? [];
    throw new ProjectTrouble('unreadable', `The configuration of the project is not valid JSON${place ? ` ${place}` : ''}`);
  }
}

/**
 * The folder of templates and datasets, which need not exist.
 * @throws ProjectTrouble `outside` when the configuration, or a link, leads out of the project
 */
export async function templatesFolder(project: string, config: Record<string, unknown> | null): Promise<ProjectFolder> {
  const configured = config?.['agentmarkPath'];
  const parts = typeof configured === 'string' ? configured.split('/').filter((part) => part !== '' && part !== '.') : [];
  const outside = () => new ProjectTrouble('outside', 'agentmarkPath leads outside the project');
  if (parts.length > 0) {
    try {
      legalSegments(parts.join('/'));
    } catch {
      throw outside();
    }
  }
  const folder = await realPlace(join(project, ...parts, 'agentmark'));
  if (!isInside(project, folder)) throw outside();
  return { project, folder };
}
