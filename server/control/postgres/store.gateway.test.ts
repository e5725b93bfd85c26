import { afterAll } from 'vitest';
import { PostgresServer } from '../../fixtures/postgres.ts';
import { describeControlStore } from '../conformance/describe-control-store.ts';
import type { ControlLocation } from '../conformance/guarantee.ts';
import { openPostgresControl } from './open.ts';

const server = await PostgresServer.start();
afterAll(() => server.stop());

function newDatabase(): ControlLocation {
  const database = server.createDatabase();
  return {
    open: async (clock) => openPostgresControl({ url: (await database).url, connections: 10 }, clock),
    remove: async () => (await database).drop(),
  };
}

describeControlStore('postgres', newDatabase, { gateways: 2 });
