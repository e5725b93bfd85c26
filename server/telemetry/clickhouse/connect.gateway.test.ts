import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClickHouseDatabase, ClickHouseServer } from '../../fixtures/clickhouse.ts';
import { connectClickHouse } from './connect.ts';
import { storageFailure } from './storage-failure.ts';

let server: ClickHouseServer;
let database: ClickHouseDatabase;
let client: ClickHouseClient;

const connect = (url: string, limits?: { seconds: number; bytes: number }) => connectClickHouse({ url, connections: 2 }, limits);
const select = async (from: ClickHouseClient, query: string, options: object = {}): Promise<unknown[]> =>
  (await from.query({ query, format: 'JSONEachRow', ...options })).json();
/** The failure of a query, as callers of the store see it. */
const failureOf = async (from: ClickHouseClient, query: string, options: object = {}) => {
  const error = await select(from, query, options).then(
    () => null,
    (error: unknown) => error,
  );
  return storageFailure(error);
};
const withParameters = (url: string, parameters: Record<string, string>): string => {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value);
  return changed.href;
};

beforeAll(async () => {
  server = await ClickHouseServer.start();
  database = await server.createDatabase();
  client = connect(database.url);
});
afterAll(async () => {
  await client?.close();
  await database?.drop();
  await server?.stop();
});

it('the address names the database, and microseconds in 64 bits are exact numbers', async () => {
  const name = new URL(database.url).pathname.slice(1);
  expect(await select(client, 'SELECT currentDatabase() AS name, toInt64(9007199254740991) AS n')).toEqual([
    { name, n: Number.MAX_SAFE_INTEGER },
  ]);
});

it('queries have limits, which the address may change, and inserts are stored by themselves', async () => {
  const query =
    "SELECT name, value FROM system.settings WHERE name IN ('max_execution_time', 'max_memory_usage', 'max_bytes_before_external_sort', 'max_bytes_before_external_group_by', 'async_insert') ORDER BY name";
  const ours = [
    { name: 'async_insert', value: '0' },
    { name: 'max_bytes_before_external_group_by', value: '500000000' },
    { name: 'max_bytes_before_external_sort', value: '500000000' },
    { name: 'max_execution_time', value: '10' },
    { name: 'max_memory_usage', value: '1000000000' },
  ];
  expect(await select(client, query)).toEqual(ours);
  const patient = connect(withParameters(database.url, { clickhouse_setting_max_execution_time: '20' }));
  expect(await select(patient, query)).toContainEqual({ name: 'max_execution_time', value: '20' });
  await patient.close();
});

it('a list of thousands of values is a parameter', async () => {
  const list = Array.from({ length: 3000 }, (_, n) => String(n).padStart(32, '0'));
  expect(await select(client, 'SELECT length({list:Array(String)}) AS length', { query_params: { list } })).toEqual([{ length: 3000 }]);
});

it('a query over its time or its memory is slow', async () => {
  const endless = 'SELECT count() FROM numbers(1e15) WHERE NOT ignore(sipHash64(number))';
  expect(await failureOf(client, endless, { clickhouse_settings: { max_execution_time: 1 } })).toMatchObject({ errorKind: 'slow' });
  const large = 'SELECT groupArray(number) FROM numbers(1e8)';
  expect(await failureOf(client, large, { clickhouse_settings: { max_memory_usage: '50000000' } })).toMatchObject({ errorKind: 'slow' });
});

it('a failure in the middle of an answer is one', async () => {
  const late = 'SELECT number, throwIf(number = 19000) FROM numbers(20000)';
  const inPieces = { clickhouse_settings: { max_block_size: '1000', http_response_buffer_size: '0' } };
  await expect(select(client, late, inPieces)).rejects.toBeInstanceOf(ClickHouseError);
});

it.each<[string, (url: URL) => unknown, string]>([
  ['nobody listens', (url: URL) => (url.port = '1'), 'the database cannot be reached'],
  ['the database does not exist', (url: URL) => (url.pathname = '/missing'), 'the database does not exist'],
  ['the password is wrong', (url: URL) => (url.password = 'wrong'), 'the database refuses the gateway'],
])('%s', async (_, change, message) => {
  const url = new URL(database.url);
  change(url);
  const other = connect(url.href);
  expect(await failureOf(other, 'SELECT 1')).toMatchObject({ errorKind: 'io', message });
  await other.close();
});

it.each<[string, RequestListener, string]>([
  ['cuts the connection', (request) => request.socket.destroy(), 'io'],
  ['is behind a proxy that cannot reach it', (_, response) => response.writeHead(502).end('<h1>502 Bad Gateway</h1>'), 'io'],
  ['falls silent', () => {}, 'slow'],
])('a server that %s', async (_, listener, errorKind) => {
  const broken = createServer(listener).listen(0, '127.0.0.1');
  await once(broken, 'listening');
  const other = connect(`http://127.0.0.1:${(broken.address() as AddressInfo).port}/x?request_timeout=500`);
  expect(await failureOf(other, 'SELECT 1')).toMatchObject({ name: 'StorageError', errorKind });
  await other.close();
  broken.closeAllConnections();
  broken.close();
});

it.each([
  ['243', 'full', 'Cannot reserve 1.00 MiB, not enough space'],
  ['1001', 'full', 'std::__1::__fs::filesystem::filesystem_error: No space left on device'],
  ['252', 'busy', 'Too many parts'],
  ['202', 'busy', 'Too many simultaneous queries'],
  ['242', 'io', 'Table is in readonly mode'],
  ['40', 'corrupt', 'Checksum does not match in /var/lib/clickhouse on 10.0.0.5'],
] as const)('error %s is a failure of the kind %s', (code, errorKind, message) => {
  const failure = storageFailure(new ClickHouseError({ code, message, type: '' }));
  expect(failure).toMatchObject({ name: 'StorageError', errorKind, message: expect.not.stringContaining('10.0.0.5') });
});

it('other errors are mistakes of ours', async () => {
  expect(await failureOf(client, 'SELEC 1')).toBeNull();
  expect(await failureOf(client, 'SELECT 1 FROM missing')).toBeNull();
  expect(storageFailure(new TypeError('x is not a function'))).toBeNull();
});
