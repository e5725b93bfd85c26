/** When the decode thread starts, and what becomes of requests when it dies. */
import { setEnvironmentData } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';

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
