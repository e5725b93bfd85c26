import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChat, aRequest, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { badLimits, badMoments, badOffsets } from '../../fixtures/bad-values.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const { client, fetch, refusal, unseen } = contractClient(() => gateway);

const traceId = 'a'.repeat(32);
const otherTraceId = 'b'.repeat(32);
const idOf = (index: number): string => index.toString(16).padStart(16, 'e');
const long = randomBytes(60_000).toString('base64');

/** Six spans a second apart; lists are newest first: 5 to 0. */
const sent = [
  aSpan({
    traceId,
    spanId: idOf(0),
    name: 'Answer the question',
    durationMs: 10,
    status: 'OK',
    attributes: { 'session.id': 'chat', 'user.id': 'ann', 'output.value': long, 'agentmark.metadata.plan': 'pro' },
  }),
  aChat({ traceId, spanId: idOf(1), parentSpanId: idOf(0), startMs: testEpochMs + 1000, durationMs: 20, model: 'gpt-4o' }),
  aSpan({ traceId, spanId: idOf(2), parentSpanId: idOf(0), name: 'look up', startMs: testEpochMs + 2000, durationMs: 30, status: 'ERROR' }),
  aSpan({ traceId: otherTraceId, spanId: idOf(3), name: 'ÜBERBLICK', startMs: testEpochMs + 3000, durationMs: 40 }),
  aChat({
    traceId: otherTraceId,
    spanId: idOf(4),
    startMs: testEpochMs + 4000,
    durationMs: 50,
    model: 'gpt-4o-mini',
    attributes: { 'user.id': 'bob' },
  }),
  aSpan({
    traceId: otherTraceId,
    spanId: idOf(5),
    name: 'note',
    startMs: testEpochMs + 5000,
    durationMs: 0.5,
    attributes: { 'langfuse.observation.type': 'event' },
  }),
];

beforeAll(async () => {
  gateway = await startTestGateway();
  for (const span of sent) expect((await gateway.ingest(aRequest([span]))).status).toBe(200);
});

afterAll(() => gateway.stop());

async function listIndexes(query: string): Promise<number[]> {
  const response = await fetch(`/v1/spans${query}`);
  expect(response.status, query).toBe(200);
  const { data, pagination } = (await response.json()) as { data: { id: string }[]; pagination: { total: number } };
  if (!/limit|offset/.test(query)) expect(pagination.total).toBe(data.length);
  return data.map(({ id }) => Number.parseInt(id.replaceAll('e', ''), 16));
}

describe('GET /v1/spans', () => {
  it('lists every span newest first, a hundred to a page', async () => {
    const { data, pagination } = await client.spans.list({ query: {} });
    expect(pagination).toEqual({ limit: 100, offset: 0, total: 6 });
    expect(data.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1, 0].map(idOf));
    expect(data[5]).toEqual({
      id: idOf(0),
      trace_id: traceId,
      parent_id: null,
      name: 'Answer the question',
      status: 'OK',
      status_message: '',
      duration_ms: 10,
      timestamp: '2026-01-15T10:00:00.000Z',
      type: 'SPAN',
      model: null,
      input_tokens: 0,
      output_tokens: 0,
      tokens: 0,
      cost: 0,
      cost_source: 'none',
      span_kind: 'function',
      service_name: 'test-service',
      prompt_name: null,
      metadata: { plan: 'pro' },
    });
  });

  it.each<[string, number[]]>([
    [`?trace_id=${traceId}`, [2, 1, 0]],
    [`?trace_id=${traceId.toUpperCase()}`, [2, 1, 0]],
    ['?trace_id=unknown', []],
    ['?type=GENERATION', [4, 1]],
    ['?type=EVENT', [5]],
    ['?type=SPAN', [3, 2, 0]],
    ['?status=ERROR', [2]],
    ['?status=OK', [0]],
    ['?status=UNSET', [5, 4, 3, 1]],
    ['?name=LOOK', [2]],
    ['?name=%C3%BCberb', [3]],
    ['?name=%25', []],
    ['?model=GPT-4O', [4, 1]],
    ['?model=mini', [4]],
    ['?min_duration=30', [4, 3, 2]],
    ['?max_duration=20', [5, 1, 0]],
    ['?min_duration=20&max_duration=20', [1]],
    ['?min_duration=0&max_duration=0', []],
    ['?start_date=2026-01-15T10:00:04Z', [5, 4]],
    ['?end_date=2026-01-15T10:00:01.000Z', [1, 0]],
    ['?start_date=2026-01-15T12:00:02%2B02:00&end_date=2026-01-15T05:00:03-05:00', [3, 2]],
    ['?start_date=1970-01-01T00:00:00Z&end_date=2200-01-01T00:00:00Z', [5, 4, 3, 2, 1, 0]],
    ['?user_id=bob', [4]],
    ['?user_id=Bob', []],
    ['?session_id=chat', [0]],
    ['?type=GENERATION&model=gpt&min_duration=21', [4]],
    ['?filter=semantic_kind%20%3D%20llm', [4, 1]],
    ['?filter=latency_ms%20%3E%3D%2030%20and%20status%20%3D%20ERROR', [2]],
    ['?filter=metadata.plan%20exists&session_id=chat', [0]],
    ['?limit=2', [5, 4]],
    ['?limit=2&offset=4', [1, 0]],
    ['?limit=500', [5, 4, 3, 2, 1, 0]],
    ['?offset=99', []],
    ['?offset=null', [5, 4, 3, 2, 1, 0]],
    ['?sort_by=nonsense&unknown=1', [5, 4, 3, 2, 1, 0]],
  ])('%s lists %j', async (query, expected) => {
    expect(await listIndexes(query)).toEqual(expected);
  });

  it('counts all matches, not only those on the page', async () => {
    const { pagination } = await client.spans.list({ query: { status: 'UNSET', limit: 1, offset: 3 } });
    expect(pagination).toEqual({ limit: 1, offset: 3, total: 4 });
  });

  it.each([
    ...badLimits(500).map((value) => ['limit', value]),
    ...badOffsets.map((value) => ['offset', value]),
    ...badMoments.flatMap((value) => [
      ['start_date', value],
      ['end_date', value],
    ]),
    ...['-1', '1.5', 'fast', '', '1e3', '0x1'].flatMap((value) => [
      ['min_duration', value],
      ['max_duration', value],
    ]),
    ...['ok', 'FAILED', ''].map((value) => ['status', value]),
    ...['generation', 'LLM', ''].map((value) => ['type', value]),
  ] as [string, string][])('refuses %s=%j and names it', async (key, value) => {
    const { status, code, message, details } = await refusal(`/v1/spans?${key}=${encodeURIComponent(value)}`);
    expect({ status, code, message }).toEqual({ status: 400, code: 'invalid_query_params', message: 'Invalid query parameters' });
    expect(Object.keys(details)).toEqual([key]);
  });

  it.each([
    'limit=1',
    'offset=1',
    'trace_id=a',
    'type=SPAN',
    'status=OK',
    'name=a',
    'model=a',
    'min_duration=1',
    'max_duration=1',
    'start_date=2026-01-15T10:00:00Z',
    'end_date=2026-01-15T10:00:00Z',
    'user_id=a',
    'session_id=a',
  ])('refuses %s when it is given twice', async (pair) => {
    const { code, details } = await refusal(`/v1/spans?${pair}&${pair}`);
    expect({ code, keys: Object.keys(details) }).toEqual({ code: 'invalid_query_params', keys: [pair.split('=')[0]] });
  });

  it.each(['filter=', 'filter=%20', 'filter=nonsense%3D1', 'filter=cost%3Dmuch', 'filter=cost%3E1&filter=cost%3E1'])(
    'refuses ?%s as invalid_filter instead of ignoring it',
    async (query) => {
      const { status, code } = await refusal(`/v1/spans?${query}`);
      expect({ status, code }).toEqual({ status: 400, code: 'invalid_filter' });
    },
  );

  it('refuses a range that ends before it begins, and names its end', async () => {
    const { details } = await refusal('/v1/spans?start_date=2026-01-15T10:00:00.001Z&end_date=2026-01-15T10:00:00Z');
    expect(Object.keys(details)).toEqual(['end_date']);
  });
});

describe('GET /v1/traces/{traceId}/spans', () => {
  it('lists the spans of a trace oldest first, as the list shows them', async () => {
    const { data } = await client.spans.ofTrace({ params: { traceId } });
    expect(data.map(({ id }) => id)).toEqual([0, 1, 2].map(idOf));
    expect(data).toEqual((await client.spans.list({ query: { trace_id: traceId } })).data.toReversed());
  });

  it('is empty for an unknown trace', async () => {
    expect(await client.spans.ofTrace({ params: { traceId: 'c'.repeat(32) } })).toEqual({ data: [] });
  });
});

describe('GET /v1/traces/{traceId}/spans/{spanId}', () => {
  it('reads the whole payload, however long', async () => {
    const { data } = await client.spans.io({ params: { traceId, spanId: idOf(0) } });
    expect(data).toEqual({ input: '', output: long, output_object: null, tool_calls: null, metadata: { plan: 'pro' } });
  });

  it('reads a conversation as JSON text', async () => {
    const { data } = await client.spans.io({ params: { traceId, spanId: idOf(1) } });
    expect(JSON.parse(data.input)).toEqual([{ role: 'user', content: 'What is the weather?' }]);
    expect(data.output).toBe('Sunny.');
  });

  it.each([
    ['a span of another trace', traceId, idOf(3)],
    ['an unknown span', traceId, idOf(9)],
    ['an unknown trace', 'c'.repeat(32), idOf(0)],
    ['no id at all', traceId, '%20'],
  ])('answers span_not_found for %s', async (_, trace, span) => {
    const { status, code } = await refusal(`/v1/traces/${trace}/spans/${span}`);
    expect({ status, code }).toEqual({ status: 404, code: 'span_not_found' });
  });
});

describe('GET /v1/spans/{spanId}', () => {
  it('is served by the cloud only, and says so', async () => {
    const response = await fetch(`/v1/spans/${idOf(0)}`);
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ error: { code: 'not_available_locally', hint: expect.any(String) } });
  });
});

it('every declared answer of these routes was received', () => {
  expect(unseen('spans')).toEqual([]);
});
