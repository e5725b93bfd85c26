/**
 * Three gateways of a fleet behind the proxy, of which one after the other is killed (SIGKILL) while spans arrive: what was acknowledged is stored, once,
 * every roll-up is that of its spans, and every large value that a row names is in S3.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRequest, aSpan, aSpanId, aTraceId } from '../../shared/fixtures/otlp.ts';
import { folderOfApp } from '../blobs/contents.ts';
import { type Bootstrapped, bootstrap } from '../entry/bootstrap.ts';
import { withClickHouse } from '../fixtures/clickhouse.ts';
import { bundleOfTests, fromSources } from '../fixtures/from-sources.ts';
import type { Scope } from '../platform/scope.ts';
import { Cluster } from './cluster.ts';

/** GLASSHOUSE_ALL_CASES=1: sixty, one every five seconds. */
const kills = process.env['GLASSHOUSE_ALL_CASES'] ? 60 : 3;
const killEveryMs = 5_000;
const senders = 4;
/** Of each request, in half as many traces. */
const spansPerRequest = Number(process.env['GLASSHOUSE_SPANS_PER_REQUEST'] ?? 20);
/** Of each sender between two requests. */
const pauseMs = 100;
const minutes = 20;
/** Of the requests that have a large value. */
const largeShare = 0.1;

const folder = mkdtempSync(join(tmpdir(), 'glasshouse-cluster-'));
let cluster: Cluster;
let tenant: Bootstrapped;

beforeAll(async () => {
  cluster = await Cluster.start({
    dataDir: folder,
    instances: 3,
    port: 0,
    gateway: [process.execPath, fromSources, join(import.meta.dirname, '../entry/cloud-gateway.ts')],
    environment: bundleOfTests as Record<string, string>,
  });
  const place = { url: cluster.postgres.url, connections: 1 };
  tenant = await bootstrap({
    dataDir: folder,
    place,
    email: 'owner@acme.test',
    password: 'correct horse',
    tenant: 'acme',
    plan: 'enterprise',
  });
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Sent {
  /** Trace and span ids. */
  acknowledged: Set<string>;
  sent: Set<string>;
  refused: number;
}

async function sendUntil(signal: AbortSignal, into: Sent): Promise<void> {
  while (!signal.aborted) {
    const large = Math.random() < largeShare ? `${aTraceId()} ${'and so on, '.repeat(27_000)}` : '';
    const spans = Array.from({ length: spansPerRequest / 2 }, (_, number) => {
      const ids = { traceId: aTraceId(), spanId: aSpanId() };
      const call = { 'gen_ai.request.model': 'gpt-4o', 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 7 };
      return [
        aSpan({ ...ids, ...(large && number === 0 && { attributes: { 'input.value': large } }) }),
        aSpan({ traceId: ids.traceId, parentSpanId: ids.spanId, attributes: call }),
      ];
    }).flat();
    const keys = spans.map((span) => `${span['traceId'] as string} ${span['spanId'] as string}`);
    for (const key of keys) into.sent.add(key);
    // A sender repeats what was not acknowledged, and now and then what was.
    for (let attempt = 0; attempt < 100; attempt++) {
      const isStored = await post(spans);
      if (isStored) break;
      into.refused++;
      await sleep(pauseMs);
    }
    for (const key of keys) into.acknowledged.add(key);
    if (Math.random() < 0.15) await post(spans);
    await sleep(pauseMs);
  }
}

async function post(spans: object[]): Promise<boolean> {
  const headers = { Authorization: tenant.api_key, 'X-Service-App-Id': tenant.app_id, 'Content-Type': 'application/json' };
  const answer = await fetch(`${cluster.url}/v1/traces`, { method: 'POST', headers, body: JSON.stringify(aRequest(spans)) }).catch(
    () => null,
  );
  await answer?.arrayBuffer().catch(() => null);
  return answer?.status === 200;
}

const rows = <Row>(query: string): Promise<Row[]> =>
  withClickHouse(cluster.clickhouse.url, async (client) => (await client.query({ query, format: 'JSONEachRow' })).json<Row>());

it('keeps what it acknowledged, once, with the right roll-ups', { timeout: minutes * 60_000 }, async () => {
  const into: Sent = { acknowledged: new Set(), sent: new Set(), refused: 0 };
  const stopped = new AbortController();
  const sending = Array.from({ length: senders }, () => sendUntil(stopped.signal, into));
  for (let kill = 0; kill < kills; kill++) {
    await sleep(killEveryMs);
    const number = kill % 3;
    await cluster.endInstance(number, 'SIGKILL');
    await cluster.startInstance(number);
  }
  stopped.abort();
  await Promise.all(sending);
  const pool = new Pool({ connectionString: cluster.postgres.url, max: 1 });
  await expect.poll(async () => (await pool.query('SELECT id FROM journal LIMIT 1')).rows, { timeout: 120_000 }).toEqual([]);
  expect((await pool.query('SELECT reason FROM journal_failure')).rows).toEqual([]);
  await pool.end();

  const stored = await rows<{ trace_id: string; span_id: string }>('SELECT trace_id, span_id FROM span FINAL');
  const keys = stored.map(({ trace_id, span_id }) => `${trace_id} ${span_id}`);
  expect(new Set(keys).size).toBe(keys.length);
  const found = new Set(keys);
  expect([...into.acknowledged].filter((key) => !found.has(key))).toEqual([]);
  expect(keys.filter((key) => !into.sent.has(key))).toEqual([]);
  const traces = await rows<{ spans: number; tokens: number; count: number }>(
    'SELECT span_count AS spans, tokens, count() AS count FROM trace FINAL GROUP BY spans, tokens',
  );
  expect(traces).toEqual([{ spans: 2, tokens: 107, count: keys.length / 2 }]);
  const kept = await rows<{ count: number }>('SELECT count() AS count FROM record FINAL');
  expect(kept).toEqual([{ count: keys.length }]);
  const named = await rows<Scope & { blob: string }>("SELECT tenant_id, app_id, blob FROM text FINAL WHERE blob != ''");
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(({ blob, ...scope }) => !existsSync(join(folder, 's3/fleet', folderOfApp(scope), blob)))).toEqual([]);
  process.stdout.write(
    `${into.acknowledged.size} acknowledged, ${keys.length} stored, ${into.refused} requests repeated, ${kills} kills, ${named.length} large values\n`,
  );
});
