import { ClickHouseError } from '@clickhouse/client';
import { StorageError } from '../../storage-error.ts';
import { storageFailure } from '../storage-failure.ts';

/** The reason why a change was not made. What is not about storage is a bug of ours; an error of the database that is not known may pass. */
export function writeFailure(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof ClickHouseError && !storageFailure(error))
    return new StorageError('io', `The database failed (${error.code} ${error.type})`);
  return storageFailure(error) ?? new StorageError('mistake', error instanceof Error ? (error.stack ?? error.message) : String(error));
}
