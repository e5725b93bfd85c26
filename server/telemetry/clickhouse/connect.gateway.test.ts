import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ClickHouseDatabase, ClickHouseServer } from '../../fixtures/clickhouse.ts';
import { forCaller } from '../../platform/caller.ts';
import { oneTenant, ReaderPool } from '../sqlite/read/reader-pool.ts';
import { connectClickHouse, queryMs } from './connect.ts';
import { QueryPool, type QuerySharing, unshared } from './read/query-pool.ts';
import { ReadContext } from './read/read-context.ts';
import { StoreCursors } from './read/store-cursors.ts';
import { select as selectRows } from './select.ts';
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
  ['745', 'busy', 'CPU is overloaded'],
  ['439', 'busy', 'Cannot schedule a task: no free thread'],
  ['173', 'busy', 'Cannot allocate memory'],
  ['201', 'busy', 'Quota for user has been exceeded'],
  ['158', 'slow', 'Limit for rows to read exceeded'],
  ['307', 'slow', 'Limit for bytes to read exceeded'],
  ['396', 'slow', 'Limit for result exceeded'],
  ['191', 'slow', 'IN-set size limit exceeded'],
  ['128', 'slow', 'Too large array size'],
  ['198', 'io', 'Not found address of host: 10.0.0.5'],
  ['279', 'io', 'All connection tries failed: 10.0.0.5'],
  ['735', 'abandoned', 'Query was cancelled by the client'],
  ['49', 'io', 'Logical error: 10.0.0.5'],
  ['2999', 'io', 'An error of a later version at 10.0.0.5'],
] as const)('error %s is a failure of the kind %s', (code, errorKind, message) => {
  const failure = storageFailure(new ClickHouseError({ code, message, type: '' }));
  expect(failure).toMatchObject({ name: 'StorageError', errorKind, message: expect.not.stringContaining('10.0.0.5') });
});

it('other errors are mistakes of ours', async () => {
  expect(await failureOf(client, 'SELEC 1')).toBeNull();
  expect(await failureOf(client, 'SELECT 1 FROM missing')).toBeNull();
  expect(await failureOf(client, 'SELECT missing')).toBeNull();
  expect(await failureOf(client, "SELECT 1 + 'a'")).toBeNull();
  expect(await failureOf(client, 'SELECT {missing:String}')).toBeNull();
  expect(storageFailure(new TypeError('x is not a function'))).toBeNull();
});

describe('reads', () => {
  const contexts: ReadContext[] = [];
  const open = (sharing: Partial<QuerySharing> = {}) => {
    const context = new ReadContext(client, new StoreCursors(Buffer.alloc(32)), new QueryPool({ ...unshared, ...sharing }));
    contexts.push(context);
    return context;
  };
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.stop())));

  const read = (context: ReadContext, tenant: string, query = 'SELECT 1 AS one', signal = new AbortController().signal) =>
    forCaller(signal, () => context.inApp({ tenant_id: tenant, app_id: 'app' }, query));
  const running = async (name: string) => {
    const query = 'SELECT count() AS count FROM system.processes WHERE position(query, {name:String}) > 0 AND query NOT LIKE {own:String}';
    return select(client, query, { query_params: { name, own: '%system.processes%' } });
  };
  const expectRunning = (name: string, count: number) => expect.poll(() => running(name), { timeout: 60_000 }).toEqual([{ count }]);
  const endlessQuery = (name: string) => `SELECT count() FROM numbers(1e15) WHERE NOT ignore(sipHash64(number, '${name}'))`;
  function endless(context: ReadContext, tenant: string, name: string) {
    const caller = new AbortController();
    const ended = read(context, tenant, endlessQuery(name), caller.signal).catch((error: unknown) => error);
    return { ended, drop: () => caller.abort() };
  }

  it('a query whose caller has left ends in the database', async () => {
    const { ended, drop } = endless(open(), 'acme', 'left');
    await expectRunning('left', 1);
    drop();
    expect(await ended).toMatchObject({ errorKind: 'abandoned' });
    await expectRunning('left', 0);
  });

  it('a query ends in the database while its result is being read, too', async () => {
    const caller = new AbortController();
    const query = "SELECT number FROM numbers(1e15) WHERE NOT ignore('result')";
    const result = selectRows(client, { query, format: 'JSONEachRow' }, caller.signal, async (rows) => {
      for await (const _ of rows.stream()) caller.abort();
    });
    await expect(result).rejects.toThrow();
    await expectRunning('result', 0);
  });

  it('a store that stops ends its queries', async () => {
    const context = open({ connections: 1 });
    const { ended } = endless(context, 'acme', 'stopping');
    await expectRunning('stopping', 1);
    const waiting = endless(context, 'acme', 'never begun');
    await context.stop();
    expect(await ended).toMatchObject({ errorKind: 'stopping' });
    expect(await waiting.ended).toMatchObject({ errorKind: 'stopping' });
    await expectRunning('stopping', 0);
  });

  it('the queries of one tenant leave connections to the others, and no more than some may wait', async () => {
    const context = open({ connections: 2, perTenant: 1, waitingMax: 3 });
    await read(context, 'acme');
    const queries = Array.from({ length: 4 }, () => endless(context, 'bolt', 'unfair'));
    await expectRunning('unfair', 1);
    for (let n = 0; n < 3; n++) expect(await read(context, 'acme')).toEqual([{ one: 1 }]);
    await expect(read(context, 'bolt')).rejects.toMatchObject({ errorKind: 'crowded' });
    await expectRunning('unfair', 1);
    for (const { drop } of queries) drop();
    for (const { ended } of queries) expect(await ended).toMatchObject({ errorKind: 'abandoned' });
    expect(await read(context, 'bolt')).toEqual([{ one: 1 }]);
  });

  it('waiting is part of the time of a query, but not of that of the gateway itself', async () => {
    const context = open({ connections: 1, budgetMs: 1500 });
    const first = endless(context, 'bolt', 'long');
    await expectRunning('long', 1);
    const late = endless(context, 'acme', 'late');
    expect(await first.ended).toMatchObject({ errorKind: 'slow' });
    expect(await late.ended).toMatchObject({ name: 'StorageError', errorKind: expect.stringMatching(/crowded|slow/) });
    const limit = "SELECT value FROM system.settings WHERE name = 'max_execution_time'";
    expect(await context.rows(limit)).toEqual([{ value: '10' }]);
    expect(Number(((await read(context, 'acme', limit)) as { value: string }[])[0]?.value)).toBeLessThan(1.5);
  });

  it('the time of a query is that of the address', () => {
    expect(queryMs(database.url)).toBe(10_000);
    expect(queryMs(withParameters(database.url, { clickhouse_setting_max_execution_time: '20' }))).toBe(20_000);
  });

  it('a copy is not fetched any more when its caller has left', async () => {
    const asked: Promise<unknown>[] = [];
    const silent = createServer((_, response) => asked.push(once(response, 'close'))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/x?request_timeout=600000`, connections: 1 };
    const source = { role: 'clickhouse-read', clickhouse: address, cursorKey: Buffer.alloc(32) } as const;
    const pool = new ReaderPool(new URL('../../entry/thread.ts', import.meta.url), source, { ...oneTenant, readers: 1, budgetMs: 600_000 });
    const caller = new AbortController();
    const scope = { tenant_id: 'acme', app_id: 'app' };
    const copied = { trace_ids: ['1'.repeat(32)], scores: false };
    const graph = forCaller(caller.signal, () => pool.readsOver(copied).traces.graph(scope, '1'.repeat(32)));
    const ended = graph.catch((error: unknown) => error);
    await expect.poll(() => asked, { timeout: 60_000 }).toHaveLength(1);
    caller.abort();
    expect(await ended).toMatchObject({ errorKind: 'abandoned' });
    await asked[0];
    await pool.stop();
    silent.close();
  });
});
