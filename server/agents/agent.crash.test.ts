/**
 * Sessions of coding agents are in two stores. Wherever the gateway crashes between them, acknowledged parts are in both, and an unfinished
 * part is completed when the next gateway starts or when the part is sent again. Nothing is stored twice.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bootstrap } from '../entry/bootstrap.ts';
import { type CrashingCloud, startCrashingCloud } from '../fixtures/crashing-cloud-process.ts';

let dataDir: string;
let tenant: { api_key: string; app_id: string };
let cloud: CrashingCloud;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-agents-'));
  tenant = await bootstrap({ dataDir, tenant: 'acme', email: 'a@acme.test', password: 'correct horse of acme' });
  cloud = await startCrashingCloud(dataDir, tenant);
});
afterAll(async () => {
  await cloud.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

const timestamp = '2026-01-15T10:00:00.000Z';
const partOf = (session_id: string, from: number, to: number) => ({
  ...{ session_id, agent: 'claude_code', started_at: timestamp, ended_at: timestamp },
  events: Array.from({ length: to - from }, (_, index) => ({
    seq: from + index,
    type: 'user' as const,
    timestamp,
    text: `event ${from + index}`,
  })),
});
const spansOf = async (session_id: string) =>
  (await cloud.client.traces.list({ query: { session_id } })).data.reduce((sum, { span_count }) => sum + span_count, 0);

it.each([
  ['record before', 0],
  ['record after', 41],
  ['contents before', 41],
  ['arrived before', 41],
  ['arrived after', 41],
])('killed at %s', async (point, resumed) => {
  await cloud.arm(`agentSessions.${point}`);
  const body = partOf(point, 0, 40);
  await cloud.client.agents.ingest({ body }).catch(() => {});
  expect(await cloud.death).toBe('SIGKILL');
  cloud = await startCrashingCloud(dataDir, tenant);

  // Durable data is completed by the start alone.
  await expect.poll(() => spansOf(point)).toBe(resumed);
  const again = (await cloud.client.agents.ingest({ body })).data;
  expect(again.events_added).toBe(resumed === 0 ? 40 : 0);
  expect(await spansOf(point)).toBe(41);

  const { data } = await cloud.client.agents.ingest({ body: partOf(point, 30, 50) });
  expect(data.events_added).toBe(10);
  expect(await spansOf(point)).toBe(51);
  expect((await cloud.client.agents.get({ params: { sessionId: point } })).data.events.map(({ seq }) => seq)).toEqual([
    ...Array(50).keys(),
  ]);
});

it('after a kill in the middle of many parts, everything acknowledged is in the session and in its trace', async () => {
  const acknowledged: number[] = [];
  const parts = Array.from({ length: 40 }, async (_, index) => {
    const { client } = cloud;
    await client.agents.ingest({ body: partOf('burst', index * 10, index * 10 + 10) }).then(
      () => acknowledged.push(index),
      () => {},
    );
    if (acknowledged.length === 15) await cloud.kill();
  });
  await Promise.all(parts);
  await cloud.kill();
  cloud = await startCrashingCloud(dataDir, tenant);
  const { events } = (await cloud.client.agents.get({ params: { sessionId: 'burst' } })).data;
  const seqs = new Set(events.map(({ seq }) => seq));
  expect(acknowledged.length).toBeGreaterThanOrEqual(15);
  expect(acknowledged.flatMap((index) => [...Array(10).keys()].map((seq) => index * 10 + seq)).filter((seq) => !seqs.has(seq))).toEqual([]);
  await expect.poll(() => spansOf('burst')).toBe(seqs.size + 1);
});
