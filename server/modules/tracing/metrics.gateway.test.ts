import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChat, aRequest, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { badMoments } from '../../fixtures/bad-values.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';

const hourMs = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

let cloud: TestCloud;
let other: TestTenant;
const { client, fetch, refusal, unseen } = contractClient(() => ({
  url: cloud.url,
  headers: { Authorization: cloud.tenant.api_key, 'X-Service-App-Id': cloud.tenant.app_id },
}));

const calls = [
  { at: 0, durationMs: 100, input: 10, output: 20, cost: 0.5, model: 'gpt-4o', user: 'ann', failed: false },
  { at: 1000, durationMs: 300, input: 0, output: 5, cost: 0.25, model: 'o3', user: 'bob', failed: true },
  { at: 2 * hourMs, durationMs: 500, input: 7, output: 0, cost: 1, model: 'gpt-4o', user: 'ann', failed: false },
];
const range = { start_date: iso(testEpochMs), end_date: iso(testEpochMs + 3 * hourMs) };

const sum = (of: (call: (typeof calls)[number]) => number, selected = calls): number =>
  selected.reduce((total, call) => total + of(call), 0);

beforeAll(async () => {
  cloud = await startTestCloud();
  other = await cloud.addTenant('other');
  const spans = calls.map(({ at, durationMs, input, output, cost, model, user, failed }) =>
    aSpan({
      startMs: testEpochMs + at,
      durationMs,
      status: failed ? 'ERROR' : 'OK',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': model,
        'user.id': user,
        'gen_ai.usage.input_tokens': input,
        'gen_ai.usage.output_tokens': output,
        'agentmark.usage.cost_usd': cost,
      },
    }),
  );
  await cloud.ingest(cloud.tenant, aRequest([...spans, aSpan({ name: 'no call', durationMs: 9000 })]));
  await cloud.ingest(other, aRequest([aChat({ attributes: { 'user.id': 'carl', 'agentmark.usage.cost_usd': 1000 } })]));
});
afterAll(() => cloud.stop());

describe('GET /v1/metrics', () => {
  it('sums up the calls that were sent, in total and by hour', async () => {
    const { data } = await client.metrics.get({ query: range });
    expect(data.summary).toEqual({
      ...{ total_requests: 3, success_count: 2, error_count: 1 },
      total_cost: sum(({ cost }) => cost),
      total_tokens: sum(({ input, output }) => input + output),
      input_tokens: sum(({ input }) => input),
      output_tokens: sum(({ output }) => output),
      avg_latency_ms: sum(({ durationMs }) => durationMs) / 3,
      unique_users: 2,
    });
    const early = calls.slice(0, 2);
    expect(data.time_series).toEqual([
      {
        ...{ date: '2026-01-15', hour: 10, requests: 2, successes: 1, errors: 1, unique_users: 2 },
        cost: sum(({ cost }) => cost, early),
        tokens: sum(({ input, output }) => input + output, early),
        ...{ input_tokens: 10, output_tokens: 25, avg_latency_ms: 200 },
      },
      {
        ...{ date: '2026-01-15', hour: 12, requests: 1, successes: 1, errors: 0, unique_users: 1, cost: 1, tokens: 7 },
        ...{ input_tokens: 7, output_tokens: 0, avg_latency_ms: 500 },
      },
    ]);
  });

  it('adds means and the number of models for extended=true only', async () => {
    const { summary } = (await client.metrics.get({ query: { ...range, extended: 'true' } })).data;
    expect(summary).toMatchObject({
      ...{ avg_cost_per_request: 1.75 / 3, avg_input_tokens_per_request: 17 / 3, avg_output_tokens_per_request: 25 / 3 },
      ...{ avg_total_tokens_per_request: 14, model_count: 2 },
    });
    const plain = (await client.metrics.get({ query: { ...range, extended: 'false' } })).data;
    expect(plain.summary).not.toHaveProperty('model_count');
  });

  it('has no maximum range, and answers zeros where there was nothing', async () => {
    const ever = { start_date: '1970-01-01T00:00:00Z', end_date: '2200-01-01T00:00:00Z' };
    expect((await client.metrics.get({ query: ever })).data.summary.total_requests).toBe(3);
    const before = { start_date: '1970-01-01T00:00:00Z', end_date: '1970-01-02T00:00:00+01:00', extended: 'true' } as const;
    const { summary, time_series } = (await client.metrics.get({ query: before })).data;
    expect([new Set(Object.values(summary)), time_series]).toEqual([new Set([0]), []]);
  });

  it('counts nothing of another tenant', async () => {
    const { data } = await other.client.metrics.get({ query: range });
    expect(data.summary).toMatchObject({ total_requests: 1, total_cost: 1000, unique_users: 1 });
  });

  it.each(['start_date', 'end_date'] as const)('refuses a %s that is missing or invalid', async (name) => {
    for (const value of [null, ...badMoments]) {
      const query = new URLSearchParams(range);
      if (value === null) query.delete(name);
      else query.set(name, value);
      expect(await refusal(`/v1/metrics?${query}`)).toMatchObject({
        code: 'invalid_query_params',
        details: { [name]: expect.any(String) },
      });
    }
  });

  it('refuses a range that ends before it begins, and an extended that is neither true nor false', async () => {
    const reversed = new URLSearchParams({ start_date: range.end_date, end_date: range.start_date });
    expect((await refusal(`/v1/metrics?${reversed}`)).details).toEqual({ end_date: expect.any(String) });
    for (const extended of ['1', 'True', '', 'yes']) {
      expect((await refusal(`/v1/metrics?${new URLSearchParams({ ...range, extended })}`)).details).toHaveProperty('extended');
    }
  });

  it('needs its permission and a valid credential', async () => {
    const { data } = await cloud.tenant.owner.apiKeys.create({ body: { name: 'no metrics', permissions: ['trace.read'] } });
    const path = `/v1/metrics?${new URLSearchParams(range)}`;
    expect((await fetch(path, { headers: { Authorization: data.plaintext_key } })).status).toBe(403);
    expect((await fetch(path, { headers: { Authorization: 'sk_service_wrong' } })).status).toBe(401);
  });
});

describe('GET /v1/scores/aggregations', () => {
  const scores = [
    { name: 'tone', score: 1, label: 'kind' },
    { name: 'tone', score: -2, label: '' },
    { name: 'correct', score: 1, label: 'true' },
    { name: 'correct', score: 0, label: 'false' },
    { name: 'length', score: 12 },
  ];
  const today = new Date().toISOString().slice(0, 10);

  beforeAll(async () => {
    for (const body of scores) await client.scores.create({ body: { ...body, resource_id: 'r' } });
    await other.client.scores.create({ body: { name: 'foreign', score: 100, resource_id: 'r' } });
    await other.client.scores.create({ body: { name: 'tone', score: 100, resource_id: 'r' } });
  });

  const expected = [
    { name: 'correct', avg_score: 0.5, count: 2, min_score: 0, max_score: 1, data_type: 'boolean' },
    { name: 'length', avg_score: 12, count: 1, min_score: 12, max_score: 12, data_type: 'numeric' },
    { name: 'tone', avg_score: -0.5, count: 2, min_score: -2, max_score: 1, data_type: 'categorical' },
  ];

  it('sums up all scores by name, and none of another tenant', async () => {
    expect((await client.scoreAnalytics.aggregate({})).data).toEqual(expected);
    expect((await other.client.scoreAnalytics.aggregate({})).data.map(({ name, count }) => [name, count])).toEqual([
      ['foreign', 1],
      ['tone', 1],
    ]);
  });

  it('is limited to the given days', async () => {
    expect((await client.scoreAnalytics.aggregate({ query: { start_date: today } })).data).toEqual(expected);
    expect((await client.scoreAnalytics.aggregate({ query: { end_date: '2020-01-01' } })).data).toEqual([]);
  });

  it('refuses invalid days, and days in the wrong order', async () => {
    for (const value of ['2026-02-30', '2026-01-15T00:00:00Z', '', 'today']) {
      expect((await refusal(`/v1/scores/aggregations?start_date=${value}`)).details).toHaveProperty('start_date');
    }
    expect((await refusal('/v1/scores/aggregations?start_date=2026-01-02&end_date=2026-01-01')).details).toHaveProperty('end_date');
  });

  it('needs its permission and a valid credential', async () => {
    const { data } = await cloud.tenant.owner.apiKeys.create({ body: { name: 'no scores', permissions: ['trace.read'] } });
    expect((await fetch('/v1/scores/aggregations', { headers: { Authorization: data.plaintext_key } })).status).toBe(403);
    expect((await fetch('/v1/scores/aggregations', { headers: { Authorization: '' } })).status).toBe(401);
  });
});

describe('GET /v1/spans/{spanId}', () => {
  it('answers the span with its payload, to its tenant only', async () => {
    const long = 'word '.repeat(50_000);
    const span = aChat({ ask: long, attributes: { 'agentmark.metadata.env': 'prod' } });
    const [traceId, spanId] = [span['traceId'] as string, span['spanId'] as string];
    await cloud.ingest(cloud.tenant, aRequest([span]));
    const { data } = await client.spanById.get({ params: { spanId } });
    const item = (await client.spans.ofTrace({ params: { traceId } })).data[0];
    expect(data).toEqual({ ...item, ...(await client.spans.io({ params: { traceId, spanId } })).data });
    expect([data.input.includes(long), data.metadata]).toEqual([true, { env: 'prod' }]);
    const foreign = await other.client.spanById.get({ params: { spanId } }).catch((error: unknown) => error);
    expect(foreign).toMatchObject({ status: 404, code: 'span_not_found' });
  });

  it('answers the same for unknown and for invalid ids', async () => {
    for (const id of ['ab'.repeat(8), 'x', 'a'.repeat(500)]) {
      expect(await refusal(`/v1/spans/${id}`)).toMatchObject({ status: 404, code: 'span_not_found' });
    }
  });

  it('needs its permission and a valid credential', async () => {
    const { data } = await cloud.tenant.owner.apiKeys.create({ body: { name: 'no spans', permissions: ['trace.read'] } });
    expect((await fetch('/v1/spans/x', { headers: { Authorization: data.plaintext_key } })).status).toBe(403);
    expect((await fetch('/v1/spans/x', { headers: { Authorization: '' } })).status).toBe(401);
  });
});

it('every declared answer of these routes was received, and capabilities include them', async () => {
  expect(unseen('metrics', 'scoreAnalytics', 'spanById')).toEqual([]);
  const { endpoints } = await client.platform.capabilities();
  expect(endpoints).toMatchObject({ metrics: true, score_analytics: true, span_detail: true });
});
