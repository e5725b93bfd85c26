/** Coordination of several gateways through PostgreSQL. */
import type { Pool } from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Coordination } from './coordination.ts';
import { PostgresBuckets } from './postgres-buckets.ts';
import { PostgresNotices } from './postgres-notices.ts';

/** @param pool of which it becomes the owner. The migrations of the control store have created its tables */
export function postgresCoordination(pool: Pool, clock: Clock, log: Log): Coordination {
  const buckets = new PostgresBuckets(pool, clock);
  const notices = new PostgresNotices(pool, log);
  return {
    buckets,
    notices,
    stop: async () => {
      buckets.stop();
      await notices.stop();
      await pool.end();
    },
  };
}
