import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Activity, activityQuery } from '../../../shared/contract/viewer/activity.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const { client, refusal, unseen } = contractClient(() => gateway);

const hourMs = 3_600_000;
const day = { from: testEpochMs, to: testEpochMs + 24 * hourMs };
const activity = async (query: Partial<z.input<typeof activityQuery>> = {}): Promise<Activity> =>
  (await client.viewerStatistics.activity({ query: { ...day, steps: 24, ...query } })).data;

/** One trace: a root with a duration, and a model call. */
function aTrace(hours: number, durationMs: number, more: { model?: string; status?: 'OK' | 'ERROR'; prompt?: string } = {}): object[] {
  const { model = 'gpt-4o', status = 'OK', prompt } = more;
  const position = { traceId: aTraceId(), startMs: testEpochMs + hours * hourMs };
  const spanId = aSpanId();
  const attributes = prompt === undefined ? {} : { 'agentmark.prompt_name': prompt };
  return [
    aSpan({ ...position, spanId, durationMs, status }),
    aChat({ ...position, parentSpanId: spanId, durationMs: 10, model, status, inputTokens: 100, outputTokens: 20, attributes }),
  ];
}

beforeAll(async () => {
  gateway = await startTestGateway();
  const hundred = Array.from({ length: 100 }, (_, i) => aTrace(1.5, i + 1)).flat();
  const few = [
    ...aTrace(5.5, 40, { status: 'ERROR', model: 'claude-haiku-4-5', prompt: 'triage' }),
    ...aTrace(5.5, 60, { prompt: 'triage' }),
  ];
  expect((await gateway.ingest(aRequest([...hundred, ...few]))).status).toBe(200);
});

afterAll(() => gateway.stop());

describe('GET /v1/viewer/activity', () => {
  it('counts what started in each step, with latencies that some trace had', async () => {
    const { steps, totals, is_whole, counted_from } = await activity();
    expect(steps).toMatchObject([
      { at: testEpochMs + hourMs, traces: 100, errors: 0, spans: 200, p50_ms: 50, p95_ms: 95, input_tokens: 10_000, output_tokens: 2_000 },
      { at: testEpochMs + 5 * hourMs, traces: 2, errors: 1, spans: 4, p50_ms: 40, p95_ms: 60 },
    ]);
    expect(totals).toMatchObject({ traces: 102, errors: 1, errors_inside: 0, spans: 204, p50_ms: 50, p95_ms: 95 });
    expect({ is_whole, counted_from }).toEqual({ is_whole: true, counted_from: testEpochMs + 1.5 * hourMs });
  });

  it('counts what a filter selects', async () => {
    const { totals, groups } = await activity({ filter: 'prompt_name:triage status:ERROR' });
    expect(totals).toMatchObject({ traces: 1, errors: 1 });
    expect(groups.map(({ name, count }) => [name, count])).toEqual([['claude-haiku-4-5', 1]]);
  });

  it.each([
    ['from=2&to=1', 'to'],
    ['to=1', 'from'],
    ['from=2026-01-01T00:00:00Z&to=1767225600000', 'from'],
    ['from=1&to=2&steps=201', 'steps'],
    ['from=1&to=2&by=name', 'by'],
  ])('refuses %s and names %s', async (query, field) => {
    const { code, details } = await refusal(`/v1/viewer/activity?${query}`);
    expect({ code, keys: Object.keys(details) }).toEqual({ code: 'invalid_query_params', keys: [field] });
  });

  it('refuses a filter that cannot be read', async () => {
    expect((await refusal('/v1/viewer/activity?from=1&to=2&filter=cost>')).code).toBe('invalid_filter');
  });
});

describe('GET /v1/viewer/scores/distribution', () => {
  const addScores = (name: string, scores: readonly [score: number, label?: string][]) =>
    client.scores.createBatch({
      body: { scores: scores.map(([score, label]) => ({ resource_id: 'r', name, score, ...(label === undefined ? {} : { label }) })) },
    });
  const distribution = async (name: string) => (await client.viewerStatistics.scores({ query: { name } })).data;

  it('puts numbers into ranges that hold every score once', async () => {
    await addScores(
      'tone',
      Array.from({ length: 101 }, (_, i): [number] => [i]),
    );
    const { bars, time, ...sums } = await distribution('tone');
    expect(sums).toMatchObject({ count: 101, min: 0, max: 100 });
    expect(sums.mean).toBeCloseTo(50, 10);
    expect(bars).toHaveLength(20);
    expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(101);
    expect(bars.at(-1)?.count).toBe(6);
    expect(time.reduce((sum, { count }) => sum + count, 0)).toBe(101);
  });

  it('counts categories by their label, the worst first', async () => {
    await addScores('verdict', [
      [1, 'good'],
      [0, 'bad'],
      [1, 'good'],
    ]);
    expect((await distribution('verdict')).bars).toEqual([
      { label: 'bad', from: 0, to: 0, count: 1 },
      { label: 'good', from: 1, to: 1, count: 2 },
    ]);
  });

  it('counts two values as two', async () => {
    await addScores('pass', [[1], [0], [0]]);
    expect((await distribution('pass')).bars.map(({ label, count }) => [label, count])).toEqual([
      ['0', 2],
      ['1', 1],
    ]);
  });

  it('is empty for an unknown name, and refuses a missing one', async () => {
    expect(await distribution('nothing')).toMatchObject({ count: 0, mean: null, bars: [], time: [] });
    expect((await refusal('/v1/viewer/scores/distribution')).code).toBe('invalid_query_params');
  });
});

describe('GET /v1/viewer/storage', () => {
  it('reports the folder and the amount of data', async () => {
    const { data } = await client.viewerStorage.get();
    expect(data).toMatchObject({
      folder: gateway.dataDir,
      traces: 102,
      spans: 204,
      oldest: new Date(testEpochMs + 1.5 * hourMs).toISOString(),
    });
    expect(data.database_bytes).toBeGreaterThan(0);
    expect(data.disk_free_bytes).toBeGreaterThan(0);
  });

  it('lists what was quarantined, with the reason where it was recorded', async () => {
    const folder = join(gateway.dataDir, 'quarantine/2026-01-15T10-00-00.123Z');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'telemetry.db'), 'garbage');
    expect((await client.viewerStorage.get()).data.quarantined).toEqual([{ folder, at: '2026-01-15T10:00:00.123Z', bytes: 7, reason: '' }]);
  });

  it('says why a store that cannot be read was quarantined at the start', async () => {
    const damaged = await startTestGateway();
    try {
      await damaged.gateway.stop();
      writeFileSync(join(damaged.dataDir, 'telemetry.db'), 'this is no database, and long enough to be looked at as one');
      await damaged.restart();
      const { data } = await damaged.client.viewerStorage.get();
      expect(data.quarantined).toMatchObject([{ reason: expect.stringContaining('not a database') }]);
    } finally {
      await damaged.stop();
    }
  });
});

describe('retention', () => {
  const keep = (body: { keep_days: number | null; max_bytes: number | null }) => client.viewerStorage.putRetention({ body });

  it('is unlimited by default, and a setting survives a restart', async () => {
    expect((await client.viewerStorage.get()).data.retention).toMatchObject({ keep_days: null, max_bytes: null, removed_traces: 0 });
    const rule = { keep_days: 3650, max_bytes: 2 ** 36 };
    expect((await keep(rule)).data).toEqual(rule);
    await gateway.restart();
    expect((await client.viewerStorage.get()).data).toMatchObject({
      retention: { ...rule, removed_traces: 0, removed_at: null },
      traces: 102,
    });
    await keep({ keep_days: null, max_bytes: null });
  });

  it('refuses what would keep next to nothing', async () => {
    for (const [field, body] of [
      ['keep_days', { keep_days: 0, max_bytes: null }],
      ['max_bytes', { keep_days: null, max_bytes: 1000 }],
    ] as const) {
      await expect(keep(body)).rejects.toMatchObject({ status: 400, details: { [field]: expect.any(String) } });
    }
  });

  it('counts in advance what a rule would delete, by when traces arrived', async () => {
    expect((await client.viewerStorage.older({ query: { days: 1 } })).data).toEqual({ traces: 0 });
  });

  it('is followed by a compaction that frees space and keeps everything else', async () => {
    const before = (await client.traces.list({ query: { limit: 1000 } })).data.map(({ id }) => id);
    const { data } = await client.viewerStorage.compact();
    expect(data).toMatchObject({ traces: 102, spans: 204, reusable_bytes: 0 });
    expect((await client.traces.list({ query: { limit: 1000 } })).data.map(({ id }) => id)).toEqual(before);
  });
});

it('every declared answer of these routes was received', () => {
  expect(unseen('viewerStatistics')).toEqual([]);
});
