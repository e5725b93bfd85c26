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

// Generous hang limit.
vi.setConfig({ testTimeout: 120_000 });

const worker = new URL('../../../fixtures/endless-reader.ts', import.meta.url);
let channel: BroadcastChannel;
/** What was left of the time of each endless read that began, in milliseconds. */
let begun: number[];

beforeEach(() => {
  begun = [];
  channel = new BroadcastChannel('endless reads');
  channel.onmessage = ({ data }) => begun.push(data as number);
});
afterEach(() => channel.close());

const begunAre = (count: number) => vi.waitFor(() => expect(begun).toHaveLength(count), { timeout: 60_000, interval: 5 });

describe('a store of many tenants', () => {
  let folder: string;
  let store: TelemetryStore;
  const open = async (sharing: Partial<ReadSharing>) => {
    store = await openSqliteTelemetry(folder, worker, noOverrides, sharing);
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
  const never = new AbortController().signal;
  /** Asks as a request of that tenant would. */
  const asked = (tenant: string, signal = never) => forCaller(signal, () => list(tenant));
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
    await begunAre(1);
    const order: string[] = [];
    const noted = async (name: string, read: Promise<unknown>) => {
      await read;
      order.push(name);
    };
    const all = [
      ...[1, 2, 3].map((n) => noted(`bolt ${n}`, asked('bolt'))),
      ...[1, 2].map((n) => noted(`acme ${n}`, asked('acme'))),
      noted('cone 1', asked('cone')),
      noted('gateway', list('bolt')),
    ];
    await running.drop();
    await Promise.all(all);
    expect(order).toEqual(['gateway', 'bolt 1', 'acme 1', 'cone 1', 'bolt 2', 'acme 2', 'bolt 3']);
  });

  it('keeps a reader for the others, whatever one of them asks for', async () => {
    await open({ readers: 2, perTenant: 1 });
    await asked('acme');
    const running = Array.from({ length: 5 }, () => endless('bolt'));
    await begunAre(1);
    for (let n = 0; n < 5; n++) await asked('acme');
    expect(begun).toHaveLength(1);
    await Promise.all(running.map(({ drop }) => drop()));
  });

  it('lets the only tenant there is use all readers', async () => {
    await open({ readers: 2, perTenant: 1 });
    const running = [endless('bolt'), endless('bolt')];
    await begunAre(2);
    await Promise.all(running.map(({ drop }) => drop()));
  });

  it('refuses what one tenant asks for beyond its queue, and nobody else', async () => {
    await open({ readers: 1, waitingMax: 3 });
    const running = [endless('bolt')];
    await begunAre(1);
    for (let n = 0; n < 3; n++) running.push(endless('bolt'));
    await expect(asked('bolt')).rejects.toMatchObject({ errorKind: 'crowded' });
    const other = asked('acme');
    const own = list('bolt');
    await Promise.all(running.map(({ drop }) => drop()));
    await Promise.all([other, own]);
    await asked('bolt');
  });

  it('counts the wait into the time of a read, and does not begin one whose time is over', async () => {
    // Long enough that a busy machine does not use it up between two lines.
    const budgetMs = 8000;
    await open({ readers: 1, budgetMs });
    const running = endless('bolt');
    await begunAre(1);
    const late = endless('acme');
    const tooLate = expect(asked('acme')).rejects.toMatchObject({ errorKind: 'crowded' });
    await late.drop();
    await tooLate;
    expect(begun).toHaveLength(1);
    const next = endless('bolt');
    const waited = 300;
    await new Promise((resolve) => setTimeout(resolve, waited));
    await running.drop();
    await begunAre(2);
    expect(begun[1]).toBeLessThanOrEqual(budgetMs - waited + 1);
    await next.drop();
  });

  it('gives the gateway itself all of the time, however long it waited for a reader', async () => {
    await open({ readers: 1, budgetMs: 60_000 });
    const running = endless('bolt');
    await begunAre(1);
    const own = store.traces.graph(scopeOf('bolt'), 'endless').catch((error: unknown) => error);
    await running.drop();
    await begunAre(2);
    expect(begun[1]).toBe(60_000);
    await store.stop();
    expect(await own).toMatchObject({ errorKind: 'stopping' });
  });

  it('ends what runs and forgets what waits when the caller goes, and only that', async () => {
    await open({ readers: 1 });
    const [running, waiting, staying] = [endless('bolt'), endless('bolt'), endless('bolt')];
    await begunAre(1);
    await waiting.drop();
    await running.drop();
    await begunAre(2);
    expect(begun).toHaveLength(2);
    await running.drop();
    await staying.drop();
    await asked('bolt');
    const gone = AbortSignal.abort();
    await expect(asked('bolt', gone)).rejects.toMatchObject({ errorKind: 'abandoned' });
  });

  it('reads on for work that a caller left behind', async () => {
    await open({ readers: 1 });
    const caller = new AbortController();
    let left: Promise<unknown> = Promise.resolve();
    await forCaller(caller.signal, async () => {
      left = new Promise((resolve) => setImmediate(resolve)).then(() => list('bolt'));
    });
    caller.abort();
    await left;
  });
});

it('a request whose connection is closed gives its reader back, and what waits is never begun', async () => {
  const gateway = await startTestGateway({ worker });
  try {
    const callers = Array.from({ length: 12 }, () => new AbortController());
    const requests = callers.map(({ signal }) => gateway.fetch('/v1/traces/endless', { signal }).catch(({ name }: Error) => name));
    await begunAre(2);
    for (const caller of callers) caller.abort();
    expect(new Set(await Promise.all(requests))).toEqual(new Set(['AbortError']));
    expect((await gateway.fetch('/v1/traces')).status).toBe(200);
    expect(begun).toHaveLength(2);
  } finally {
    await gateway.stop();
  }
});

it('the requests of one team stop neither the reads nor the ingest of another, and what is too much for it is told to come back', async () => {
  const cloud = await startTestCloud({ worker });
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
    await begunAre(1);
    await vi.waitFor(() => expect(codes.length).toBeGreaterThan(0), { timeout: 60_000 });
    for (const code of codes) expect(code).toMatch(/^503 service_unavailable [1-5]$/);
    for (let n = 0; n < 3; n++) expect(await codeOf(acme.client.traces.list({}))).toBe('none');
    expect((await cloud.ingest(acme, { resourceSpans: [] })).status).toBe(200);
    for (const caller of callers) caller.abort();
    await Promise.all(requests);
    await vi.waitFor(async () => expect(await codeOf(bolt.client.traces.list({}))).toBe('none'), { timeout: 60_000 });
  } finally {
    await cloud.stop();
  }
});

async function codeOfResponse(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } };
  return `${response.status} ${error.code}`;
}
