/**
 * Finds the folders of a project, and turns a legal name into a path that is certainly inside one of them. A link may be followed as long as
 * it stays inside; one that leads out, or to nothing, is refused. A path can change after this check, so `open-file.ts` follows no links
 * when it opens it.
 */
import { type FileHandle, lstat, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { legalSegments } from '../legal-name.ts';
import { configBytesMax, configNames, configOf, outsideByConfig, templatesPath } from '../project-config.ts';
import { invalidFile, ProjectError } from '../project-error.ts';
import { codeOf, type FileLocation, textOf } from './open-file.ts';

/** A folder of a project, which need not exist. Both are real paths: no part of them that exists is a link. */
export interface ProjectFolder {
  project: string;
  folder: string;
}

export const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** @throws ProjectError `illegal` or `outside` */
export async function locationInside({ project, folder }: ProjectFolder, name: string): Promise<FileLocation> {
  const path = await realPathOf(join(folder, ...legalSegments(name)));
  if (!isInside(folder, path)) throw outside();
  return { root: project, parts: relative(project, path).split(sep) };
}

/** The location of a file that was found by walking the folder without following links. */
export const locationOf = ({ project, folder }: ProjectFolder, path: string): FileLocation => ({
  root: project,
  parts: [...relative(project, folder).split(sep), ...path.split('/')].filter((part) => part !== ''),
});

const outside = () => new ProjectError('outside', 'The path leads outside the project');

/** The real path of the nearest existing part, followed by the rest. */
export async function realPathOf(path: string): Promise<string> {
  for (let existing = path; ; existing = dirname(existing)) {
    const real = await realpath(existing).catch(async (error: unknown) => {
      if (codeOf(error) === 'ELOOP') throw outside();
      if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') throw new ProjectError('denied', 'Access to the file is denied');
      if (codeOf(error) === 'ENAMETOOLONG') throw new ProjectError('illegal', 'is too long');
      // Writing through a dangling link would create its target.
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

/** The real folder of a project, and its configuration; null where no parent folder has one either; then the project is the start folder. */
export interface ProjectRoot {
  folder: string;
  config: FileLocation | null;
}

/** The nearest folder, from `start` upwards, that has a configuration. Searched on every call: it takes a few stats, and the file may be created later. */
export async function findProjectRoot(start: string): Promise<ProjectRoot> {
  const top = await realPathOf(resolve(start));
  for (let folder = top; ; folder = dirname(folder)) {
    for (const name of configNames) {
      const found = await lstat(join(folder, name)).catch(() => null);
      if (found?.isFile()) return { folder, config: { root: folder, parts: [name] } };
    }
    if (dirname(folder) === folder) return { folder: top, config: null };
  }
}

/** @throws ProjectError `invalid` when it is too large or not JSON */
export async function readConfig(file: FileHandle, name: string): Promise<Record<string, unknown> | null> {
  try {
    return configOf(await textOf(file, configBytesMax), name);
  } catch (error) {
    if (!(error instanceof ProjectError) || (error.problem !== 'unreadable' && error.problem !== 'too_large')) throw error;
    const why = error.problem === 'too_large' ? `makes the file larger than ${configBytesMax} bytes` : 'or a later line is not UTF-8 text';
    throw invalidFile({ path: name, line: 1, why });
  }
}

/**
 * The folder of templates and datasets, which need not exist.
 * @throws ProjectError `outside` when the configuration, or a link, leads out of the project
 */
export async function templatesFolder(project: string, config: Record<string, unknown> | null): Promise<ProjectFolder> {
  const folder = await realPathOf(join(project, ...templatesPath(config)));
  if (!isInside(project, folder)) throw outsideByConfig();
  return { project, folder };
}
