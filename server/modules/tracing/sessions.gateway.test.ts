import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { sessionSortKeys } from '../../../shared/contract/tracing/sessions.ts';
import { aChat, aRequest, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { badLimits, badMoments, badOffsets } from '../../fixtures/bad-values.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const { client, fetch, refusal, unseen } = contractClient(() => gateway);

const idOf = (index: number): string => index.toString(16).padStart(32, 'c');
const hourMs = 3_600_000;

/** One trace of a session: a root, and a model call with a cost. */
function aTurn(index: number, session: string, hours: number, name = '', durationMs = 1000): object[] {
  const position = { traceId: idOf(index), startMs: testEpochMs + hours * hourMs };
  const spanId = index.toString(16).padStart(16, 'd');
  const attributes = { 'session.id': session, 'agentmark.session_name': name, 'agentmark.tags': session === 'support' ? ['vip'] : [] };
  return [
    aSpan({ ...position, spanId, name: `turn ${index}`, durationMs, status: 'OK', attributes }),
    aChat({ ...position, parentSpanId: spanId, durationMs: 500, attributes: { 'agentmark.usage.cost_usd': 0.1 } }),
  ];
}

beforeAll(async () => {
  gateway = await startTestGateway();
  const turns = [
    ...aTurn(1, 'support', 0, 'Zürich trip'),
    ...aTurn(2, 'support', 2, '', 3000),
    ...aTurn(3, 'a/b c', 1, 'Alpha', 2000),
    ...aTurn(4, 'lonely', 5),
    ...aTurn(5, '', 6),
  ];
  expect((await gateway.ingest(aRequest(turns))).status).toBe(200);
});

afterAll(() => gateway.stop());

async function listIds(query: string): Promise<string[]> {
  const response = await fetch(`/v1/sessions${query}`);
  expect(response.status, query).toBe(200);
  const { data, pagination } = (await response.json()) as { data: { id: string }[]; pagination: { total: number } };
  if (!/limit|offset/.test(query)) expect(pagination.total).toBe(data.length);
  return data.map(({ id }) => id);
}

describe('GET /v1/sessions', () => {
  it('lists every session newest first, fifty to a page', async () => {
    const { data, pagination } = await client.sessions.list({ query: {} });
    expect(pagination).toEqual({ limit: 50, offset: 0, total: 3 });
    expect(data).toEqual([
      {
        id: 'lonely',
        name: '',
        start: '2026-01-15T15:00:00.000Z',
        end: '2026-01-15T15:00:01.000Z',
        trace_count: 1,
        total_cost: 0.1,
        total_tokens: 15,
        latency_ms: 1000,
      },
      {
        id: 'a/b c',
        name: 'Alpha',
        start: '2026-01-15T11:00:00.000Z',
        end: '2026-01-15T11:00:02.000Z',
        trace_count: 1,
        total_cost: 0.1,
        total_tokens: 15,
        latency_ms: 2000,
      },
      {
        id: 'support',
        name: 'Zürich trip',
        start: '2026-01-15T10:00:00.000Z',
        end: '2026-01-15T12:00:03.000Z',
        trace_count: 2,
        total_cost: 0.2,
        total_tokens: 30,
        latency_ms: 3000,
        tags: ['vip'],
      },
    ]);
  });

  it.each<[string, string[]]>([
    ['?search=SUPP', ['support']],
    ['?search=Z%C3%9CRICH', ['support']],
    ['?search=alpha', ['a/b c']],
    ['?search=a/b', ['a/b c']],
    ['?search=', ['lonely', 'a/b c', 'support']],
    ['?search=%25', []],
    ['?search=turn', []],
    ['?start_date=2026-01-15T12:00:03Z', ['lonely', 'support']],
    ['?start_date=2026-01-15T12:00:03.001Z', ['lonely']],
    ['?end_date=2026-01-15T11:00:00Z', ['a/b c', 'support']],
    ['?end_date=2026-01-15T10:59:59.999Z', ['support']],
    ['?start_date=2026-01-15T11:30:00Z&end_date=2026-01-15T14:00:00Z', ['support']],
    ['?start_date=2026-01-15T17:00:00%2B02:00', ['lonely']],
    ['?limit=1', ['lonely']],
    ['?limit=1&offset=1', ['a/b c']],
    ['?limit=1000', ['lonely', 'a/b c', 'support']],
    ['?offset=3', []],
    ['?sort_order=asc', ['support', 'a/b c', 'lonely']],
    ['?unknown=1', ['lonely', 'a/b c', 'support']],
  ])('%s lists %j', async (query, expected) => {
    expect(await listIds(query)).toEqual(expected);
  });

  it.each<[(typeof sessionSortKeys)[number], string[]]>([
    ['name', ['lonely', 'a/b c', 'support']],
    ['start', ['support', 'a/b c', 'lonely']],
    ['end', ['a/b c', 'support', 'lonely']],
    ['trace_count', ['a/b c', 'lonely', 'support']],
    ['total_cost', ['a/b c', 'lonely', 'support']],
    ['total_tokens', ['a/b c', 'lonely', 'support']],
    ['latency_ms', ['lonely', 'a/b c', 'support']],
  ])('sorts by %s in either order, descending by default', async (sort_by, ascending) => {
    expect(await listIds(`?sort_by=${sort_by}&sort_order=asc`)).toEqual(ascending);
    expect(await listIds(`?sort_by=${sort_by}&sort_order=desc`)).toEqual(ascending.toReversed());
    expect(await listIds(`?sort_by=${sort_by}`)).toEqual(ascending.toReversed());
  });

  it('counts all matches, not only those on the page', async () => {
    expect((await client.sessions.list({ query: { limit: 1, offset: 2 } })).pagination).toEqual({ limit: 1, offset: 2, total: 3 });
  });

  it.each([
    ...badLimits(1000).map((value) => ['limit', value]),
    ...badOffsets.map((value) => ['offset', value]),
    ...badMoments.flatMap((value) => [
      ['start_date', value],
      ['end_date', value],
    ]),
    ...['id', 'cost', 'start_time', 'Name', ''].map((value) => ['sort_by', value]),
    ...['up', 'DESC', ''].map((value) => ['sort_order', value]),
  ] as [string, string][])('refuses %s=%j and names it', async (key, value) => {
    const { status, code, message, details } = await refusal(`/v1/sessions?${key}=${encodeURIComponent(value)}`);
    expect({ status, code, message }).toEqual({ status: 400, code: 'invalid_query_params', message: 'Invalid query parameters' });
    expect(Object.keys(details)).toEqual([key]);
  });

  it.each(['limit=1', 'offset=1', 'search=a', 'sort_by=name', 'sort_order=asc', 'start_date=2026-01-15T10:00:00Z'])(
    'refuses %s when it is given twice',
    async (pair) => {
      expect(Object.keys((await refusal(`/v1/sessions?${pair}&${pair}`)).details)).toEqual([pair.split('=')[0]]);
    },
  );

  it('refuses a range that ends before it begins, and names its end', async () => {
    const { details } = await refusal('/v1/sessions?start_date=2026-01-16T00:00:00Z&end_date=2026-01-15T23:59:59Z');
    expect(Object.keys(details)).toEqual(['end_date']);
  });
});

describe('GET /v1/sessions/{sessionId}/traces', () => {
  it('lists its traces oldest first, each with its spans', async () => {
    const { data } = await client.sessions.traces({ params: { sessionId: 'support' } });
    expect(data.map(({ spans, ...trace }) => ({ ...trace, spans: spans.map(({ name }) => name) }))).toEqual([
      {
        id: idOf(1),
        name: 'turn 1',
        status: 'OK',
        start: '2026-01-15T10:00:00.000Z',
        end: '2026-01-15T10:00:01.000Z',
        latency_ms: 1000,
        cost: 0.1,
        tokens: 15,
        spans: ['turn 1', 'chat gpt-4o'],
      },
      {
        id: idOf(2),
        name: 'turn 2',
        status: 'OK',
        start: '2026-01-15T12:00:00.000Z',
        end: '2026-01-15T12:00:03.000Z',
        latency_ms: 3000,
        cost: 0.1,
        tokens: 15,
        spans: ['turn 2', 'chat gpt-4o'],
      },
    ]);
  });

  it('says that the route is deprecated, when it will be removed, and what to use', async () => {
    const { headers } = await fetch('/v1/sessions/a%2Fb%20c/traces');
    expect([headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([
      'true',
      'Wed, 21 Oct 2026 00:00:00 GMT',
      '</v1/traces?session_id=a%2Fb%20c>; rel="successor-version"',
    ]);
  });

  it('lists the same traces as its successor', async () => {
    const { data } = await client.sessions.traces({ params: { sessionId: 'a/b c' } });
    const successor = await client.traces.list({ query: { session_id: 'a/b c' } });
    expect(data.map(({ id }) => id)).toEqual(successor.data.map(({ id }) => id));
  });

  it('is empty for an unknown session', async () => {
    expect(await client.sessions.traces({ params: { sessionId: 'Support' } })).toEqual({ data: [] });
  });
});

it('every declared answer of these routes was received', () => {
  expect(unseen('sessions')).toEqual([]);
});
