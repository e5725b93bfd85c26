import { StorageError } from '../../storage-error.ts';
import { storageFailure } from '../storage-failure.ts';

/** The reason why a change was not made; what is not about storage is a bug. */
export function writeFailure(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return storageFailure(error) ?? new StorageError('mistake', error instanceof Error ? (error.stack ?? error.message) : String(error));
}
