/** Opens the telemetry store that the settings name: on ClickHouse, or in the data folder. */
import { availableParallelism } from 'node:os';
import { Client } from 'pg';
import type { BlobPlace } from '../blobs/blob-store.ts';
import { connectionPool, mediumLimits } from '../control/postgres/open.ts';
import { storageFailure } from '../control/postgres/storage-failure.ts';
import type { Notices } from '../coordination/notices.ts';
import type { PriceOverrides } from '../ingest/cost/own-prices.ts';
import type { Sink } from '../ingest/sink.ts';
import type { Leases } from '../jobs/lease.ts';
import { type JournalBacklog, openFleetTelemetry } from '../journal/fleet-telemetry.ts';
import type { JournalLimits } from '../journal/journal.ts';
import type { Log } from '../platform/log.ts';
import { StartRefusal } from '../platform/start-refusal.ts';
import { postgresMigrationLog } from '../telemetry/clickhouse/migration-logs.ts';
import { ClickHouseTelemetry } from '../telemetry/clickhouse/store.ts';
import { openSqliteTelemetry } from '../telemetry/sqlite/store.ts';
import { StorageError } from '../telemetry/storage-error.ts';
import type { TelemetryStore } from '../telemetry/store.ts';
import { checkBlobs } from './blob-settings.ts';
import { requireNotMoved } from './migrate/moved-folder.ts';
import type { ControlPlace } from './open-control.ts';

export interface TelemetryParts {
  dataDir: string;
  /** Entry file of threads. */
  threadEntry: URL;
  prices: PriceOverrides;
  leases: Leases;
  notices: Notices;
  log: Log;
}

/** @throws StorageError or StartRefusal when the store cannot be used */
export type OpenTelemetry = (parts: TelemetryParts) => Promise<OpenedTelemetry>;

export interface OpenedTelemetry {
  telemetry: TelemetryStore;
  sink: Sink;
  /** What is accepted and waits to be stored, for observers. */
  waiting?: JournalBacklog;
}

/** Of a pool of its own, because every accepted request waits for the journal. */
const journalConnections = 4;
const clickHouseConnections = 32;
const waitingMax = 64;

function sharingOf({ log }: Pick<TelemetryParts, 'log'>) {
  const readers = Math.max(2, availableParallelism() - 1);
  return { readers, perTenant: Math.floor(readers / 2), waitingMax, log };
}

export const openSqliteInFolder: OpenTelemetry = async ({ dataDir, threadEntry, prices, log }) => {
  requireNotMoved(dataDir);
  const store = await openSqliteTelemetry(dataDir, threadEntry, prices, sharingOf({ log }));
  return { telemetry: store, sink: store.sink };
};

/**
 * @param url address of ClickHouse; null for the data folder
 * @param blobPlace where large values are; null for ClickHouse
 * @param limits of the journal, where they differ
 */
export function openTelemetryAt(
  url: string | null,
  place: ControlPlace,
  blobPlace: BlobPlace | null = null,
  limits: Partial<JournalLimits> = {},
): OpenTelemetry {
  if (url === null) return openSqliteInFolder;
  if (!place)
    throw new Error('GLASSHOUSE_CLICKHOUSE_URL needs GLASSHOUSE_POSTGRES_URL: what is accepted waits in PostgreSQL until it is stored');
  return async (parts) => {
    if (blobPlace) await checkBlobs(blobPlace, parts.log);
    const pool = connectionPool({ ...place, connections: journalConnections }, mediumLimits);
    const migrating = new Client({ connectionString: place.url });
    migrating.on('error', () => {});
    try {
      await migrating.connect();
      const migrationLog = postgresMigrationLog(migrating);
      const { threadEntry: entry, prices, log } = parts;
      const clickhouse = {
        address: { url, connections: clickHouseConnections },
        blobs: blobPlace && { place: blobPlace },
        entry,
        prices,
        log,
        sharing: sharingOf(parts),
        migrationLog,
      };
      const database = await ClickHouseTelemetry.connect(clickhouse);
      return openFleetTelemetry({ ...parts, database, pool, failureOf: storageFailure, limits });
    } catch (error) {
      await pool.end();
      if (!(error instanceof StorageError)) throw error;
      throw new StartRefusal(`The database of GLASSHOUSE_CLICKHOUSE_URL cannot be used: ${error.message}`);
    } finally {
      await migrating.end();
    }
  };
}
