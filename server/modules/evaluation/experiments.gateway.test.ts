import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AttributeInput, aChat, aRequest, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { inputHash } from '../../../shared/input-hash.ts';
import { badDates, badLimits } from '../../fixtures/bad-values.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const { client, refusal, unseen } = contractClient(() => gateway);

const hourMs = 3_600_000;
let count = 0;
const traceIds: string[] = [];

/** One item of a run: a root span with the attributes of the run, and a model call. */
function anItem(run: string, hours: number, more: Record<string, AttributeInput> = {}, durationMs = 1000): object[] {
  const traceId = (++count).toString(16).padStart(32, 'f');
  traceIds.push(traceId);
  const position = { traceId, startMs: testEpochMs + hours * hourMs };
  const spanId = count.toString(16).padStart(16, 'f');
  const attributes = {
    'agentmark.dataset_run_id': run,
    'agentmark.dataset_run_name': `run ${run}`,
    'agentmark.dataset_path': 'datasets/triage.jsonl',
    'agentmark.experiment_key': 'triage-eval',
    'agentmark.prompt_name': 'triage',
    ...more,
  };
  return [
    aSpan({ ...position, spanId, name: `experiment-${run}-0`, durationMs, attributes }),
    aChat({ ...position, parentSpanId: spanId, durationMs: 500, attributes: { 'agentmark.usage.cost_usd': 0.25 } }),
  ];
}

beforeAll(async () => {
  gateway = await startTestGateway();
  const row = {
    'agentmark.dataset_input': '{"name":"café"}',
    'agentmark.dataset_item_name': 'café',
    'agentmark.dataset_expected_output': 'day',
  };
  const spans = [
    ...anItem('base', 0, { ...row, 'agentmark.source_tree_hash': 'b'.repeat(40), 'agentmark.metadata.commit_sha': 'c0ffee' }),
    ...anItem('base', 1, { 'agentmark.props': '{"q":"owls"}' }, 2000),
    ...anItem('later', 30, {
      'agentmark.dataset_input': 'not JSON',
      'agentmark.prompt_name': 'other',
      'agentmark.dataset_path': 'd.jsonl',
    }),
    aSpan({ name: 'no experiment' }),
  ];
  expect((await gateway.ingest(aRequest(spans))).status).toBe(200);
  for (const [index, name, score] of [
    [0, 'exact', 1],
    [0, 'tone', 0.5],
    [1, 'exact', 0],
    [2, 'exact', 1],
  ] as const) {
    await gateway.client.scores.create({ body: { resource_id: traceIds[index] as string, name, score } });
  }
});

afterAll(() => gateway.stop());

const listIds = async (query: object) => (await client.experiments.list({ query })).data.map(({ id }) => id);

const base = {
  id: 'base',
  name: 'run base',
  datasetPath: 'datasets/triage.jsonl',
  promptName: 'triage',
  start: '2026-01-15T10:00:00.000Z',
  end: '2026-01-15T11:00:00.000Z',
  itemCount: 2,
  avgLatencyMs: 1500,
  totalCost: 0.5,
  totalTokens: 30,
  avgScore: 0.5,
  commitSha: 'c0ffee',
  createdAt: '2026-01-15T10:00:00.000Z',
};

describe('GET /v1/experiments', () => {
  it('lists every run newest first, summarised from its traces', async () => {
    const { data, pagination } = await client.experiments.list({ query: {} });
    expect(pagination).toEqual({ limit: 50, offset: 0, total: 2 });
    expect(data[0]).toMatchObject({ id: 'later', itemCount: 1, avgScore: 1, commitSha: '' });
    expect(data[1]).toEqual(base);
  });

  it('filters by day, prompt and dataset, and pages', async () => {
    expect(await listIds({ end_date: '2026-01-15' })).toEqual(['base']);
    expect(await listIds({ start_date: '2026-01-16', end_date: '2026-01-16' })).toEqual(['later']);
    expect(await listIds({ prompt_name: 'triage' })).toEqual(['base']);
    expect(await listIds({ dataset_path: 'd.jsonl' })).toEqual(['later']);
    expect(await listIds({ dataset_path: 'd' })).toEqual([]);
    expect(await listIds({ limit: 1, offset: 1 })).toEqual(['base']);
  });

  it('refuses invalid parameters', async () => {
    for (const limit of badLimits(200))
      expect((await refusal(`/v1/experiments?limit=${encodeURIComponent(limit)}`)).code, limit).toBe('invalid_query_params');
    for (const day of badDates) {
      const answer = await refusal(`/v1/experiments?start_date=${encodeURIComponent(day)}`);
      expect(answer.code, day).toBe('invalid_query_params');
    }
  });
});

describe('GET /v1/experiments/{id}', () => {
  it('has the items in order, with expected output, actual output and scores', async () => {
    const { data } = await client.experiments.get({ params: { experimentId: 'base' } });
    const { items, ...summary } = data;
    expect(summary).toEqual(base);
    expect(items).toEqual([
      {
        traceId: traceIds[0],
        itemName: 'café',
        input: '{"name":"café"}',
        expectedOutput: 'day',
        output: 'Sunny.',
        latencyMs: 1000,
        cost: 0.25,
        tokens: 15,
        model: 'gpt-4o',
        scores: [
          { name: 'exact', score: 1, label: '', reason: '' },
          { name: 'tone', score: 0.5, label: '', reason: '' },
        ],
      },
      expect.objectContaining({ itemName: 'experiment-base-0', latencyMs: 2000, expectedOutput: '' }),
    ]);
    expect(items[1]?.input).not.toBe('');
  });

  it('an unknown one is not found', async () => {
    expect(await refusal('/v1/experiments/nobody')).toMatchObject({ status: 404, code: 'experiment_not_found' });
    expect(await refusal('/v1/experiments/triage')).toMatchObject({ status: 404 });
  });
});

describe('GET /v1/experiments/baseline', () => {
  const ask = async (experiment_key: string, tree_hash: string) =>
    (await client.experiments.baseline({ query: { experiment_key, tree_hash, dataset_path: 'ignored' } })).data;

  it('takes the run at that tree, and hashes each row as clients do', async () => {
    expect(await ask('triage-eval', 'b'.repeat(40))).toEqual({
      resolved: { runId: 'base', treeHash: 'b'.repeat(40), matchedExactCommit: true },
      rows: [
        { inputHash: 'b34f8f0023f6d207', scorer: 'exact', score: 1 },
        { inputHash: 'b34f8f0023f6d207', scorer: 'tone', score: 0.5 },
        { inputHash: inputHash({ q: 'owls' }), scorer: 'exact', score: 0 },
      ],
    });
  });

  it('falls back to the newest run; rows whose input is not JSON are skipped', async () => {
    expect(await ask('triage-eval', 'other')).toEqual({ resolved: { runId: 'later', treeHash: '', matchedExactCommit: false }, rows: [] });
    expect(await ask('unknown', 'b')).toEqual({ resolved: null, rows: [] });
  });

  it('needs an experiment and a tree', async () => {
    for (const query of ['', '?experiment_key=x', '?tree_hash=x', '?experiment_key=&tree_hash=x'])
      expect(await refusal(`/v1/experiments/baseline${query}`)).toMatchObject({ status: 400, code: 'invalid_query_params' });
  });
});

it('every declared answer of these routes was received', () => {
  expect(unseen('experiments')).toEqual([]);
});
