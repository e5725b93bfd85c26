/** What a gateway sees when PostgreSQL cannot be reached or used: an error that clients may retry, and no change by halves. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresDatabase, PostgresServer, withClient } from '../../fixtures/postgres.ts';
import { systemClock } from '../../platform/clock.ts';
import { StorageError } from '../../telemetry/storage-error.ts';
import type { Actor } from '../actor.ts';
import type { ControlStore } from '../control-store.ts';
import { openPostgresControl } from './open.ts';
import { storageFailure } from './storage-failure.ts';

const by: Actor = { kind: 'system', id: 'test', ip: null };
const server = await PostgresServer.start();
let database: PostgresDatabase;
let control: ControlStore;

const open = (parameters: Readonly<Record<string, string>> = {}) => {
  const url = new URL(database.url);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return openPostgresControl({ url: url.href, connections: 3 }, systemClock);
};
const create = (store: ControlStore, name: string) => store.tenants.create(by, { name, plan: 'free' });
const namesIn = async (store: ControlStore) => (await store.tenants.list()).map(({ name }) => name);
const terminateOthers =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

beforeAll(async () => {
  database = await server.createDatabase();
  control = await open();
});
afterAll(async () => {
  await control.stop();
  await database.drop();
  await server.stop();
});

it('a store goes on with new connections when those that it had have ended', async () => {
  await create(control, 'before');
  await withClient(database.url, (client) => client.query(terminateOthers));
  await expect.poll(() => namesIn(control).catch(() => [])).toContain('before');
  await create(control, 'after');
});

it('a transaction whose connection ends is undone', () =>
  withClient(database.url, async (client) => {
    await client.query('BEGIN; LOCK TABLE audit IN SHARE MODE');
    const created = create(control, 'halfway').catch((error: unknown) => error);
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
    await client.query(terminateOthers);
    expect(await created).toMatchObject({ name: 'StorageError', errorKind: 'io', message: 'the database cannot be reached' });
    await client.query('ROLLBACK');
    await expect.poll(() => namesIn(control).catch(() => null)).not.toContain('halfway');
  }));

it('a query that takes too long is ended, and nothing of its transaction is stored', () =>
  withClient(database.url, async (client) => {
    const hasty = await open({ statement_timeout: '50' });
    await client.query('BEGIN; LOCK TABLE audit IN SHARE MODE');
    await expect(create(hasty, 'late')).rejects.toMatchObject({ name: 'StorageError', errorKind: 'slow' });
    await client.query('ROLLBACK');
    expect(await namesIn(hasty)).not.toContain('late');
    await create(hasty, 'in time');
    await hasty.stop();
  }));

it('a database that refuses connections, or does not exist, is named as such', async () => {
  const at = (url: string) => openPostgresControl({ url, connections: 1 }, systemClock);
  await expect(at('postgres://glasshouse@127.0.0.1:1/none')).rejects.toMatchObject({
    errorKind: 'io',
    message: 'the database cannot be reached',
  });
  const missing = new URL(database.url);
  missing.pathname = '/missing';
  await expect(at(missing.href)).rejects.toMatchObject({ errorKind: 'io', message: 'the database does not exist' });
});

it.each([
  ['53100', 'full'],
  ['53300', 'busy'],
  ['40001', 'busy'],
  ['57P03', 'io'],
  ['25006', 'io'],
  ['XX001', 'corrupt'],
  ['ECONNRESET', 'io'],
] as const)('%s is a failure of the kind %s', (code, errorKind) => {
  const error = storageFailure(Object.assign(new Error('with 10.0.0.5 in it'), { code }));
  expect(error).toBeInstanceOf(StorageError);
  expect(error).toMatchObject({ errorKind, message: expect.not.stringContaining('10.0.0.5') });
});

it('other errors are mistakes of ours', () => {
  for (const code of ['42601', '23505', '22P02', 'ERR_INVALID_ARG_TYPE'])
    expect(storageFailure(Object.assign(new Error('x'), { code }))).toBeNull();
});

it('a text with the character 0 is stored without it', async () => {
  const { id } = await create(control, 'nul\0 inside');
  expect((await control.tenants.find(id))?.name).toBe('nul\ufffd inside');
  expect(await control.tenants.find('\0')).toBeNull();
});
