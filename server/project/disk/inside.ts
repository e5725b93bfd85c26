/**
 * Resolves a legal name to a place inside a folder. Links are allowed only inside it; broken ones and those that lead out are refused. The
 * file system may change later, so `held-folder.ts` follows no link.
 */
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { legalSegments } from '../legal-name.ts';
import { ProjectError } from '../project-error.ts';
import { codeOf } from './disk-error.ts';
import type { Place } from './held-folder.ts';

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
