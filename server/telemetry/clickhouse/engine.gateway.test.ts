/** What the store relies on, and what the fixture's server must share with any other ClickHouse. */
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClickHouseDatabase, ClickHouseServer } from '../../fixtures/clickhouse.ts';

let server: ClickHouseServer;
let database: ClickHouseDatabase;
let client: ClickHouseClient;

const command = (query: string) => client.command({ query });
const select = async <T>(query: string, query_params: Record<string, unknown> = {}): Promise<T[]> =>
  (await client.query({ query, query_params, format: 'JSONEachRow' })).json<T>();

beforeAll(async () => {
  server = await ClickHouseServer.startOwn();
  database = await server.createDatabase();
  client = createClient({
    url: database.url,
    log: { level: ClickHouseLogLevel.OFF },
    compression: { request: true, response: true },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
  });
});
afterAll(async () => {
  await client?.close();
  await database?.drop();
  await server?.stop();
});

it('parameters keep their types and every character', async () => {
  const text = `'"\\ \n\t{x:String} % _ é 🦀`;
  const params = { text, big: '18446744073709551615', list: ["a'b", 'c\\d'], map: { "k'": 'v"' } };
  const query = 'SELECT {text:String} AS text, {big:UInt64} AS big, {list:Array(String)} AS list, {map:Map(String, String)} AS map';
  expect(await select(query, params)).toEqual([params]);
});

it('a compressed insert stores every row', async () => {
  await command('CREATE TABLE compressed (n UInt32, text String) ENGINE = MergeTree ORDER BY n');
  const values = Array.from({ length: 5000 }, (_, n) => ({ n, text: `row ${n}` }));
  await client.insert({ table: 'compressed', values, format: 'JSONEachRow' });
  expect(await select('SELECT count() AS count, sum(n) AS sum, uniqExact(text) AS texts FROM compressed')).toEqual([
    { count: '5000', sum: String((5000 * 4999) / 2), texts: '5000' },
  ]);
});

it('errors have a code and a type', async () => {
  await expect(select('SELECT 1 FROM missing')).rejects.toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' });
});

it('FINAL shows the highest version of a row, and not the row when that is gone', async () => {
  await command('CREATE TABLE versions (id UInt8, text String, ver UInt64, gone UInt8) ENGINE = ReplacingMergeTree(ver, gone) ORDER BY id');
  for (const rows of ["(1, 'new', 2, 0), (2, 'here', 1, 0)", "(1, 'old', 1, 0), (2, '', 2, 1)"])
    await command(`INSERT INTO versions VALUES ${rows}`);
  expect(await select('SELECT id, text FROM versions FINAL ORDER BY id')).toEqual([{ id: 1, text: 'new' }]);
  await command('OPTIMIZE TABLE versions FINAL');
  expect(await select('SELECT id, text FROM versions FINAL ORDER BY id')).toEqual([{ id: 1, text: 'new' }]);
});

it('a text index answers LIKE, also inside words', async () => {
  await command(
    'CREATE TABLE texts (n UInt32, text String, INDEX words text TYPE text(tokenizer = splitByNonAlpha)) ENGINE = MergeTree ORDER BY n SETTINGS index_granularity = 64',
  );
  await command(
    "INSERT INTO texts SELECT number, if(number = 4321, 'a strawberry here', concat('text ', toString(number))) FROM numbers(10000)",
  );
  const query = "SELECT n FROM texts WHERE text LIKE '%rawber%'";
  expect(await select(query)).toEqual([{ n: 4321 }]);
  const plan = (await select<{ explain: string }>(`EXPLAIN indexes = 1 ${query}`)).map(({ explain }) => explain.trim());
  expect(plan.slice(plan.indexOf('Name: words'))).toContainEqual(expect.stringMatching(/^Granules: 1\//));
});

it('a query that takes too long ends with the code 159', async () => {
  const endless = client.query({
    query: 'SELECT count() FROM numbers(1e15) WHERE NOT ignore(sipHash64(number))',
    clickhouse_settings: { max_execution_time: 1 },
  });
  await expect(endless).rejects.toMatchObject({ code: '159', type: 'TIMEOUT_EXCEEDED' });
});

it('a query that needs too much memory ends with the code 241', async () => {
  const large = client.query({
    query: 'SELECT groupArray(number) FROM numbers(1e8)',
    clickhouse_settings: { max_memory_usage: '50000000' },
  });
  await expect(large).rejects.toMatchObject({ code: '241', type: 'MEMORY_LIMIT_EXCEEDED' });
});

it('what was acknowledged outlasts SIGKILL', async () => {
  await command('CREATE TABLE kept (n UInt32) ENGINE = MergeTree ORDER BY n SETTINGS fsync_after_insert = 1, fsync_part_directory = 1');
  await client.insert({ table: 'kept', values: [{ n: 1 }, { n: 2 }], format: 'JSONEachRow' });
  await server.kill();
  await expect(select('SELECT n FROM kept')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await server.restart();
  expect(await select('SELECT n FROM kept ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
});
