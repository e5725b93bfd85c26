import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { aChat, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { Tenant } from './tenant.ts';

const minuteMs = 60_000;
const to_ms = testEpochMs + 10 * minuteMs;
const window = { from_ms: testEpochMs, to_ms, environment: null };
const staging = { 'deployment.environment': 'staging' };

const requests = async ({ store, scope }: Tenant, filter = {}) => (await store.windows.requests(scope, { ...window, ...filter })).decode();
const scores = async ({ store, scope }: Tenant, name: string, filter = {}) =>
  (await store.windows.scores(scope, { ...window, ...filter }, name)).decode();

const insertScore = ({ store, scope }: Tenant, name: string, score: number, atMs: number, resource_id = 'somewhere') => {
  const created_at = new Date(testEpochMs + atMs).toISOString();
  return store.scores.insert(scope, [{ id: randomUUID(), resource_id, name, score, label: '', reason: '', source: 'api', created_at }]);
};

export function windowGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('calls count in the window in which they ended, whenever they began', async ({ tenant }) => {
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

  guarantee('the cost of calls is the sum of their reported costs', async ({ tenant }) => {
    const app = tenant();
    const cost = (usd: number) => aChat({ attributes: { 'gen_ai.usage.cost': usd } });
    await app.write([cost(0.25), cost(0.5)]);
    const { data } = await app.spans();
    expect((await requests(app)).cost).toBeCloseTo(
      data.reduce((sum, span) => sum + span.cost, 0),
      12,
    );
  });

  guarantee('the sum of the largest possible costs is a finite number', async ({ tenant }) => {
    const app = tenant();
    const vast = () => aChat({ attributes: { 'gen_ai.usage.cost': String(Number.MAX_VALUE) } });
    await app.write([vast(), vast()]);
    expect((await requests(app)).cost).toBeGreaterThan(1e200);
  });

  guarantee('the minutes of a window are its calls and scores, each in the minute in which it ended or was created', async ({ tenant }) => {
    const app = tenant();
    const [traceId, otherId] = [aTraceId(), aTraceId()];
    const ended = (atMs: number, parts: object) => aChat({ startMs: testEpochMs + atMs - 5000, durationMs: 5000, ...parts });
    await app.write([
      ...[ended(0, { traceId, attributes: staging }), ended(59_999, { traceId: otherId, status: 'ERROR' }), ended(60_000, { traceId })],
      ...[ended(-1, {}), ended(10 * minuteMs, {})],
    ]);
    for (const [value, atMs, resource] of [
      [0.2, 0, traceId],
      [0.4, 59_999, otherId],
      [1, 9 * minuteMs, traceId],
    ] as const)
      await insertScore(app, 'tone', value, atMs, resource);
    const { windows } = app.store;
    const calls = (await windows.requestMinutes(app.scope, window)).decode().sort((a, b) => a.minute - b.minute);
    expect(calls).toMatchObject([
      { minute: 0, count: 2, errors: 1, latency_ms: 10_000 },
      { minute: 1, count: 1, errors: 0, latency_ms: 5000 },
    ]);
    const whole = await requests(app);
    expect(calls.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(whole.cost, 12);
    const tones = async (filter = {}) =>
      (await windows.scoreMinutes(app.scope, { ...window, ...filter }, 'tone')).decode().sort((a, b) => a.minute - b.minute);
    const last = { minute: 9, count: 1, mean: 1, min: 1, max: 1 };
    expect(await tones()).toEqual([{ minute: 0, count: 2, mean: expect.closeTo(0.3, 12), min: 0.2, max: 0.4 }, last]);
    expect(await tones({ environment: 'staging' })).toMatchObject([{ minute: 0, count: 1, max: 0.2 }, last]);
    const ofStaging = (await windows.requestMinutes(app.scope, { ...window, environment: 'staging' })).decode();
    expect(ofStaging.map(({ minute, count }) => [minute, count]).sort()).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect((await windows.requestMinutes(tenant().scope, window)).decode()).toEqual([]);
  });

  guarantee('calls and scores of an environment are those of its traces', async ({ tenant }) => {
    const app = tenant();
    const [stagingTrace, otherTrace, spanId] = [aTraceId(), aTraceId(), aSpanId()];
    await app.write([aChat({ traceId: stagingTrace, spanId, attributes: staging }), aChat({ traceId: otherTrace }), aChat()]);
    await insertScore(app, 'tone', 0.2, 5, stagingTrace);
    await insertScore(app, 'tone', 0.4, 6, spanId);
    await insertScore(app, 'tone', 1, 7, otherTrace);
    expect((await requests(app, { environment: 'staging' })).count).toBe(1);
    expect((await requests(app, { environment: 'nowhere' })).count).toBe(0);
    expect(await scores(app, 'tone', { environment: 'staging' })).toMatchObject({ count: 2, min: 0.2, max: 0.4 });
    expect((await scores(app, 'tone', { environment: 'nowhere' })).count).toBe(0);
    expect((await scores(app, 'tone')).count).toBe(3);
  });

  guarantee('scores of a name count in the window in which they were created, the largest numbers included', async ({ tenant }) => {
    const app = tenant();
    await insertScore(app, 'tone', 0.5, 0);
    await insertScore(app, 'tone', 1, 10 * minuteMs - 1);
    await insertScore(app, 'tone', 0, -1);
    await insertScore(app, 'tone', 0, 10 * minuteMs);
    await insertScore(app, 'Tone', 0, 1);
    for (const ms of [1, 2, 3]) await insertScore(app, 'huge', Number.MAX_VALUE, ms);
    expect(await scores(app, 'tone')).toEqual({ count: 2, mean: 0.75, min: 0.5, max: 1 });
    expect(await scores(app, 'huge')).toMatchObject({ count: 3, mean: Number.MAX_VALUE });
    expect(await scores(app, 'none')).toEqual({ count: 0, mean: null, min: null, max: null });
    expect((await scores(tenant(), 'tone')).count).toBe(0);
  });
}
