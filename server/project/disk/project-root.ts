import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { legalSegments } from '../legal-name.ts';
import { ProjectTrouble } from '../project-trouble.ts';
import { isInside, realPlace } from './inside.ts';
import { readText } from './read-text.ts';

/** In the order in which they are looked for. */
const configNames = ['service.json', 'agentmark.json'] as const;
const configBytesMax = 1024 * 1024;

export interface ProjectRoot {
  folder: string;
  /** Null where no folder up to the top has a configuration; the project is then the folder itself. */
  configFile: string | null;
}

/** The nearest folder, from `start` upwards, that has a configuration. Looked for anew each time: it is a few stats, and it may come later. */
export async function findProjectRoot(start: string): Promise<ProjectRoot> {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    for (const name of configNames) {
      const file = join(folder, name);
      if (
        await lstat(file).then(
          (found) => found.isFile(),
          () => false,
        )
      )
        return { folder, configFile: file };
    }
    if (dirname(folder) === folder) return { folder: resolve(start), configFile: null };
  }
}

/**
 * The configuration as it stands in the file; null when there is none or it is no JSON object.
 * @throws ProjectTrouble `unreadable` when it is not JSON
 */
export async function readConfig({ configFile }: ProjectRoot): Promise<Record<string, unknown> | null> {
  const text = configFile === null ? null : await readText(await realPlace(configFile), configBytesMax);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProjectTrouble('unreadable', 'The configuration of the project is not valid JSON');
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

/**
 * The folder of templates and datasets, which need not exist.
 * @throws ProjectTrouble `outside` when the configuration, or a link, leads out of the project
 */
export async function templatesFolder(root: ProjectRoot): Promise<string> {
  const configured = (await readConfig(root).catch(() => null))?.['agentmarkPath'];
  const parts = typeof configured === 'string' ? configured.split('/').filter((part) => part !== '' && part !== '.') : [];
  const outside = () => new ProjectTrouble('outside', 'agentmarkPath leads outside the project');
  if (parts.length > 0) {
    try {
      legalSegments(parts.join('/'));
    } catch {
      throw outside();
    }
  }
  const folder = join(root.folder, ...parts, 'agentmark');
  if (!isInside(await realPlace(root.folder), await realPlace(folder))) throw outside();
  return folder;
}
