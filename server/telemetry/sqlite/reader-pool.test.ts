/** What becomes of reads when the thread that answers them dies, cannot begin, or is still beginning. */
import { renameSync } from 'node:fs';
import { setEnvironmentData } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { telemetryFile } from './store.ts';

const worker = new URL('../../fixtures/mortal-reader.ts', import.meta.url);
let gateway: TestGateway;
let channel: BroadcastChannel;
let begun: number;

beforeEach(async () => {
  begun = 0;
  channel = new BroadcastChannel('readers');
  channel.onmessage = () => begun++;
  gateway = await startTestGateway({ worker });
  // What the gateway reads by itself when it starts has been read by then.
  await gateway.client.forwarding.list();
});
afterEach(async () => {
  await gateway.stop();
  channel.close();
});

async function codeOf(path: string): Promise<string | number> {
  const response = await gateway.fetch(path);
  const { error } = (await response.json()) as { error?: { code: string } };
  return error ? `${response.status} ${error.code} ${response.headers.get('retry-after')}` : response.status;
}

it('a dead reader fails what it was asked as a fault of the store, and the next read finds another', async () => {
  expect(await codeOf('/v1/traces/deadly')).toBe('503 storage_unavailable 5');
  expect(await codeOf('/v1/traces')).toBe(200);
  expect(begun).toBe(2);
});

it('readers that cannot begin are started once for each read, not for ever', async () => {
  const file = telemetryFile(gateway.dataDir);
  await codeOf('/v1/traces/deadly');
  renameSync(file, `${file}.away`);
  for (let read = 0; read < 3; read++) expect(await codeOf('/v1/traces')).toBe('503 storage_unavailable 5');
  renameSync(`${file}.away`, file);
  expect(await codeOf('/v1/traces')).toBe(200);
  expect(begun).toBe(5);
});

it('no read waits for a reader that is only starting while another can answer', async () => {
  const other = await startTestGateway({ worker: new URL('../../fixtures/idle-reader.ts', import.meta.url) });
  await other.client.forwarding.list();
  setEnvironmentData('readers', 'idle');
  try {
    const answers = await Promise.all(Array.from({ length: 8 }, () => other.fetch('/v1/traces')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  } finally {
    setEnvironmentData('readers', undefined);
    await other.stop();
  }
});
