import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ClickHouseDatabase, ClickHouseServer } from '../../fixtures/clickhouse.ts';
import { type PostgresDatabase, PostgresServer, withClient } from '../../fixtures/postgres.ts';
import { connectClickHouse, noLimits } from './connect.ts';
import { type Migration, migrate } from './migrate.ts';
import { postgresMigrationLog, tableMigrationLog } from './migration-logs.ts';

let server: ClickHouseServer;
let postgresServer: PostgresServer;
let database: ClickHouseDatabase;
let postgres: PostgresDatabase;
let client: ClickHouseClient;

/** Notes each of its runs, so that a second one shows. */
const migration = (id: string, ...more: string[]): Migration => ({
  id,
  statements: ['CREATE TABLE IF NOT EXISTS ran (id String) ENGINE = MergeTree ORDER BY id', ...more, `INSERT INTO ran VALUES ('${id}')`],
});
const [first, second, third] = ['001-one', '002-two', '003-three'].map((id) => migration(id)) as [Migration, Migration, Migration];

const runs = async (): Promise<string[]> => {
  const found = await client.query({ query: 'SELECT id FROM ran ORDER BY id', format: 'JSONEachRow' });
  return (await found.json<{ id: string }>()).map(({ id }) => id);
};
/** As a gateway that starts, with connections of its own. */
const start = (migrations: readonly Migration[]): Promise<void> =>
  withClient(postgres.url, async (connection) => {
    const own = connectClickHouse({ url: database.url, connections: 1 }, noLimits);
    await migrate(own, postgresMigrationLog(connection), migrations).finally(() => own.close());
  });

beforeAll(async () => {
  [server, postgresServer] = await Promise.all([ClickHouseServer.start(), PostgresServer.start()]);
});
afterAll(async () => {
  await server?.stop();
  await postgresServer?.stop();
});

beforeEach(async () => {
  [database, postgres] = await Promise.all([server.createDatabase(), postgresServer.createDatabase()]);
  client = connectClickHouse({ url: database.url, connections: 2 });
  return async () => {
    await client.close();
    await database.drop();
    await postgres.drop();
  };
});

it.each([
  ['empty', []],
  ['old', [first]],
] as const)('gateways that start together on an %s schema run each migration once', (_, before) =>
  withClient(postgres.url, (one) =>
    withClient(postgres.url, async (other) => {
      const all = [first, second, third];
      for (let time = 0; time < 20; time++) {
        await migrate(client, postgresMigrationLog(one), before);
        await Promise.all([one, other].map((connection) => migrate(client, postgresMigrationLog(connection), all)));
        expect(await runs()).toEqual(['001-one', '002-two', '003-three']);
        await client.command({ query: 'DROP TABLE ran SYNC' });
        await one.query('DROP TABLE telemetry_migration');
      }
    }),
  ),
);

describe.each(['PostgreSQL', 'ClickHouse'])('noted in %s', (place) => {
  const startThere = (migrations: readonly Migration[]) =>
    place === 'PostgreSQL' ? start(migrations) : migrate(client, tableMigrationLog(client), migrations);

  it('a start runs what is missing, and the next one nothing', async () => {
    await startThere([first]);
    await startThere([first, second]);
    await startThere([first, second]);
    expect(await runs()).toEqual(['001-one', '002-two']);
  });

  it('a migration that fails is repeated by the next start, and those before it are not', async () => {
    await expect(startThere([first, migration('002-two', 'CREATE broken')])).rejects.toBeInstanceOf(ClickHouseError);
    expect(await runs()).toEqual(['001-one']);
    await startThere([first, second]);
    expect(await runs()).toEqual(['001-one', '002-two']);
  });

  it('a database of a later version is refused, and stays as it is', async () => {
    await startThere([first, third]);
    await expect(startThere([first, second])).rejects.toMatchObject({
      name: 'StorageError',
      errorKind: 'newer_schema',
      message: expect.stringContaining('003-three'),
    });
    expect(await runs()).toEqual(['001-one', '003-three']);
  });
});

it('a database that cannot be reached is named as such', async () => {
  const nowhere = connectClickHouse({ url: 'http://127.0.0.1:1/none', connections: 1 }, noLimits);
  await expect(migrate(nowhere, tableMigrationLog(nowhere), [first])).rejects.toMatchObject({ errorKind: 'io' });
  await nowhere.close();
});
