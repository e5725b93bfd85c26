import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChat, aRequest, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const { client, fetch, unseen } = contractClient(() => gateway);

const ids = [0, 1, 2].map((index) => index.toString(16).padStart(32, 'f1'));

/** Three traces: a failed one of gpt-4o, one of o3, and one without a model. */
const sent = ids.flatMap((traceId, index) => {
  const position = { traceId, startMs: testEpochMs + index * 1000 };
  const spanId = `e${index}`.repeat(8);
  const root = aSpan({
    ...position,
    spanId,
    status: index === 0 ? 'ERROR' : 'OK',
    attributes: { 'agentmark.tags': index === 1 ? ['prod'] : [], 'agentmark.metadata.env': index === 2 ? 'prod' : 'dev' },
  });
  const ask = index === 0 ? 'say "hi" and 100% go' : 'nothing';
  const attributes = { 'agentmark.usage.cost_usd': 0.25 };
  return index === 2 ? [root] : [root, aChat({ ...position, parentSpanId: spanId, model: index === 0 ? 'gpt-4o' : 'o3', ask, attributes })];
});

beforeAll(async () => {
  gateway = await startTestGateway();
  expect((await gateway.ingest(aRequest(sent))).status).toBe(200);
});

afterAll(() => gateway.stop());

const request = (route: string, ...filters: string[]) =>
  fetch(`/v1/${route}?${filters.map((filter) => `filter=${encodeURIComponent(filter)}`).join('&')}`);

async function matching(route: 'traces' | 'spans', filter: string): Promise<number[]> {
  const response = await request(route, filter);
  expect(response.status, filter).toBe(200);
  const { data, pagination } = (await response.json()) as { data: { id: string; trace_id?: string }[]; pagination: { total: number } };
  expect(pagination.total).toBe(data.length);
  return data.map(({ id, trace_id }) => ids.indexOf(trace_id ?? id)).sort();
}

describe.each(['traces', 'spans'] as const)('the filter of GET /v1/%s', (route) => {
  it.each([
    ['status = ERROR', [0], [0]],
    ['model starts with "gpt"', [0], [0]],
    ['(model = gpt-4o or model = o3) and cost >= 0.25', [0, 1], [0, 1]],
    ['input contains "100% go"', [0], [0]],
    ['input contains SAY', [], []],
    ['SAY "HI" 100%', [0], [0]],
    ['go model:o3 or (nothing o3)', [1], [1]],
    ['not_a_tag != x', null, null],
    ['tags != prod', [0, 2], [0, 0, 1, 2]],
    ['metadata.env = prod', [2], [2]],
    ['metadata.env exists and metadata.debug does not exist', [0, 1, 2], [0, 1, 2]],
    ["user_id = ''", [0, 1, 2], [0, 0, 1, 1, 2]],
    ['score__q >= 0', [], []],
    [`trace_id = ${ids[1]}`, [1], [1, 1]],
  ])('%s', async (filter, traces, spans) => {
    const expected = route === 'traces' ? traces : spans;
    if (expected) expect(await matching(route, filter)).toEqual(expected);
    else expect((await request(route, filter)).status).toBe(400);
  });

  it('combines with the plain parameters', async () => {
    const response = await fetch(`/v1/${route}?status=OK&limit=1&filter=${encodeURIComponent('cost >= 0')}`);
    expect(await response.json()).toMatchObject({ data: [{}], pagination: { limit: 1, offset: 0, total: 2 } });
  });

  it.each([
    ['status != OK', { position: 7, field: 'status', operator: 'notEquals' }],
    ['foo = 1', { position: 0, field: 'foo' }],
    ['modle = a', { position: 0, field: 'modle', suggestion: 'model' }],
    ['(model = a or model = b', { position: 23 }],
    ['model = a and', { position: 13 }],
    ['user_id = "ü', { position: 10, field: 'user_id', operator: 'equals' }],
    ['[{"field":"model","operator":"equals","value":"x"}]', { position: 0 }],
    ['', { position: 0 }],
    ['  ', { position: 2 }],
  ])('refuses %j, naming the position', async (filter, extras) => {
    const response = await request(route, filter);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    const { message, ...rest } = error;
    expect(rest).toEqual({ code: 'invalid_filter', ...extras });
    expect(message.length).toBeGreaterThan(10);
  });

  it('refuses a filter that is given twice, though each is valid', async () => {
    const response = await request(route, 'cost > 1', 'cost > 2');
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([400, 'invalid_filter']);
  });
});

it('the typed client takes a filter as text', async () => {
  const { pagination } = await client.traces.list({ query: { filter: 'status = ERROR' } });
  expect(pagination.total).toBe(1);
});

it('no other list takes a filter', async () => {
  const unfiltered = ((await (await fetch('/v1/sessions')).json()) as { pagination: { total: number } }).pagination.total;
  const sessions = await request('sessions', 'nonsense');
  expect(((await sessions.json()) as { pagination: { total: number } }).pagination.total).toBe(unfiltered);
});

describe('GET /v1/filter-schema', () => {
  it('lists fields, operators and limits, and what it lists is accepted', async () => {
    const { data } = (await (await fetch('/v1/filter-schema')).json()) as {
      data: { resources: { traces: { fields: { name: string; kind: string }[]; limits: object } } };
    };
    const { fields, limits } = data.resources.traces;
    expect([fields.length, limits]).toEqual([32, { max_predicates: 20, max_in_values: 50 }]);
    for (const { name, kind } of fields) {
      const response = await request('traces', `${name} ${kind === 'words' ? 'contains' : '='} ${kind === 'numeric' ? '1' : 'OK'}`);
      expect(response.status, name).toBe(200);
    }
  });

  it('is announced as served', async () => {
    const { endpoints } = (await (await fetch('/v1/capabilities')).json()) as { endpoints: Record<string, boolean> };
    expect(endpoints['filter_schema']).toBe(true);
  });
});

it('every declared answer of these routes was received', () => {
  expect(unseen('filterSchema')).toEqual([]);
  expect(unseen('traces', 'spans').filter((pair) => pair.endsWith('invalid_filter'))).toEqual([]);
});
