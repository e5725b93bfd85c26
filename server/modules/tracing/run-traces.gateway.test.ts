import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRequest, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { badLimits, badOffsets } from '../../fixtures/bad-values.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const { client, fetch, refusal, unseen } = contractClient(() => gateway);

beforeAll(async () => {
  gateway = await startTestGateway();
  const items = ['run 1/a', 'run 1/a', 'run 1/a', 'run 2'].map((run, index) =>
    aSpan({ name: `item ${index}`, startMs: testEpochMs + index * 1000, attributes: { 'agentmark.dataset_run_id': run } }),
  );
  expect((await gateway.ingest(aRequest(items))).status).toBe(200);
});

afterAll(() => gateway.stop());

it('a run lists its traces newest first, as its successor does', async () => {
  const runId = 'run 1/a';
  const page = await client.runTraces.list({ params: { runId }, query: {} });
  expect(page.data.map(({ name }) => name)).toEqual(['item 2', 'item 1', 'item 0']);
  expect(page.pagination).toEqual({ limit: 50, offset: 0, total: 3 });
  expect(page).toEqual(await client.traces.list({ query: { dataset_run_id: runId } }));
});

it('a run is paged', async () => {
  const page = await client.runTraces.list({ params: { runId: 'run 1/a' }, query: { limit: 1, offset: 1 } });
  expect(page.data.map(({ name }) => name)).toEqual(['item 1']);
  expect(page.pagination).toEqual({ limit: 1, offset: 1, total: 3 });
});

it('an unknown run is an empty page, not a missing one', async () => {
  const page = await client.runTraces.list({ params: { runId: 'run' }, query: {} });
  expect(page).toEqual({ data: [], pagination: { limit: 50, offset: 0, total: 0 } });
});

it('the route says that it is deprecated and what to use, but gives no date of removal', async () => {
  const { headers } = await fetch('/v1/runs/run%201%2Fa/traces');
  expect([headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([
    'true',
    null,
    '</v1/traces?dataset_run_id=run%201%2Fa>; rel="successor-version"',
  ]);
});

it.each([...badLimits(1000).map((value) => ['limit', value]), ...badOffsets.map((value) => ['offset', value])] as [string, string][])(
  'refuses %s=%j and names it',
  async (key, value) => {
    const { status, code, details } = await refusal(`/v1/runs/x/traces?${key}=${encodeURIComponent(value)}`);
    expect({ status, code, keys: Object.keys(details) }).toEqual({ status: 400, code: 'invalid_query_params', keys: [key] });
  },
);

it('every declared answer of this route was received', () => {
  expect(unseen('runTraces')).toEqual([]);
});
