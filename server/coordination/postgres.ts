/** Coordination of several gateways through PostgreSQL. */
import type { Pool } from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { StorageError } from '../telemetry/storage-error.ts';
import type { Coordination } from './coordination.ts';
import { PostgresBuckets } from './postgres-buckets.ts';
import { PostgresIngestLog } from './postgres-ingest-log.ts';
import { PostgresNotices } from './postgres-notices.ts';
import { PostgresWorkerSockets } from './postgres-worker-sockets.ts';

export interface PostgresCoordinationParts {
  /** It becomes the owner of both pools. The migrations of the control store have created the tables. */
  pool: Pool;
  /** For rate limits, which every request waits for: its queries give up soon. */
  rateLimitPool: Pool;
  /** Turns an error of the database into a StorageError; null for one that is a bug. */
  failureOf: (error: unknown) => StorageError | null;
  clock: Clock;
  log: Log;
}

export function postgresCoordination({ pool, rateLimitPool, failureOf, clock, log }: PostgresCoordinationParts): Coordination {
  const buckets = new PostgresBuckets(rateLimitPool, failureOf, clock);
  const notices = new PostgresNotices(pool, log);
  const ingestLog = new PostgresIngestLog(pool, notices, log);
  return {
    buckets,
    notices,
    ingestLog,
    workerSockets: new PostgresWorkerSockets(pool, failureOf),
    stop: async () => {
      buckets.stop();
      await ingestLog.stop();
      await notices.stop();
      await Promise.all([pool.end(), rateLimitPool.end()]);
    },
  };
}
