/** Coordination of several gateways through PostgreSQL. */
import type { Pool } from 'pg';
import type { Coordination } from './coordination.ts';

/** @param pool of which it becomes the owner. The migrations of the control store have created its tables */
export const postgresCoordination = (pool: Pool): Coordination => ({
  stop: () => pool.end(),
});
