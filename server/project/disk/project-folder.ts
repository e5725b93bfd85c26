/**
 * Where a project is, and from a legal name to a place on the disk that is certainly inside one of its folders. A link may be followed as
 * long as it stays inside; one that leads out, or to nothing, is refused. A place says nothing of what will be there later, so `open-file.ts`
 * follows no link on the way.
 */
import { type FileHandle, lstat, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { legalSegments } from '../legal-name.ts';
import { configBytesMax, configNames, configOf, outsideByConfig, templatesPath } from '../project-config.ts';
import { brokenFile, ProjectError } from '../project-error.ts';
import { codeOf, type Place, textOf } from './open-file.ts';

/** A folder of a project, which need not exist. Both are real paths: no part of them that exists is a link. */
export interface ProjectFolder {
  project: string;
  folder: string;
}

export const isInside = (folder: string, place: string): boolean =>
  place === folder || place.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** @throws ProjectError `illegal` or `outside` */
export async function placeInside({ project, folder }: ProjectFolder, name: string): Promise<Place> {
  const path = await realPlace(join(folder, ...legalSegments(name)));
  if (!isInside(folder, path)) throw outside();
  return { root: project, parts: relative(project, path).split(sep) };
}

/** The place of a file that was found by going through the folder without following links. */
export const placeOf = ({ project, folder }: ProjectFolder, path: string): Place => ({
  root: project,
  parts: [...relative(project, folder).split(sep), ...path.split('/')].filter((part) => part !== ''),
});

const outside = () => new ProjectError('outside', 'The path leads outside the project');

/** The real path of the nearest part that exists, and the rest behind it. */
export async function realPlace(path: string): Promise<string> {
  for (let existing = path; ; existing = dirname(existing)) {
    const real = await realpath(existing).catch(async (error: unknown) => {
      if (codeOf(error) === 'ELOOP') throw outside();
      if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') throw new ProjectError('denied', 'The file may not be read');
      if (codeOf(error) === 'ENAMETOOLONG') throw new ProjectError('illegal', 'is too long');
      // A link to nothing would be created at its far end.
      if (await isLink(existing)) throw outside();
      return null;
    });
    if (real !== null) return join(real, relative(existing, path));
    if (dirname(existing) === existing) throw outside();
  }
}

const isLink = async (path: string): Promise<boolean> => {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
};

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
