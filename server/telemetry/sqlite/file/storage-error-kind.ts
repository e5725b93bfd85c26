import type { StorageErrorKind } from '../../storage-error.ts';

/** Error codes of the file system: disk state and permissions may change while the gateway runs. */
const fileErrorKinds: Readonly<Record<string, StorageErrorKind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'io',
  EACCES: 'io',
  EPERM: 'io',
  EIO: 'io',
  EMFILE: 'io',
  ENFILE: 'io',
};

/** Classifies an error of SQLite or the file system. Null for errors that are not about storage, which are bugs. */
export function storageErrorKind(error: unknown): StorageErrorKind | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'busy';
  if (code === 'SQLITE_FULL') return 'full';
  if (code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN')) return 'io';
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') return 'corrupt';
  return fileErrorKinds[code] ?? null;
}
