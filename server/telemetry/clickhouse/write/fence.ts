/**
 * Keeps a writer from changing anything from the moment at which a later writer of its tenants has begun: a gateway that was suspended, or whose lease
 * has ended while it wrote, must neither remove nor overwrite what the later one stores.
 *
 * A writer notes its epoch in the database before it reads or writes anything. Each insert and deletion carries a condition on the highest noted epoch,
 * which the database evaluates when it executes it. What an earlier writer has begun is over before a later one begins.
 */
import { StorageError } from '../../storage-error.ts';

/** Both are parameters of `newestEpoch` and of what is compared with it. */
export interface Fence {
  /** Name of the setting. No other one begins with it, so that it is found in texts of deletions and in ids of inserts. */
  writer: string;
  epoch: number;
}

/** @param part of the tenants of the writer; null for all */
export const fenceOf = (epoch: number, part: number | null): Fence => ({ writer: `writer/${part ?? 'all'}/`, epoch });

export const newestEpoch = 'SELECT max(ver) FROM setting WHERE name = {writer:String}';

/** Of the writer and of earlier ones of its tenants. */
export const runningInserts = `SELECT count() AS found FROM system.processes
  WHERE current_database = currentDatabase() AND startsWith(query_id, {writer:String})`;

export const overtaken = (): StorageError => new StorageError('stopping', 'Another gateway writes for these tenants now');
