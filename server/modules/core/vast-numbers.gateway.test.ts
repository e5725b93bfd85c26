/** A sender may report any number: sums stop at the largest number, and no read fails. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChat, aRequest, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

/** This many times the largest safe integer exceeds 2^63, where SQLite fails. */
const count = 1025;
const most = Number.MAX_SAFE_INTEGER;
const range = { from: testEpochMs, to: testEpochMs + 3_600_000 };
/** Each call has the highest cost that is counted. */
const cost = expect.closeTo(count * 1e200, -190);

const attributes = { 'agentmark.dataset_run_id': 'vast', 'session.id': 'vast', 'agentmark.usage.cost_usd': String(Number.MAX_VALUE) };
const calls = Array.from({ length: count }, () => aChat({ traceId: aTraceId(), inputTokens: most, outputTokens: most, attributes }));

describe('the largest numbers that spans can report', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
    expect((await gateway.ingest(aRequest(calls))).status).toBe(200);
    for (const { traceId } of calls.slice(0, 2))
      await gateway.client.scores.create({ body: { resource_id: String(traceId), name: 'vast', score: Number.MAX_VALUE } });
  });
  afterAll(() => gateway.stop());

  it('are summed up in experiments', async () => {
    const run = { id: 'vast', itemCount: count, totalTokens: most, totalCost: cost, avgScore: expect.closeTo(Number.MAX_VALUE, -300) };
    expect((await gateway.client.experiments.list({ query: {} })).data).toMatchObject([run]);
    expect((await gateway.client.experiments.get({ params: { experimentId: 'vast' } })).data).toMatchObject(run);
  });

  it.each(['model', 'prompt'] as const)('are summed up over time, by %s too', async (by) => {
    const { data } = await gateway.client.viewerStatistics.activity({ query: { ...range, steps: 1, by } });
    const sums = { input_tokens: most, output_tokens: most, cost };
    expect(data.totals).toMatchObject({ traces: count, ...sums });
    expect(data.groups).toMatchObject([{ count, ...sums }]);
  });

  it('are summed up in sessions', async () => {
    const { data } = await gateway.client.sessions.list({ query: {} });
    expect(data).toMatchObject([{ id: 'vast', trace_count: count, total_tokens: most, total_cost: cost }]);
  });
});

describe('in a cloud, the largest numbers that spans can report', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await startTestCloud();
    await cloud.ingest(cloud.tenant, aRequest(calls));
  });
  afterAll(() => cloud.stop());

  it('are summed up in metrics', async () => {
    const query = { start_date: new Date(range.from).toISOString(), end_date: new Date(range.to).toISOString() };
    const { summary, time_series } = (await cloud.tenant.client.metrics.get({ query })).data;
    const sums = { input_tokens: most, output_tokens: most };
    expect(summary).toMatchObject({ total_requests: count, total_tokens: most, total_cost: cost, ...sums });
    expect(time_series).toMatchObject([{ requests: count, tokens: most, cost, ...sums }]);
  });
});
