import { ProjectError } from '../project-error.ts';

/** The operating system's word for what went wrong; '' for errors that are not its. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';

/** Nothing is there that could be opened as what was asked for. */
export const isAbsence = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENXIO'].includes(codeOf(error));

/** What an error of the disk means for a project's files; an error that means nothing of the kind stays as it is. */
export function asProjectError(error: unknown): unknown {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new ProjectError('full', 'The disk is full; nothing was written');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new ProjectError('denied', 'The file or its folder may not be opened so');
    case 'EIO':
    case 'EBUSY':
    case 'EMFILE':
    case 'ENFILE':
    case 'ESTALE':
      return new ProjectError('denied', 'The disk did not do it this time');
    case 'ELOOP':
      return new ProjectError('outside', 'The path leads outside the project');
    case 'ENAMETOOLONG':
    case 'EINVAL':
      return new ProjectError('illegal', 'cannot be the name of a file');
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EISDIR':
    case 'ENXIO':
      return new ProjectError('unreadable', 'A folder, or something else that is no file, stands where a file or folder should be');
    default:
      return error;
  }
}
