import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { aChat, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { Declare } from './promise.ts';
import type { Tenant } from './tenant.ts';

const minuteMs = 60_000;
const to_ms = testEpochMs + 10 * minuteMs;
const window = { from_ms: testEpochMs, to_ms, environment: null };
const staging = { 'deployment.environment': 'staging' };

const requests = async ({ store, scope }: Tenant, asked = {}) => (await store.windows.requests(scope, { ...window, ...asked })).decode();
const scores = async ({ store, scope }: Tenant, name: string, asked = {}) =>
  (await store.windows.scores(scope, { ...window, ...asked }, name)).decode();

const put = ({ store, scope }: Tenant, name: string, score: number, atMs: number, resource_id = 'somewhere') => {
  const created_at = new Date(testEpochMs + atMs).toISOString();
  return store.scores.insert(scope, [{ id: randomUUID(), resource_id, name, score, label: '', reason: '', source: 'api', created_at }]);
};

export function windowPromises(promise: Declare): void {
  promise('calls count where they ended, however long before they began', async ({ tenant }) => {
    const app = tenant();
    const call = (startMs: number, durationMs: number, parts = {}) => aChat({ startMs: testEpochMs + startMs, durationMs, ...parts });
    await app.write([
      call(-30 * minuteMs, 30 * minuteMs),
      call(0, 1000, { status: 'ERROR' }),
      call(5 * minuteMs, 3000),
      ...[call(-2000, 1999), call(10 * minuteMs - 500, 500), call(11 * minuteMs, 5)],
      aSpan({ startMs: testEpochMs + 1000, durationMs: 100 }),
    ]);
    expect(await requests(app)).toMatchObject({ count: 3, errors: 1, latency_ms: 30 * minuteMs + 4000 });
    expect(await requests(tenant())).toEqual({ count: 0, errors: 0, latency_ms: 0, cost: 0 });
  });

  promise('what calls cost is what they say they cost', async ({ tenant }) => {
    const app = tenant();
    const cost = (usd: number) => aChat({ attributes: { 'gen_ai.usage.cost': usd } });
    await app.write([cost(0.25), cost(0.5)]);
    const { data } = await app.spans();
    expect((await requests(app)).cost).toBeCloseTo(
      data.reduce((sum, span) => sum + span.cost, 0),
      12,
    );
  });

  promise('calls that report the largest cost there is have a sum that is a number', async ({ tenant }) => {
    const app = tenant();
    const vast = () => aChat({ attributes: { 'gen_ai.usage.cost': String(Number.MAX_VALUE) } });
    await app.write([vast(), vast()]);
    expect((await requests(app)).cost).toBeGreaterThan(1e200);
  });

  promise('calls and scores of an environment are those of its traces', async ({ tenant }) => {
    const app = tenant();
    const [here, there, spanId] = [aTraceId(), aTraceId(), aSpanId()];
    await app.write([aChat({ traceId: here, spanId, attributes: staging }), aChat({ traceId: there }), aChat()]);
    await put(app, 'tone', 0.2, 5, here);
    await put(app, 'tone', 0.4, 6, spanId);
    await put(app, 'tone', 1, 7, there);
    expect((await requests(app, { environment: 'staging' })).count).toBe(1);
    expect((await requests(app, { environment: 'nowhere' })).count).toBe(0);
    expect(await scores(app, 'tone', { environment: 'staging' })).toMatchObject({ count: 2, min: 0.2, max: 0.4 });
    expect((await scores(app, 'tone', { environment: 'nowhere' })).count).toBe(0);
    expect((await scores(app, 'tone')).count).toBe(3);
  });

  promise('scores of a name count where they were made, the largest numbers included', async ({ tenant }) => {
    const app = tenant();
    await put(app, 'tone', 0.5, 0);
    await put(app, 'tone', 1, 10 * minuteMs - 1);
    await put(app, 'tone', 0, -1);
    await put(app, 'tone', 0, 10 * minuteMs);
    await put(app, 'Tone', 0, 1);
    for (const ms of [1, 2, 3]) await put(app, 'huge', Number.MAX_VALUE, ms);
    expect(await scores(app, 'tone')).toEqual({ count: 2, mean: 0.75, min: 0.5, max: 1 });
    expect(await scores(app, 'huge')).toMatchObject({ count: 3, mean: Number.MAX_VALUE });
    expect(await scores(app, 'none')).toEqual({ count: 0, mean: null, min: null, max: null });
    expect((await scores(tenant(), 'tone')).count).toBe(0);
  });
}
