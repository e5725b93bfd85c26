import { type FileHandle, lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { configBytesMax, configNames, configOf, outsideByConfig, templatesPath } from '../project-config.ts';
import { brokenFile, ProjectError } from '../project-error.ts';
import type { Place } from './held-folder.ts';
import { isInside, type ProjectFolder, realPlace } from './inside.ts';
import { textOf } from './read-text.ts';

/** The real folder of a project, and its configuration; null where no folder up to the top has one, and the project is the folder itself. */
export interface ProjectRoot {
  folder: string;
  config: Place | null;
}

/** Nearest folder with a configuration, from `start` upwards. Searched each time, because it is cheap and the file may be created later. */
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

/** @throws ProjectError `invalid` when it is too large or no JSON */
export async function readConfig(file: FileHandle, name: string): Promise<Record<string, unknown> | null> {
  try {
    return configOf(await textOf(file, configBytesMax), name);
  } catch (error) {
    if (!(error instanceof ProjectError) || (error.problem !== 'unreadable' && error.problem !== 'too_large')) throw error;
    const why =
      error.problem === 'too_large' ? `makes the file larger than ${configBytesMax} bytes` : 'or one behind it is not text in UTF-8';
    throw brokenFile({ path: name, line: 1, why });
  }
}

/**
 * The folder of templates and datasets, which need not exist.
 * @throws ProjectError `outside` when the configuration, or a link, leads out of the project
 */
export async function templatesFolder(project: string, config: Record<string, unknown> | null): Promise<ProjectFolder> {
  const folder = await realPlace(join(project, ...templatesPath(config)));
  if (!isInside(project, folder)) throw outsideByConfig();
  return { project, folder };
}
