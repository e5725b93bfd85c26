import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../shared/client.ts';
import type { traceSortKeys } from '../../../shared/contract/tracing/traces.ts';
import { aChat, aRequest, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { badDates, badLimits, badOffsets } from '../../fixtures/bad-values.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const { client, fetch, refusal, unseen } = contractClient(() => gateway);

const idOf = (index: number): string => index.toString(16).padStart(32, 'c');
const rootOf = (index: number): string => index.toString(16).padStart(16, 'd');
const dayMs = 86_400_000;

/** Six traces a day apart, the newest first in lists: 5 to 0. */
const sent = [0, 1, 2, 3, 4, 5].flatMap((index) => {
  const position = { traceId: idOf(index), startMs: testEpochMs + index * dayMs };
  return [
    aSpan({
      ...position,
      spanId: rootOf(index),
      name: index === 3 ? 'nightly report' : `run ${index % 2}`,
      durationMs: 1000 - index,
      status: (['OK', 'ERROR', 'UNSET'] as const)[index % 3] as 'OK',
      attributes: {
        'user.id': index % 2 ? 'ann' : 'bob & co',
        'session.id': `chat/${index % 3}`,
        'agentmark.tags': [['a'], ['b'], ['a', 'b'], ['c'], [], []][index] ?? [],
        'agentmark.dataset_run_id': `run-${index % 2}`,
        'agentmark.metadata.commit_sha': `cafe0${index % 2}`,
        'agentmark.metadata.graph.node.id': `node ${index}`,
      },
    }),
    aChat({
      ...position,
      parentSpanId: rootOf(index),
      startMs: position.startMs + 1,
      model: index % 2 ? 'o3' : 'gpt-4o',
      attributes: { 'agentmark.usage.cost_usd': index % 2 ? 0.125 : 0.25 },
    }),
  ];
});

beforeAll(async () => {
  gateway = await startTestGateway();
  expect((await gateway.ingest(aRequest(sent))).status).toBe(200);
});

afterAll(() => gateway.stop());

/** Indexes of the traces that a query lists, in order. The total must be their number, unless a page was requested. */
async function listIndexes(query: string): Promise<number[]> {
  const response = await fetch(`/v1/traces${query}`);
  expect(response.status, query).toBe(200);
  const { data, pagination } = (await response.json()) as { data: { id: string }[]; pagination: { total: number } };
  if (!/limit|offset/.test(query)) expect(pagination.total).toBe(data.length);
  return data.map(({ id }) => Number.parseInt(id.replaceAll('c', ''), 16) || 0);
}

describe('GET /v1/traces', () => {
  it('lists every trace newest first, fifty to a page', async () => {
    const { data, pagination } = await client.traces.list({ query: {} });
    expect(pagination).toEqual({ limit: 50, offset: 0, total: 6 });
    expect(data.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1, 0].map(idOf));
    expect(data.at(-1)).toEqual({
      id: idOf(0),
      name: 'run 0',
      status: 'OK',
      start: '2026-01-15T10:00:00.000Z',
      end: '2026-01-15T10:00:01.000Z',
      latency_ms: 1000,
      cost: 0.25,
      tokens: 15,
      span_count: 2,
      error_count: 0,
      tags: ['a'],
      input_preview: 'What is the weather?',
      output_preview: 'Sunny.',
    });
  });

  it.each<[string, number[]]>([
    ['?status=OK', [3, 0]],
    ['?status=ERROR', [4, 1]],
    ['?user_id=ann', [5, 3, 1]],
    ['?user_id=bob%20%26%20co', [4, 2, 0]],
    ['?user_id=bob+%26+co', [4, 2, 0]],
    ['?user_id=Ann', []],
    ['?model=o3', [5, 3, 1]],
    ['?model=o', []],
    ['?session_id=chat%2F1', [4, 1]],
    ['?dataset_run_id=run-0', [4, 2, 0]],
    ['?commit_sha=cafe01', [5, 3, 1]],
    ['?name=nightly%20report', [3]],
    ['?name=nightly', []],
    ['?tag=a', [2, 0]],
    ['?tag=a&tag=c', [3, 2, 0]],
    ['?tag=a&tag=b&tag=none', [2, 1, 0]],
    ['?tag=A', []],
    ['?start_date=2026-01-18', [5, 4, 3]],
    ['?end_date=2026-01-16', [1, 0]],
    ['?start_date=2026-01-17&end_date=2026-01-17', [2]],
    ['?start_date=1970-01-01&end_date=2200-01-01', [5, 4, 3, 2, 1, 0]],
    ['?user_id=ann&status=ERROR', [1]],
    ['?user_id=ann&tag=c&model=o3&session_id=chat%2F0&dataset_run_id=run-1&commit_sha=cafe01', [3]],
    ['?filter=status%20%3D%20ERROR', [4, 1]],
    ['?filter=model%3Do3+AND+latency_ms%3C999', [5, 3]],
    ['?filter=(tags%20contains%20c%20or%20user_id%20starts%20with%20%22bob%20%22)&status=ERROR', [4]],
    ['?filter=input%20contains%20%22weather%22&limit=1&offset=5', [0]],
    ['?limit=2', [5, 4]],
    ['?limit=2&offset=4', [1, 0]],
    ['?offset=100', []],
    ['?limit=1000', [5, 4, 3, 2, 1, 0]],
    ['?offset=', [5, 4, 3, 2, 1, 0]],
    ['?offset=null', [5, 4, 3, 2, 1, 0]],
    ['?offset=2147483648', []],
    ['?unknown=1&Limit=0&page=7', [5, 4, 3, 2, 1, 0]],
  ])('%s lists %j', async (query, expected) => {
    expect(await listIndexes(query)).toEqual(expected);
  });

  it('counts all matches, not only those on the page', async () => {
    const { pagination } = await client.traces.list({ query: { user_id: 'ann', limit: 1, offset: 1 } });
    expect(pagination).toEqual({ limit: 1, offset: 1, total: 3 });
  });

  it.each<[(typeof traceSortKeys)[number], number[]]>([
    ['start_time', [0, 1, 2, 3, 4, 5]],
    ['latency', [5, 4, 3, 2, 1, 0]],
    ['name', [3, 0, 2, 4, 1, 5]],
    ['status', [2, 5, 0, 3, 1, 4]],
    ['cost', [1, 3, 5, 0, 2, 4]],
    ['tokens', [0, 1, 2, 3, 4, 5]],
  ])('sorts by %s in either order, descending by default', async (sort_by, ascending) => {
    expect(await listIndexes(`?sort_by=${sort_by}&sort_order=asc`)).toEqual(ascending);
    expect(await listIndexes(`?sort_by=${sort_by}`)).toEqual(ascending.toReversed());
    expect(await listIndexes(`?sort_by=${sort_by}&sort_order=desc`)).toEqual(await listIndexes(`?sort_by=${sort_by}`));
  });

  it('sorts by start when only the order is given', async () => {
    expect(await listIndexes('?sort_order=asc')).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it.each([
    ...badLimits(1000).map((value) => ['limit', value]),
    ...badOffsets.map((value) => ['offset', value]),
    ...badDates.flatMap((value) => [
      ['start_date', value],
      ['end_date', value],
    ]),
    ...['UNSET', 'ok', 'Error', '', 'OK,ERROR'].map((value) => ['status', value]),
    ...['start', 'duration', 'Name', '', 'cost desc', 'constructor'].map((value) => ['sort_by', value]),
    ...['up', 'DESC', '', '1'].map((value) => ['sort_order', value]),
  ] as [string, string][])('refuses %s=%j and names it', async (key, value) => {
    const { status, code, message, details } = await refusal(`/v1/traces?${key}=${encodeURIComponent(value)}`);
    expect({ status, code, message }).toEqual({ status: 400, code: 'invalid_query_params', message: 'Invalid query parameters' });
    expect(Object.keys(details)).toEqual([key]);
  });

  it.each([
    'limit',
    'offset',
    'start_date',
    'end_date',
    'sort_by',
    'sort_order',
    'status',
    'user_id',
    'model',
    'dataset_run_id',
    'session_id',
    'commit_sha',
    'name',
  ])('refuses %s when it is given twice', async (key) => {
    const value =
      { limit: '1', offset: '1', start_date: '2026-01-15', end_date: '2026-01-15', sort_by: 'cost', sort_order: 'asc', status: 'OK' }[
        key
      ] ?? 'x';
    const { code, details } = await refusal(`/v1/traces?${key}=${value}&${key}=${value}`);
    expect({ code, keys: Object.keys(details) }).toEqual({ code: 'invalid_query_params', keys: [key] });
  });

  it.each([
    'filter=',
    'filter=%20%09',
    'filter=status%20%3D%20ok',
    'filter=(model%20%3D%20a%20or%20model%20%3D%20b',
    'filter=%5B%7B%22field%22%3A%22model%22%7D%5D',
    'filter=cost%3E1&filter=cost%3E1',
  ])('refuses ?%s as invalid_filter instead of ignoring it', async (query) => {
    const { status, code, message } = await refusal(`/v1/traces?${query}`);
    expect({ status, code }).toEqual({ status: 400, code: 'invalid_filter' });
    expect(message).not.toBe('');
  });

  it('refuses a range that ends before it begins, and names its end', async () => {
    const { code, details } = await refusal('/v1/traces?start_date=2026-01-16&end_date=2026-01-15');
    expect({ code, keys: Object.keys(details) }).toEqual({ code: 'invalid_query_params', keys: ['end_date'] });
  });

  it('names every bad parameter at once', async () => {
    const { details } = await refusal('/v1/traces?limit=0&offset=-1&status=ok&start_date=now');
    expect(Object.keys(details).sort()).toEqual(['limit', 'offset', 'start_date', 'status']);
  });

  it('tells the typed client which parameter was bad', async () => {
    const failure = await client.traces.list({ query: { limit: 1001 } }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GatewayError);
    expect(failure).toMatchObject({ status: 400, code: 'invalid_query_params', details: { limit: 'must be at most 1000' } });
  });
});

describe('GET /v1/traces/{traceId}', () => {
  it('reads a trace with its spans, oldest first, and no extras', async () => {
    const { data } = await client.traces.get({ params: { traceId: idOf(2) }, query: {} });
    expect(Object.keys(data).sort()).toEqual(
      ['id', 'name', 'status', 'start', 'end', 'latency_ms', 'cost', 'tokens', 'input', 'output', 'metadata', 'spans'].sort(),
    );
    expect(data.metadata).toEqual({ commit_sha: 'cafe00' });
    expect(data.spans.map(({ name, parent_id }) => [name, parent_id])).toEqual([
      ['run 0', null],
      ['chat gpt-4o', rootOf(2)],
    ]);
  });

  it.each<[string, string[]]>([
    ['', []],
    ['?fields=', []],
    ['?fields=graph', ['graph']],
    ['?fields=scores', ['scores']],
    ['?fields=graph,scores', ['graph', 'scores']],
    ['?fields=%20scores%20,%20graph', ['graph', 'scores']],
    ['?fields=Graph,everything,,', []],
  ])('%s adds %j', async (query, keys) => {
    const { data } = (await (await fetch(`/v1/traces/${idOf(2)}${query}`)).json()) as { data: object };
    expect(Object.keys(data).filter((key) => key === 'graph' || key === 'scores')).toEqual(keys);
  });

  it('finds it by other spellings of its id', async () => {
    expect((await client.traces.get({ params: { traceId: idOf(2).toUpperCase() }, query: {} })).data.id).toBe(idOf(2));
  });

  it.each(['f'.repeat(32), 'unknown', '0'.repeat(32), 'a%20b', '%2e%2e%2f', '%00', '%E2%82%AC'])(
    'answers trace_not_found for %s',
    async (id) => {
      const { status, code, details } = await refusal(`/v1/traces/${id}`);
      expect({ status, code, details }).toEqual({ status: 404, code: 'trace_not_found', details: {} });
    },
  );

  it('refuses a path with invalid percent-encoding', async () => {
    const { status, code } = await refusal('/v1/traces/%ZZ');
    expect({ status, code }).toEqual({ status: 400, code: 'invalid_path_params' });
  });

  it('refuses fields that are given twice', async () => {
    expect((await refusal(`/v1/traces/${idOf(2)}?fields=graph&fields=scores`)).details).toHaveProperty('fields');
  });
});

describe('GET /v1/traces/{traceId}/graph', () => {
  it('reads the graph, and says that the route is deprecated, when it will be removed, and what to use', async () => {
    const response = await fetch(`/v1/traces/${idOf(1)}/graph`);
    expect(Object.fromEntries(['deprecation', 'sunset', 'link'].map((name) => [name, response.headers.get(name)]))).toEqual({
      deprecation: 'true',
      sunset: 'Wed, 21 Oct 2026 00:00:00 GMT',
      link: `</v1/traces/${idOf(1)}?fields=graph>; rel="successor-version"`,
    });
    expect(await response.json()).toEqual({
      data: [{ nodeId: 'node 1', spanId: rootOf(1), nodeType: '', displayName: '', spanName: 'run 1' }],
    });
  });

  it('is the same as the answer of the successor', async () => {
    const { data } = await client.traces.get({ params: { traceId: idOf(1) }, query: { fields: 'graph' } });
    expect((await client.traces.graph({ params: { traceId: idOf(1) } })).data).toEqual(data.graph);
  });

  it('is empty for an unknown trace, whose id is escaped in the link', async () => {
    const response = await fetch('/v1/traces/a%2Fb%22%3E/graph');
    expect(await response.json()).toEqual({ data: [] });
    expect(response.headers.get('link')).toBe('</v1/traces/a%2Fb%22%3E?fields=graph>; rel="successor-version"');
  });
});

it('every declared answer of these routes was received', () => {
  expect(unseen('traces')).toEqual([]);
});
