import { expect, vi } from 'vitest';
import { z } from 'zod';
import { type Runaway, type RunawayQuery, runaway } from '../../../shared/contract/tracing/runaways.ts';
import { ARun } from '../../fixtures/a-run.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { Tenant } from './tenant.ts';

async function found({ store, scope }: Tenant, query: Partial<RunawayQuery> = {}): Promise<Runaway[]> {
  const list = (await store.runaways.list(scope, { limit: 50, ...query })).decode();
  return z.array(runaway).parse(list);
}

const send = (app: Tenant, spans: object[]) => app.write(spans, Date.now());

/** Resolves once the list is as expected: signs are stored after the answer to the request that shows them. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 50 });

/** The same call so many times. */
const equalCalls = (run: ARun, count: number) =>
  Array.from({ length: count }, () => run.tool('convert_currency', { from: 'EUR', to: 'USD' }, '1.08'));

/** So many different calls that fail. */
const failedCalls = (run: ARun, count: number) =>
  Array.from({ length: count }, (_, part) => run.tool('search', { part }, `none ${part}`, { status: 'ERROR' }));

export function runawayGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a run that repeats the same call is found while it goes on, and its end is known', async ({ tenant }) => {
    const app = tenant();
    const run = new ARun();
    await send(app, equalCalls(run, 9));
    await send(app, equalCalls(run, 1));
    await eventually(async () =>
      expect(await found(app)).toMatchObject([
        { trace_id: run.traceId, rule: 'repeated_calls', subject: 'convert_currency', value: 10, service: 'test-service', ended_at: null },
      ]),
    );
    const now = Date.now();
    const watched = { from_ms: now - 60_000, to_ms: now + 60_000 };
    for (const [environment, count] of [
      [null, 1],
      ['staging', 0],
    ] as const) {
      expect((await app.store.windows.runaways(app.scope, { ...watched, environment })).decode()).toBe(count);
      const minutes = (await app.store.windows.runawayMinutes(app.scope, { ...watched, environment })).decode();
      expect(new Set(minutes.map(({ trace }) => trace)).size).toBe(count);
    }
    await send(app, [run.end()]);
    await eventually(async () => expect(await found(app, { running: 'true' })).toEqual([]));
    expect(await found(app, { trace_ids: [run.traceId] })).toMatchObject([{ ended_at: expect.any(String), trace_name: 'sourcing-agent' }]);
  });

  guarantee('a batch that is sent again is not counted again, nor a pending span beside its final one', async ({ tenant }) => {
    const app = tenant();
    const [run, other] = [new ARun(), new ARun()];
    const calls = equalCalls(run, 9);
    await send(
      app,
      calls.map((span) => ({ ...span, endTimeUnixNano: '0' })),
    );
    await send(app, calls);
    await send(app, calls);
    await send(app, equalCalls(other, 10));
    await eventually(async () => expect(await found(app)).toMatchObject([{ trace_id: other.traceId }]));
  });

  guarantee('runs that are over, or long past, are not found', async ({ tenant }) => {
    const app = tenant();
    const [over, past, running] = [new ARun(), new ARun(Date.now() - 3600_000), new ARun()];
    await send(app, [...equalCalls(over, 30), over.end()]);
    await send(app, equalCalls(past, 30));
    await send(app, equalCalls(running, 10));
    await eventually(async () => expect(await found(app)).toMatchObject([{ trace_id: running.traceId }]));
  });

  guarantee('the runs of one app are not found in another, nor after their deletion', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    const run = new ARun();
    await send(app, equalCalls(run, 12));
    await eventually(async () => expect(await found(app)).toHaveLength(1));
    expect(await found(other)).toEqual([]);
    expect(await found(other, { trace_ids: [run.traceId] })).toEqual([]);
    await app.store.deletions.begin(app.scope, 'deletion-of-a-runaway', { trace_ids: [run.traceId] });
    await eventually(async () => expect(await found(app)).toEqual([]));
  });

  guarantee('a rule that is turned off for a service finds nothing there and forgets what it found', async ({ tenant }) => {
    const app = tenant();
    const { runaways: store } = app.store;
    const [first, second] = [new ARun(), new ARun()];
    await send(app, equalCalls(first, 12));
    await eventually(async () => expect(await found(app)).toHaveLength(1));
    await store.setThreshold(app.scope, { service: 'test-service', rule: 'repeated_calls', threshold: null });
    expect(await found(app)).toEqual([]);
    expect((await store.thresholds(app.scope)).decode()).toEqual([{ service: 'test-service', rule: 'repeated_calls', threshold: null }]);
    // Another sign of the same run does not bring it back.
    await send(app, failedCalls(first, 8));
    await eventually(async () => expect(await found(app)).toMatchObject([{ trace_id: first.traceId, rule: 'errors' }]));
    await send(app, equalCalls(second, 12));
    await store.setThreshold(app.scope, { service: 'test-service', rule: 'repeated_calls', threshold: 4 });
    const third = new ARun();
    await send(app, equalCalls(third, 4));
    await eventually(async () =>
      expect((await found(app)).map(({ trace_id, rule }) => [trace_id, rule])).toEqual([
        [third.traceId, 'repeated_calls'],
        [first.traceId, 'errors'],
      ]),
    );
    await store.setThreshold(app.scope, { service: 'test-service', rule: 'repeated_calls' });
    expect((await store.thresholds(app.scope)).decode()).toEqual([]);
  });

  guarantee('followers hear of the traces whose signs have changed', async ({ tenant }) => {
    const app = tenant();
    const run = new ARun();
    const heard: string[] = [];
    const stop = app.store.runaways.follow(({ scope, trace_ids }) => {
      if (scope.tenant_id === app.scope.tenant_id) heard.push(...trace_ids);
    });
    await send(app, equalCalls(run, 10));
    await eventually(async () => expect(heard).toContain(run.traceId));
    stop();
  });
}
