import { ProjectError } from '../project-error.ts';

/** Error code of the operating system; '' for other errors. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';

/** Nothing of the requested kind exists. */
export const isAbsence = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENXIO'].includes(codeOf(error));

/** Translates file system errors; others pass unchanged. */
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
