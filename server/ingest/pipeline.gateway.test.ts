/** When the decode thread starts, and what becomes of requests when it dies. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setEnvironmentData } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aChat, aRequest, aSpan, testEpochMs } from '../../shared/fixtures/otlp.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import { batchOf } from '../telemetry/conformance/batch-of.ts';
import { openSqliteTelemetry } from '../telemetry/sqlite/store.ts';
import { QuotaExceeded } from './allowance.ts';
import { noOverrides } from './cost/own-prices.ts';
import { IngestPipeline } from './pipeline.ts';

const threadEntry = new URL('../entry/thread.ts', import.meta.url);

/** Generous hang limit. */
const timeout = 120_000;
let gateway: TestGateway;
let channel: BroadcastChannel;
let started: number;

beforeEach(async () => {
  started = 0;
  channel = new BroadcastChannel('decoders');
  channel.onmessage = () => started++;
  gateway = await startTestGateway({ threadEntry: new URL('../fixtures/crashing-decoder.ts', import.meta.url) });
});
afterEach(async () => {
  setEnvironmentData('decoder', undefined);
  await gateway.stop();
  channel.close();
});

async function send(): Promise<number> {
  const body = JSON.stringify(aRequest([aSpan()]));
  const response = await gateway.fetch('/v1/traces', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await response.arrayBuffer();
  return response.status;
}

it('the first request starts the decoder, and later ones use it', { timeout }, async () => {
  expect((await gateway.fetch('/v1/traces')).status).toBe(200);
  expect(started).toBe(0);
  expect(await send()).toBe(200);
  await vi.waitFor(() => expect(started).toBe(1), { timeout });
  expect(await send()).toBe(200);
  expect(started).toBe(1);
});

it('a request whose decoder dies is refused for now, and the next one gets another decoder', { timeout }, async () => {
  setEnvironmentData('decoder', 'deadly');
  expect(await send()).toBe(503);
  setEnvironmentData('decoder', undefined);
  expect(await send()).toBe(200);
  await vi.waitFor(() => expect(started).toBe(2), { timeout });
});

it('a sink without a channel is offered each batch, and its outcome or refusal is the answer', { timeout }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-sink-'));
  const store = await openSqliteTelemetry(dataDir, threadEntry);
  const pipeline = new IngestPipeline(threadEntry, { offer: store.sink.offer }, noOverrides);
  const scope = { tenant_id: 'tenant', app_id: 'app' };
  const span = aSpan();
  const submit = (spans: object[], monthly_spans: number | null = null) => {
    const bytes = new TextEncoder().encode(JSON.stringify(aRequest(spans)));
    const allowance = { monthly_spans, storage_bytes: null };
    return pipeline.submit(
      scope,
      { signal: 'traces', bytes, encoding: null, protobuf: false },
      { received_ms: testEpochMs, attribution: null, allowance },
    );
  };
  try {
    for (const accepted of [1, 0]) {
      expect(await submit([span])).toMatchObject({ accepted, duplicates: 1 - accepted, rejected: 0 });
      // A batch that is offered must not refer to an earlier one, which may be elsewhere by then.
      await store.writer.write(scope, batchOf([aChat()]));
    }
    expect(await submit([])).toMatchObject({ accepted: 0, duplicates: 0, conflicts: [] });
    expect(await submit([{ ...span, name: 'another' }])).toMatchObject({ accepted: 0, conflicts: [expect.stringContaining('span')] });
    await expect(submit([aSpan()], 1)).rejects.toBeInstanceOf(QuotaExceeded);
  } finally {
    await pipeline.stop();
    await store.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
