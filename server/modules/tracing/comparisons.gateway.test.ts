import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const { client, refusal, unseen } = contractClient(() => gateway);

const startMs = Date.UTC(2026, 5, 1, 12);

/** Runs of one agent by model; those with a message failed. */
const runs = [
  { model: 'gpt-4o', failure: '' },
  { model: 'gpt-4o', failure: '' },
  { model: 'gpt-4o-mini', failure: 'The window is closed' },
  { model: 'gpt-4o-mini', failure: 'The window is closed' },
].map((run) => ({ ...run, traceId: aTraceId() }));
const [a, , b, last] = runs.map(({ traceId }) => traceId) as [string, string, string, string];

beforeAll(async () => {
  gateway = await startTestGateway();
  for (const [at, { model, failure, traceId }] of runs.entries()) {
    const [root, start] = [aSpanId(), startMs + at * 60_000];
    const failed = failure ? { status: 'ERROR' as const, statusMessage: failure } : {};
    await gateway.ingest(
      aRequest([
        aSpan({ traceId, spanId: root, name: 'refund', startMs: start, durationMs: 500, ...failed }),
        aChat({ traceId, parentSpanId: root, startMs: start + 10, model }),
        aSpan({
          ...{ traceId, parentSpanId: root, name: 'issue_refund', startMs: start + 200, ...failed },
          attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'issue_refund' },
        }),
      ]),
    );
  }
});

afterAll(() => gateway.stop());

describe('GET /v1/viewer/compare', () => {
  it('pairs the steps of two traces and names the first difference', async () => {
    const { pairs, divergence } = (await client.comparisons.find({ query: { a, b } })).data;
    expect(pairs[divergence ?? -1]).toMatchObject({ a: { name: 'gpt-4o' }, b: { name: 'gpt-4o-mini' }, differences: ['model'] });
    expect((await client.comparisons.find({ query: { a, b: a } })).data.divergence).toBeNull();
  });

  it('is 404 for a trace that is not stored, and 400 without one', async () => {
    expect((await refusal(`/v1/viewer/compare?a=${a}&b=missing`)).code).toBe('trace_not_found');
    expect((await refusal(`/v1/viewer/compare?a=${a}`)).code).toBe('invalid_query_params');
  });
});

describe('GET /v1/viewer/compare/groups', () => {
  const model = { kind: 'model', value: 'gpt-4o-mini', a: [{ run: 0 }, { run: 1 }], b: [], separation: 1 };

  it('compares the traces of an error with good ones of the same name', async () => {
    const { data } = await client.groupComparisons.find({ query: { a: 'tool = issue_refund and error contains closed' } });
    expect(data).toMatchObject({ a: { runs: [{ id: last }, { id: b }], has_more: false }, b: { runs: [{}, { id: a }] }, is_whole: true });
    expect(data.facts[0]).toMatchObject(model);
  });

  it('compares traces by id, and those of two filters', async () => {
    const byId = await client.groupComparisons.find({ query: { a_ids: `${b},${last}`, b_ids: a } });
    expect([byId.data.b.runs.length, byId.data.facts[0]]).toMatchObject([1, model]);
    const filtered = await client.groupComparisons.find({
      query: { a: 'model = gpt-4o-mini', b: 'model = gpt-4o', from: startMs + 60_000 },
    });
    expect([filtered.data.b.runs.length, filtered.data.facts[0]]).toMatchObject([1, model]);
  });

  it('refuses a missing first group, too many ids, and an invalid filter', async () => {
    const path = '/v1/viewer/compare/groups';
    expect((await refusal(`${path}?b_ids=${a}`)).code).toBe('invalid_query_params');
    expect((await refusal(`${path}?a_ids=${Array.from({ length: 51 }, () => a).join()}`)).code).toBe('invalid_query_params');
    for (const group of ['a', 'b'])
      expect((await refusal(`${path}?a_ids=${a}&b_ids=${b}&${group}=errors=0`)).code, group).toBe('invalid_query_params');
    expect((await refusal(`${path}?a=modle%20=%201`)).code).toBe('invalid_filter');
    expect((await refusal(`${path}?a_ids=${a}&b=modle%20=%201`)).code).toBe('invalid_filter');
  });
});

describe('GET /v1/viewer/traces/:traceId/seen-before', () => {
  it('finds the other runs with the failure of a run, and what good ones had', async () => {
    const { data } = await client.seenBefore.find({ params: { traceId: b } });
    expect(data).toMatchObject({ error: { name: 'issue_refund', message: 'The window is closed' }, failed: [last], failed_count: 1 });
    expect(data.facts[0]).toMatchObject({ kind: 'model', value: 'gpt-4o-mini' });
  });

  it('is 404 for a trace that is not stored', async () => {
    expect((await refusal('/v1/viewer/traces/missing/seen-before')).code).toBe('trace_not_found');
  });
});

it('every declared answer of these routes was received', () => {
  expect([...unseen('comparisons'), ...unseen('groupComparisons'), ...unseen('seenBefore')]).toEqual([]);
});
