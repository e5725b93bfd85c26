/**
 * PostgreSQL is ended at once and started again while a gateway stores records: no acknowledged one is lost, the others are refused so that
 * clients repeat them, and the gateway goes on by itself.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresDatabase, PostgresServer } from '../../fixtures/postgres.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';

const writers = 4;
const restarts = 3;
/** Of the first success after the server is back. */
const recoveryMs = 5000;

const server = await PostgresServer.startCluster();
let database: PostgresDatabase;
let cloud: TestCloud;

beforeAll(async () => {
  database = await server.createDatabase();
  cloud = await startTestCloud({ place: { url: database.url, connections: 10 } });
});
afterAll(async () => {
  await cloud.stop();
  await database.drop();
  await server.stop();
});

interface Refusal {
  status: number;
  code: string | undefined;
  retryAfter: string | null;
}

it('acknowledged records survive restarts of PostgreSQL, and others are refused for a moment', async () => {
  const { api_key, app_id, client } = cloud.tenant;
  const headers = { Authorization: api_key, 'X-Service-App-Id': app_id, 'Content-Type': 'application/json' };
  const acknowledged: string[] = [];
  const refusals: Refusal[] = [];
  let isDone = false;
  const write = async (writer: number) => {
    for (let count = 0; !isDone; count++) {
      const body = JSON.stringify({ resource_id: 'x', resource_type: 'trace', body: `${writer} ${count}` });
      const response = await cloud.fetch('/v1/comments', { method: 'POST', headers, body });
      const answer = (await response.json()) as { data?: { id: string }; error?: { code: string } };
      if (response.status === 201 && answer.data) acknowledged.push(answer.data.id);
      else refusals.push({ status: response.status, code: answer.error?.code, retryAfter: response.headers.get('retry-after') });
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const more = (count: number) => {
    const enough = acknowledged.length + count;
    return expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThanOrEqual(enough);
  };
  let slowestMs = 0;
  for (let restart = 0; restart < restarts; restart++) {
    await more(20);
    await server.restart();
    const backMs = performance.now();
    await more(1);
    slowestMs = Math.max(slowestMs, performance.now() - backMs);
  }
  await more(20);
  isDone = true;
  await writing;

  const stored = new Set<string>();
  for (let offset = 0; offset === 0 || stored.size === offset; offset += 100) {
    const { data } = await client.comments.list({ query: { resource_id: 'x', limit: 100, offset } });
    for (const { id } of data) stored.add(id);
  }
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  expect(refusals.length).toBeGreaterThan(0);
  expect(
    refusals.filter(({ status, code, retryAfter }) => status !== 503 || code !== 'storage_unavailable' || !Number(retryAfter)),
  ).toEqual([]);
  process.stdout.write(
    `${restarts} restarts of PostgreSQL: ${acknowledged.length} records acknowledged, ${stored.size} stored, ` +
      `${refusals.length} refused; first success ${Math.round(slowestMs)} ms after the server was back, at the latest\n`,
  );
  expect(slowestMs).toBeLessThan(recoveryMs);
});
