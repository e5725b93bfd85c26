/** Coordination of several gateways through PostgreSQL. */
import type { Pool } from 'pg';
import type { Log } from '../platform/log.ts';
import type { Coordination } from './coordination.ts';
import { PostgresNotices } from './postgres-notices.ts';

/** @param pool of which it becomes the owner. The migrations of the control store have created its tables */
export const postgresCoordination = (pool: Pool, log: Log): Coordination => {
  const notices = new PostgresNotices(pool, log);
  const stop = async () => {
    await notices.stop();
    await pool.end();
  };
  return { notices, stop };
};
