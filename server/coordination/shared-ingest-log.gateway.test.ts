/** The ingest log of a team shows the requests to all gateways. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { IngestLogEntry } from '../../shared/contract/viewer/viewer.ts';
import { aRequest, aSpan, aTraceId } from '../../shared/fixtures/otlp.ts';
import { connectionPool } from '../control/postgres/open.ts';
import { withClient } from '../fixtures/postgres.ts';
import { startTwoClouds, type TwoClouds } from '../fixtures/two-clouds.ts';
import { silentLog } from '../platform/log.ts';
import { noNotices } from './notices.ts';
import { PostgresIngestLog } from './postgres-ingest-log.ts';

const anEntry: IngestLogEntry = {
  ...{
    id: 'x',
    at: new Date().toISOString(),
    path: '/v1/traces',
    status: 200,
    code: null,
    message: '',
    hint: '',
    encoding: '',
    media_type: '',
  },
  ...{
    bytes: 1,
    spans_accepted: 1,
    spans_duplicate: 0,
    spans_rejected: 0,
    families: {},
    kinds: {},
    duration_ms: 1,
    user_agent: '',
    batch: null,
  },
};

let clouds: TwoClouds;
beforeAll(async () => {
  clouds = await startTwoClouds();
});
afterAll(() => clouds.stop());

const headers = (batch: string) => ({
  ...{ Authorization: clouds.tenant.api_key, 'X-Service-App-Id': clouds.tenant.app_id },
  ...{ 'Content-Type': 'application/json', 'X-Service-Batch': batch },
});
const send = (url: string, batch: string, body = JSON.stringify(aRequest([aSpan({ traceId: aTraceId() })]))) =>
  fetch(`${url}/v1/traces`, { method: 'POST', headers: headers(batch), body });
const batchesAt = async ({ client }: TwoClouds['a'], search: string) =>
  (await client.viewer.ingestLog({ query: { search, limit: 500 } })).data.map(({ batch, status }) => `${batch} ${status}`);

it('each gateway shows the requests to all, newest first, once', async () => {
  for (const [batch, url] of [
    ['first', clouds.a.url],
    ['second', clouds.b.url],
    ['third', clouds.a.url],
  ] as const)
    await send(url, `each-${batch}`);
  await send(clouds.b.url, 'each-refused', 'no json');
  const all = ['each-refused 400', 'each-third 200', 'each-second 200', 'each-first 200'];
  for (const gateway of [clouds.a, clouds.b]) await expect.poll(() => batchesAt(gateway, 'each-')).toEqual(all);
});

it('the live view of each gateway counts the requests to all', async () => {
  const closing = new AbortController();
  const response = await fetch(`${clouds.a.url}/v1/viewer/live`, { headers: headers(''), signal: closing.signal });
  let text = '';
  const read = async () => {
    for await (const part of response.body as ReadableStream<Uint8Array>) text += new TextDecoder().decode(part);
  };
  read().catch(() => {});
  for (let n = 0; n < 3; n++) await send(clouds.b.url, `live-${n}`);
  await send(clouds.b.url, 'live-refused', 'no json');
  const total = (field: string) =>
    [...text.matchAll(new RegExp(`"${field}":(\\d+)`, 'g'))].reduce((sum, [, count]) => sum + Number(count), 0);
  await expect.poll(() => [total('request_count'), total('refused_count')]).toEqual([4, 1]);
  closing.abort();
});

it('another app does not see them', async () => {
  await send(clouds.a.url, 'private-1');
  await expect.poll(() => batchesAt(clouds.b, 'private-')).toEqual(['private-1 200']);
  const { rows } = await withClient(clouds.databaseUrl, (client) =>
    client.query("SELECT DISTINCT app_id FROM ingest_log WHERE entry LIKE '%private-1%'"),
  );
  expect(rows).toEqual([{ app_id: clouds.tenant.app_id }]);
});

it('while the database cannot be used, a gateway shows its own, and no request fails', async () => {
  await withClient(clouds.databaseUrl, (client) => client.query('ALTER TABLE ingest_log RENAME TO hidden'));
  expect((await send(clouds.a.url, 'away-1')).status).toBe(200);
  expect(await batchesAt(clouds.a, 'away-')).toEqual(['away-1 200']);
  await withClient(clouds.databaseUrl, (client) => client.query('ALTER TABLE hidden RENAME TO ingest_log'));
  await send(clouds.b.url, 'away-2');
  await expect.poll(() => batchesAt(clouds.a, 'away-')).toEqual(['away-2 200', 'away-1 200']);
});

it('keeps the newest 500 of each app, for a week', async () => {
  const pool = connectionPool({ url: clouds.databaseUrl, connections: 1 });
  const log = new PostgresIngestLog(pool, noNotices, silentLog);
  const { app_id, tenant_id } = clouds.tenant;
  const insert = `INSERT INTO ingest_log (tenant_id, app_id, at, entry)
    SELECT $1, $2, now() - $3 * interval '1 day', '{}' FROM generate_series(1, $4)`;
  await pool.query(insert, [tenant_id, app_id, 1, 600]);
  await pool.query(insert, [tenant_id, app_id, 8, 100]);
  // What this gateway has written is trimmed by it.
  log.add({ tenant_id, app_id }, { ...anEntry, id: 'own' });
  await expect.poll(async () => (await pool.query('SELECT FROM ingest_log WHERE entry LIKE \'%"own"%\'')).rowCount).toBe(1);
  await log.trim();
  expect((await pool.query("SELECT count(*)::int AS rows, min(at) > now() - interval '7 days' AS recent FROM ingest_log")).rows).toEqual([
    { rows: 500, recent: true },
  ]);
  await log.stop();
  await pool.end();
});
