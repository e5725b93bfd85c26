/** Scheduling of reads: order, time limits, and reads whose caller has left. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { traceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { codeOf } from '../../../fixtures/code-of.ts';
import { startTestCloud } from '../../../fixtures/test-cloud.ts';
import { startTestGateway } from '../../../fixtures/test-gateway.ts';
import { noOverrides } from '../../../ingest/cost/own-prices.ts';
import { forCaller } from '../../../platform/caller.ts';
import type { TelemetryStore } from '../../store.ts';
import { openSqliteTelemetry } from '../store.ts';
import type { ReadSharing } from './reader-pool.ts';

const threadEntry = new URL('../../../fixtures/endless-reader.ts', import.meta.url);
let channel: BroadcastChannel;
/** Time that each started endless read had left, in milliseconds. */
let startedLeftMs: number[];

beforeEach(() => {
  startedLeftMs = [];
  channel = new BroadcastChannel('endless reads');
  channel.onmessage = ({ data }) => startedLeftMs.push(data as number);
});
afterEach(() => channel.close());

const readsStarted = (count: number) => vi.waitFor(() => expect(startedLeftMs).toHaveLength(count), { timeout: 120_000, interval: 5 });

describe('a store of many tenants', () => {
  let folder: string;
  let store: TelemetryStore;
  const open = async (sharing: Partial<ReadSharing>) => {
    store = await openSqliteTelemetry(folder, threadEntry, noOverrides, sharing);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'glasshouse-fair-'));
  });
  afterEach(async () => {
    await store.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const scopeOf = (tenant_id: string) => ({ tenant_id, app_id: 'app' });
  const list = (tenant: string) => store.traces.list(scopeOf(tenant), traceQuery.parse({}));
  const neverAborted = new AbortController().signal;
  /** Lists traces within a request of that tenant. */
  const requestList = (tenant: string, signal = neverAborted) => forCaller(signal, () => list(tenant));
  function endless(tenant: string) {
    const caller = new AbortController();
    const read = forCaller(caller.signal, () => store.traces.graph(scopeOf(tenant), 'endless'));
    const ended = read.catch((error: unknown) => error);
    return {
      drop: async () => {
        caller.abort();
        expect(await ended).toMatchObject({ errorKind: 'abandoned' });
      },
    };
  }

  it('serves them in turn, the gateway itself first', async () => {
    await open({ readers: 1 });
    const running = endless('bolt');
    await readsStarted(1);
    const order: string[] = [];
    const recordOrder = async (name: string, read: Promise<unknown>) => {
      await read;
      order.push(name);
    };
    const all = [
      ...[1, 2, 3].map((n) => recordOrder(`bolt ${n}`, requestList('bolt'))),
      ...[1, 2].map((n) => recordOrder(`acme ${n}`, requestList('acme'))),
      recordOrder('cone 1', requestList('cone')),
      recordOrder('gateway', list('bolt')),
    ];
    await running.drop();
    await Promise.all(all);
    expect(order).toEqual(['gateway', 'bolt 1', 'acme 1', 'cone 1', 'bolt 2', 'acme 2', 'bolt 3']);
  });

  it('keeps a reader for the others, whatever one of them requests', async () => {
    await open({ readers: 2, perTenant: 1 });
    await requestList('acme');
    const running = Array.from({ length: 5 }, () => endless('bolt'));
    await readsStarted(1);
    for (let n = 0; n < 5; n++) await requestList('acme');
    expect(startedLeftMs).toHaveLength(1);
    await Promise.all(running.map(({ drop }) => drop()));
  });

  it('lets a single tenant use all readers', async () => {
    await open({ readers: 2, perTenant: 1 });
    const running = [endless('bolt'), endless('bolt')];
    await readsStarted(2);
    await Promise.all(running.map(({ drop }) => drop()));
  });

  it('refuses the reads of one tenant beyond its queue, and no others', async () => {
    await open({ readers: 1, waitingMax: 3 });
    const running = [endless('bolt')];
    await readsStarted(1);
    for (let n = 0; n < 3; n++) running.push(endless('bolt'));
    await expect(requestList('bolt')).rejects.toMatchObject({ errorKind: 'crowded' });
    const other = requestList('acme');
    const own = list('bolt');
    await Promise.all(running.map(({ drop }) => drop()));
    await Promise.all([other, own]);
    await requestList('bolt');
  });

  it('counts waiting as part of the time of a read, and does not start one whose time is over', async () => {
    // Long enough not to run out between two lines on a busy machine.
    const budgetMs = 8000;
    await open({ readers: 1, budgetMs });
    const running = endless('bolt');
    await readsStarted(1);
    const late = endless('acme');
    const refusedLate = expect(requestList('acme')).rejects.toMatchObject({ errorKind: 'crowded' });
    await late.drop();
    await refusedLate;
    expect(startedLeftMs).toHaveLength(1);
    const next = endless('bolt');
    const waited = 300;
    await new Promise((resolve) => setTimeout(resolve, waited));
    await running.drop();
    await readsStarted(2);
    expect(startedLeftMs[1]).toBeLessThanOrEqual(budgetMs - waited + 1);
    await next.drop();
  });

  it('gives the gateway itself the full time, however long it waited for a reader', async () => {
    await open({ readers: 1, budgetMs: 60_000 });
    const running = endless('bolt');
    await readsStarted(1);
    const own = store.traces.graph(scopeOf('bolt'), 'endless').catch((error: unknown) => error);
    await running.drop();
    await readsStarted(2);
    expect(startedLeftMs[1]).toBe(60_000);
    await store.stop();
    expect(await own).toMatchObject({ errorKind: 'stopping' });
  });

  it('ends the running reads and drops the queued reads of a caller that left, and no others', async () => {
    await open({ readers: 1 });
    const [running, queued, remaining] = [endless('bolt'), endless('bolt'), endless('bolt')];
    await readsStarted(1);
    await queued.drop();
    await running.drop();
    await readsStarted(2);
    expect(startedLeftMs).toHaveLength(2);
    await running.drop();
    await remaining.drop();
    await requestList('bolt');
    const aborted = AbortSignal.abort();
    await expect(requestList('bolt', aborted)).rejects.toMatchObject({ errorKind: 'abandoned' });
  });

  it('completes reads of work that outlives its caller', async () => {
    await open({ readers: 1 });
    const caller = new AbortController();
    let background: Promise<unknown> = Promise.resolve();
    await forCaller(caller.signal, async () => {
      background = new Promise((resolve) => setImmediate(resolve)).then(() => list('bolt'));
    });
    caller.abort();
    await background;
  });
});

it('a closed connection frees its reader, and its queued reads never start', async () => {
  const gateway = await startTestGateway({ threadEntry });
  try {
    const callers = Array.from({ length: 12 }, () => new AbortController());
    const requests = callers.map(({ signal }) => gateway.fetch('/v1/traces/endless', { signal }).catch(({ name }: Error) => name));
    await readsStarted(2);
    for (const caller of callers) caller.abort();
    expect(new Set(await Promise.all(requests))).toEqual(new Set(['AbortError']));
    expect((await gateway.fetch('/v1/traces')).status).toBe(200);
    expect(startedLeftMs).toHaveLength(2);
  } finally {
    await gateway.stop();
  }
});

it('one team cannot block the reads or ingest of another, and its excess requests are answered with 503 and Retry-After', async () => {
  const cloud = await startTestCloud({ threadEntry });
  try {
    const [acme, bolt] = [cloud.tenant, await cloud.addTenant('bolt')];
    await acme.client.traces.list({});
    const callers = Array.from({ length: 60 }, () => new AbortController());
    const headers = { Authorization: bolt.api_key, 'X-Service-App-Id': bolt.app_id };
    const codes: string[] = [];
    const requests = callers.map(async ({ signal }) => {
      const response = await cloud.fetch('/v1/traces/endless', { headers, signal }).catch(() => null);
      if (response) codes.push(`${await codeOfResponse(response)} ${response.headers.get('retry-after')}`);
    });
    await readsStarted(1);
    await vi.waitFor(() => expect(codes.length).toBeGreaterThan(0), { timeout: 120_000 });
    for (const code of codes) expect(code).toMatch(/^503 service_unavailable [1-5]$/);
    for (let n = 0; n < 3; n++) expect(await codeOf(acme.client.traces.list({}))).toBe('none');
    expect((await cloud.ingest(acme, { resourceSpans: [] })).status).toBe(200);
    for (const caller of callers) caller.abort();
    await Promise.all(requests);
    await vi.waitFor(async () => expect(await codeOf(bolt.client.traces.list({}))).toBe('none'), { timeout: 120_000 });
  } finally {
    await cloud.stop();
  }
});

async function codeOfResponse(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } };
  return `${response.status} ${error.code}`;
}
