/** Reads while their thread crashes, cannot start, or is still starting. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setEnvironmentData } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../fixtures/test-gateway.ts';
import { noOverrides } from '../../../ingest/cost/own-prices.ts';
import { localScope } from '../../../platform/scope.ts';
import { openSqliteTelemetry } from '../store.ts';

const idleMs = 50;
const threadEntry = new URL('../../../fixtures/crashing-reader.ts', import.meta.url);
/** Generous hang limit. */
const timeout = 120_000;
let gateway: TestGateway;
let channel: BroadcastChannel;
let started: number;

beforeEach(async () => {
  started = 0;
  channel = new BroadcastChannel('readers');
  channel.onmessage = () => started++;
  gateway = await startTestGateway({ threadEntry });
  // After this, the reads that the gateway makes at its start are done.
  await gateway.client.forwarding.list();
});
afterEach(async () => {
  setEnvironmentData('readers', undefined);
  await gateway.stop();
  channel.close();
});

async function codeOf(path: string): Promise<string | number> {
  const response = await gateway.fetch(path);
  const { error } = (await response.json()) as { error?: { code: string } };
  return error ? `${response.status} ${error.code} ${response.headers.get('retry-after')}` : response.status;
}

it('a dead reader fails its read with a storage error, and the next read gets another reader', async () => {
  expect(await codeOf('/v1/traces/deadly')).toBe('503 storage_unavailable 5');
  expect(await codeOf('/v1/traces')).toBe(200);
  expect(started).toBe(2);
});

it('a reader that was idle ends, and another one is started when it is needed', { timeout }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-readers-'));
  const store = await openSqliteTelemetry(folder, threadEntry, noOverrides, { idleMs });
  try {
    const before = started;
    // Another reader is started while all are busy: reads at once need two, and a third only after the second has ended.
    const readUntil = (count: number) =>
      vi.waitFor(
        async () => {
          await Promise.all(Array.from({ length: 50 }, () => store.forwarding.list(localScope)));
          expect(started - before).toBeGreaterThanOrEqual(count);
        },
        // Between two attempts a reader is idle for several checks.
        { timeout, interval: 6 * idleMs },
      );
    await readUntil(2);
    await readUntil(started - before + 1);
  } finally {
    await store.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('a store whose readers cannot start', () => {
  let folder: string;
  const open = (budgetMs: number) => openSqliteTelemetry(folder, threadEntry, noOverrides, { budgetMs });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'glasshouse-readers-'));
    setEnvironmentData('readers', 'broken');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('starts them again, and answers the waiting reads as soon as one runs', { timeout }, async () => {
    const before = started;
    const store = await open(timeout);
    const read = store.forwarding.list(localScope);
    await vi.waitFor(() => expect(started).toBeGreaterThanOrEqual(before + 3), { timeout });
    setEnvironmentData('readers', undefined);
    expect((await read).decode()).toEqual([]);
    await store.stop();
  });

  it('tells a read that times out why', { timeout }, async () => {
    const store = await open(3000);
    const first = store.forwarding.list(localScope).catch((error: unknown) => error);
    await vi.waitFor(() => expect(started).toBeGreaterThanOrEqual(2), { timeout });
    await expect(store.forwarding.list(localScope)).rejects.toMatchObject({
      errorKind: 'io',
      message: expect.stringContaining('no reader can begin'),
    });
    await first;
    await store.stop();
  });
});

it('a gateway whose reader could not start forwards as soon as one starts', { timeout }, async () => {
  setEnvironmentData('readers', 'broken');
  const events: string[] = [];
  const note = (event: string) => void events.push(event);
  const broken = await startTestGateway({ threadEntry, log: { info: note, error: note } });
  try {
    await vi.waitFor(() => expect(events).toContain('reader_not_started'), { timeout });
    setEnvironmentData('readers', undefined);
    await vi.waitFor(async () => expect(await broken.client.forwarding.list()).toMatchObject({ data: [] }), { timeout });
    expect(events).toContain('reader_started');
  } finally {
    await broken.stop();
  }
});

it('no read waits for a starting reader while another one is free', async () => {
  const other = await startTestGateway({ threadEntry: new URL('../../../fixtures/idle-reader.ts', import.meta.url) });
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

it('an idle store has no reader; the first read starts one', { timeout }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-readers-'));
  const before = started;
  const store = await openSqliteTelemetry(folder, threadEntry, noOverrides);
  try {
    expect(started).toBe(before);
    expect((await store.forwarding.list(localScope)).decode()).toEqual([]);
    await vi.waitFor(() => expect(started).toBe(before + 1), { timeout });
  } finally {
    await store.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
