import { afterAll } from 'vitest';
import { PostgresServer } from '../../fixtures/postgres.ts';
import { describeControlStore } from '../conformance/describe-control-store.ts';
import type { ControlLocation } from '../conformance/guarantee.ts';
import { openPostgresControl } from './open.ts';

/** Two hundred attempts wait for ten connections, on a machine that runs all tests at once. */
const patient = { connectionTimeoutMillis: 120_000, statement_timeout: 120_000, query_timeout: 125_000 };

const server = await PostgresServer.start();
afterAll(() => server.stop());

function newDatabase(): ControlLocation {
  const database = server.createDatabase();
  return {
    open: async (clock) => openPostgresControl({ url: (await database).url, connections: 10 }, clock, undefined, patient),
    remove: async () => (await database).drop(),
  };
}

describeControlStore('postgres', newDatabase, { gateways: 2 });
