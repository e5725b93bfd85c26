/** Opens the control store that the settings name: on PostgreSQL, or in the data folder. */
import { existsSync } from 'node:fs';
import type { BlobPlace } from '../blobs/blob-store.ts';
import { openBlobs } from '../blobs/open-blobs.ts';
import type { ControlStore } from '../control/control-store.ts';
import { connectionPool, mediumLimits, openPostgresControl, type PostgresAddress, shortLimits } from '../control/postgres/open.ts';
import { storageFailure } from '../control/postgres/storage-failure.ts';
import { controlFile, isCurrent, openSqliteControl } from '../control/sqlite/open.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { memoryCoordination } from '../coordination/memory.ts';
import { postgresCoordination } from '../coordination/postgres.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { StartRefusal } from '../platform/start-refusal.ts';
import { folderInUse } from '../telemetry/sqlite/file/folder-lock.ts';
import { StorageError } from '../telemetry/storage-error.ts';

/** Null in the data folder. */
export type ControlPlace = PostgresAddress | null;

/** Whether there is a control store already. PostgreSQL is asked when the store is opened. */
export const hasControl = (dataDir: string, place: ControlPlace): boolean => place !== null || existsSync(controlFile(dataDir));

/** Of pools of their own, because what gateways share must not wait behind transactions of the control store. */
const coordinationConnections = 2;

/** What gateways with this control store share. The store must be open. */
export const coordinationAt =
  (place: ControlPlace) =>
  (clock: Clock, log: Log): Coordination => {
    if (!place) return memoryCoordination(clock);
    const address = { ...place, connections: coordinationConnections };
    const pools = { pool: connectionPool(address, mediumLimits), rateLimitPool: connectionPool(address, shortLimits) };
    return postgresCoordination({ ...pools, failureOf: storageFailure, clock, log });
  };

/** @param blobPlace where large values are; null for the database @throws StartRefusal or StorageError when the store cannot be used */
export const openControlAt =
  (place: ControlPlace, blobPlace: BlobPlace | null = null) =>
  async (dataDir: string, clock: Clock): Promise<ControlStore> =>
    place ? openOnPostgres(place, clock, blobPlace) : openSqliteControl(dataDir, clock);

/**
 * Opens the control store for a command, also while a gateway runs: the database serialises their changes. In the data folder, creation and
 * migration are refused while a gateway runs.
 * @throws FolderInUse when a gateway runs and the store would have to be created or migrated; otherwise as `openControlAt`
 */
export async function openControlBeside(dataDir: string, place: ControlPlace, clock: Clock): Promise<ControlStore> {
  const file = controlFile(dataDir);
  if (!place && (!existsSync(file) || !isCurrent(file))) {
    const inUse = await folderInUse(dataDir);
    if (inUse) throw inUse;
  }
  return openControlAt(place)(dataDir, clock);
}

async function openOnPostgres(address: PostgresAddress, clock: Clock, blobPlace: BlobPlace | null): Promise<ControlStore> {
  try {
    return await openPostgresControl(address, clock, undefined, undefined, blobPlace && openBlobs(blobPlace));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const { message, code } = (error.cause ?? {}) as { message?: string; code?: string };
    const why = error.cause ? `${error.message} (${message || code})` : error.message;
    throw new StartRefusal(`The database of GLASSHOUSE_POSTGRES_URL cannot be used: ${why}`);
  }
}
