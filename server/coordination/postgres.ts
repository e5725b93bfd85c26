/**
 * Coordination of several gateways through PostgreSQL. It has connections of its own, because what it does must not wait behind transactions of
 * the control store.
 */
import { connectionPool, type PostgresAddress } from '../control/postgres/open.ts';
import type { Coordination } from './coordination.ts';

const connections = 2;

/** @param address of the control store, whose migrations have created the tables of this one */
export function postgresCoordination({ url }: PostgresAddress): Coordination {
  const pool = connectionPool({ url, connections });
  return {
    stop: () => pool.end(),
  };
}
