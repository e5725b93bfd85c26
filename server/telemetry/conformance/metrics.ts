import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { type ScoreAggregation, scoreAggregation } from '../../../shared/contract/evaluation/score-analytics.ts';
import { type MetricsReport, metricsBucket, metricsSummary } from '../../../shared/contract/tracing/metrics.ts';
import { aChat, aSpan, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { Tenant } from './tenant.ts';

const hourMs = 3_600_000;
const report = z.strictObject({ summary: metricsSummary.strict(), time_series: z.array(metricsBucket.strict()) });
const everyTime = { from: 0, to: Date.UTC(2200, 0, 1) };

async function metricsOf({ store, scope }: Tenant, window = everyTime, extended = true): Promise<MetricsReport> {
  return report.parse((await store.metrics.requests(scope, window, extended)).decode());
}

async function scoreSums({ store, scope }: Tenant, days: { start_date?: string; end_date?: string } = {}): Promise<ScoreAggregation[]> {
  return z.array(scoreAggregation.strict()).parse((await store.metrics.scores(scope, days)).decode());
}

interface Call {
  minute: number;
  durationMs: number;
  model: string;
  user: string;
  input: number;
  output: number;
  cost: number;
  failed: boolean;
}

const aCall: fc.Arbitrary<Call> = fc.record({
  minute: fc.nat({ max: 300 }),
  durationMs: fc.constantFrom(0, 1, 2.5, 1000),
  model: fc.constantFrom('', 'gpt-4o', 'o3'),
  user: fc.constantFrom('', 'ann', 'bob'),
  input: fc.constantFrom(0, 1, 100),
  output: fc.constantFrom(0, 7, 1000),
  cost: fc.constantFrom(0.25, 0.000_001, 3),
  failed: fc.boolean(),
});

/** Spans of one call in a trace of its own, below a root that has the user and is not a call. */
function spansOfCall({ minute, durationMs, model, user, input, output, cost, failed }: Call): object[] {
  const [traceId, startMs] = [aTraceId(), testEpochMs + minute * 60_000];
  const root = aSpan({ traceId, startMs, durationMs: 5000, attributes: user === '' ? {} : { 'user.id': user } });
  const call = aSpan({
    traceId,
    startMs,
    durationMs,
    parentSpanId: root['spanId'] as string,
    status: failed ? 'ERROR' : 'UNSET',
    attributes: {
      'gen_ai.operation.name': 'chat',
      ...(model === '' ? {} : { 'gen_ai.request.model': model }),
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': output,
      'agentmark.usage.cost_usd': cost,
    },
  });
  return [root, call];
}

/** Expected metrics of the sent calls by docs/reference/records.md#metrics. */
function expected(calls: Call[]) {
  const total = (valueOfCall: (call: Call) => number) => calls.reduce((sum, call) => sum + valueOfCall(call), 0);
  const mean = (sum: number) => (calls.length === 0 ? 0 : expect.closeTo(sum / calls.length, 9));
  const [input, output, cost] = [total((call) => call.input), total((call) => call.output), total((call) => call.cost)];
  const distinct = (valueOfCall: (call: Call) => string) => new Set(calls.map(valueOfCall).filter((text) => text !== '')).size;
  return {
    calls: calls.length,
    errors: calls.filter(({ failed }) => failed).length,
    cost: expect.closeTo(cost, 9),
    usage: {
      input_tokens: input,
      output_tokens: output,
      avg_latency_ms: mean(total((call) => call.durationMs)),
      unique_users: distinct(({ user }) => user),
    },
    tokens: input + output,
    extended: {
      avg_cost_per_request: mean(cost),
      avg_input_tokens_per_request: mean(input),
      avg_output_tokens_per_request: mean(output),
      avg_total_tokens_per_request: mean(input + output),
      model_count: distinct(({ model }) => model),
    },
  };
}

function expectedSummary(sent: Call[]): object {
  const { calls, errors, cost, tokens, usage, extended } = expected(sent);
  return {
    ...usage,
    ...extended,
    ...{ total_requests: calls, success_count: calls - errors, error_count: errors, total_cost: cost, total_tokens: tokens },
  };
}

function expectedBucket(hour: number, sent: Call[]): object {
  const at = new Date(hour * hourMs);
  const { calls, errors, cost, tokens, usage } = expected(sent);
  return {
    ...{ date: at.toISOString().slice(0, 10), hour: at.getUTCHours(), requests: calls, successes: calls - errors, errors, cost, tokens },
    ...usage,
  };
}

export function metricsGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('sums and hours are those of the sent calls, for any window', async ({ tenant }) => {
    const app = tenant();
    const calls = fc.sample(aCall, { numRuns: 120, seed: 3 });
    await app.write(calls.flatMap(spansOfCall));
    const minutes = fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 300 }));
    await fc.assert(
      fc.asyncProperty(minutes, async (ends) => {
        const [first, last] = ends.sort((a, b) => a - b) as [number, number];
        const inside = calls.filter(({ minute }) => minute >= first && minute <= last);
        const found = await metricsOf(app, { from: testEpochMs + first * 60_000, to: testEpochMs + last * 60_000 });
        expect(found.summary).toEqual(expectedSummary(inside));
        const hours = Map.groupBy(inside, ({ minute }) => Math.floor((testEpochMs + minute * 60_000) / hourMs));
        const inOrder = [...hours].sort(([a], [b]) => a - b);
        expect(found.time_series).toEqual(inOrder.map(([hour, callsOfHour]) => expectedBucket(hour, callsOfHour)));
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  guarantee('without calls all sums are zero, and means are returned only on request', async ({ tenant }) => {
    const app = tenant();
    await app.write([aSpan()]);
    const { summary, time_series } = await metricsOf(app, everyTime, false);
    expect(time_series).toEqual([]);
    expect(Object.keys(summary)).toHaveLength(9);
    expect(Object.values(summary)).toEqual(Array.from({ length: 9 }, () => 0));
    expect((await metricsOf(app)).summary).toEqual(expectedSummary([]));
  });

  guarantee('a call that only repeats the usage of the call below it is not counted again', async ({ tenant }) => {
    const app = tenant();
    const traceId = aTraceId();
    const usage = { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5 };
    const outer = aSpan({
      traceId,
      name: 'ai.generateText',
      attributes: { 'operation.name': 'ai.generateText', 'ai.operationId': 'ai.generateText', 'ai.model.id': 'gpt-4o', ...usage },
    });
    const inner = aSpan({
      traceId,
      parentSpanId: outer['spanId'] as string,
      name: 'ai.generateText.doGenerate',
      attributes: {
        'operation.name': 'ai.generateText.doGenerate',
        'ai.operationId': 'ai.generateText.doGenerate',
        'gen_ai.request.model': 'gpt-4o',
        ...usage,
      },
    });
    await app.write([outer, inner]);
    expect((await metricsOf(app)).summary).toMatchObject({ total_requests: 1, total_tokens: 15, model_count: 1 });
  });

  guarantee('scores are summed by name, with a data type derived from their labels', async ({ tenant }) => {
    const app = tenant();
    const label = fc.constantFrom('', 'true', 'false', 'good');
    const row = fc.record({ name: fc.constantFrom('q', 'Q', 'ﬁ', '😀', 'a'), score: fc.constantFrom<number>(-1, 0, 0.5, 7), label });
    const scores = fc.sample(row, { numRuns: 80, seed: 11 }).filter(({ name, label: text }) => name !== 'a' || text !== 'good');
    await insert(app, [...scores, { name: 'plain', score: 2, label: '' }, { name: 'largest', score: Number.MAX_VALUE, label: '' }]);
    await insert(app, [{ name: 'largest', score: Number.MAX_VALUE, label: '' }]);
    const found = await scoreSums(app);
    expect(found.map(({ name }) => name)).toEqual(['Q', 'a', 'largest', 'plain', 'q', '😀', 'ﬁ']);
    for (const { name, ...sum } of found.filter((item) => item.name.length <= 2)) {
      const own = scores.filter((item) => item.name === name);
      const values = own.map((item) => item.score);
      expect(sum).toEqual({
        avg_score: expect.closeTo(values.reduce((a, b) => a + b, 0) / own.length, 9),
        ...{ count: own.length, min_score: Math.min(...values), max_score: Math.max(...values) },
        data_type: name === 'a' ? 'boolean' : 'categorical',
      });
    }
    const sumOf = (name: string) => found.find((item) => item.name === name);
    expect(sumOf('plain')).toMatchObject({ count: 1, avg_score: 2, data_type: 'numeric' });
    expect(sumOf('largest')).toMatchObject({ count: 2, avg_score: Number.MAX_VALUE });
  });

  guarantee('days of scores are complete UTC days, both included; without days all scores count', async ({ tenant }) => {
    const app = tenant();
    const dayMs = 24 * hourMs;
    const midnight = Math.floor(testEpochMs / dayMs) * dayMs;
    for (const [name, at] of Object.entries({ before: midnight - 1, first: midnight, last: midnight + dayMs - 1, after: midnight + dayMs }))
      await insert(app, [{ name, score: 1, label: '' }], at);
    const day = new Date(midnight).toISOString().slice(0, 10);
    const names = async (days = {}) => (await scoreSums(app, days)).map(({ name }) => name);
    expect(await names({ start_date: day, end_date: day })).toEqual(['first', 'last']);
    expect(await names({ start_date: day })).toEqual(['after', 'first', 'last']);
    expect(await names({ end_date: day })).toEqual(['before', 'first', 'last']);
    expect(await names()).toEqual(['after', 'before', 'first', 'last']);
  });

  guarantee('no sum contains data of another app', async ({ tenant }) => {
    const [mine, other] = [tenant(), tenant()];
    await other.write([aChat({ attributes: { 'user.id': 'ann' } })]);
    await insert(other, [{ name: 'q', score: 1, label: '' }]);
    expect((await metricsOf(other)).summary.total_requests).toBe(1);
    expect((await metricsOf(mine)).summary.total_requests).toBe(0);
    expect([(await scoreSums(other)).length, await scoreSums(mine)]).toEqual([1, []]);
  });
}

function insert({ store, scope }: Tenant, scores: { name: string; score: number; label: string }[], atMs = testEpochMs): Promise<number> {
  const common = { resource_id: 'r', reason: '', source: 'api', created_at: new Date(atMs).toISOString() };
  return store.scores.insert(
    scope,
    scores.map((item) => ({ ...common, ...item, id: randomUUID() })),
  );
}
