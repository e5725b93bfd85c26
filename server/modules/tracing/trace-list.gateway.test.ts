import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { facetNames } from '../../../shared/contract/tracing/trace-facets.ts';
import type { traceList } from '../../../shared/contract/tracing/trace-list.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

type Query<R extends keyof typeof traceList> = (typeof traceList)[R] extends { query: infer Q extends z.ZodType } ? z.input<Q> : never;

let gateway: TestGateway;
const { client, refusal, unseen } = contractClient(() => gateway);

const startMs = Date.UTC(2026, 5, 1, 12);
const minute = 60_000;

/** The runs: start minute, user, model, and whether the run failed. */
const runs = [
  { at: 0, user: 'ann', model: 'gpt-4o', failed: false },
  { at: 1, user: 'ann', model: 'gpt-4o-mini', failed: true },
  { at: 1, user: 'bob', model: 'gpt-4o', failed: false },
  { at: 30.5, user: 'bob', model: 'o3', failed: true },
  { at: 59, user: 'bob', model: 'gpt-4o', failed: false },
].map((run) => ({ ...run, traceId: aTraceId(), root: aSpanId(), chat: aSpanId() }));

const spansOf = ({ at, user, model, failed, traceId, root, chat }: (typeof runs)[number]) => [
  aSpan({
    traceId,
    spanId: root,
    name: `run of ${user}`,
    startMs: startMs + at * minute,
    durationMs: 1000,
    ...(failed ? { status: 'ERROR' as const } : {}),
    attributes: {
      'user.id': user,
      'session.id': `${user}-day`,
      'langfuse.trace.tags': [user, 'daily'],
      'deployment.environment.name': at < 10 ? 'prod' : 'dev',
      'langfuse.trace.metadata.region': 'eu',
    },
  }),
  aChat({ traceId, spanId: chat, parentSpanId: root, startMs: startMs + at * minute + 10, model, ask: 'Where?', reply: 'There.' }),
];

beforeAll(async () => {
  gateway = await startTestGateway();
  for (const run of runs) await gateway.ingest(aRequest(spansOf(run)));
  await client.scores.create({ body: { resource_id: runs[0]?.root ?? '', name: 'helpful', score: 0.2, label: 'bad' } });
  await client.scores.create({ body: { resource_id: runs[0]?.traceId ?? '', name: 'helpful', score: 0.9, label: 'good' } });
});

afterAll(() => gateway.stop());

const rows = async (query: Query<'rows'>) => (await client.traceList.rows({ query })).data;
const ids = (of: readonly { id: string }[]) => of.map(({ id }) => id);
const traceIds = (...indexes: number[]) => indexes.map((index) => runs[index]?.traceId);

describe('GET /v1/viewer/traces', () => {
  it('returns what the public list returns, in its order, and values from other tables', async () => {
    const list = await rows({});
    const { data: publicRows } = await client.traces.list({ query: {} });
    expect(list.rows).toMatchObject(publicRows);
    expect(list.total).toBe(5);
    expect(list.rows.at(-1)).toMatchObject({
      ...{ user_id: 'ann', session_id: 'ann-day', models: ['gpt-4o'], running: 0, input_span: runs[0]?.chat, output_span: runs[0]?.chat },
      scores: [{ name: 'helpful', score: 0.9, label: 'good' }],
    });
  });

  it('filters by a range of milliseconds, an environment and a filter, all at once', async () => {
    const from = startMs + minute;
    expect(ids((await rows({ from, to: startMs + 59 * minute, sort_order: 'asc' })).rows)).toEqual(traceIds(1, 2, 3));
    expect(ids((await rows({ from, environment: 'dev', filter: 'model = o3' })).rows)).toEqual(traceIds(3));
  });

  it('shows and counts the list as it was when the given traces had arrived', async () => {
    const other = await startTestGateway();
    try {
      const send = (at: number) => other.ingest(aRequest([aSpan({ startMs: startMs + at })]));
      await send(1);
      const before = (await other.client.traceList.rows({ query: {} })).data;
      // Listed above it and below it.
      await Promise.all([send(0), send(2)]);
      const frozen = (await other.client.traceList.rows({ query: { arrived: before.arrived } })).data;
      expect([frozen.rows, frozen.total]).toEqual([before.rows, 1]);
      const later = (await other.client.traceList.rows({ query: { arrived_after: before.arrived } })).data;
      expect([later.total, ids(later.rows).some((id) => ids(before.rows).includes(id))]).toEqual([2, false]);
      const filtered = { filter: 'spans > 0', arrived_after: later.arrived };
      expect((await other.client.traceList.rows({ query: filtered })).data.total).toBe(0);
      expect((await other.client.traceList.rows({ query: {} })).data.total).toBe(3);
      const foreign = (await rows({})).arrived;
      for (const cursor of ['12345', foreign, 'not a cursor'])
        for (const name of ['arrived', 'arrived_after']) {
          const response = await other.fetch(`/v1/viewer/traces?${name}=${encodeURIComponent(cursor)}`);
          const { error } = (await response.json()) as { error: { code: string; details: object } };
          expect([response.status, error.code, error.details]).toEqual([
            400,
            'invalid_query_params',
            { [name]: 'must be a cursor from an earlier answer' },
          ]);
        }
    } finally {
      await other.stop();
    }
  });
});

describe('GET /v1/viewer/traces-over-time', () => {
  const overTime = async (query: Query<'overTime'>) => (await client.traceList.overTime({ query })).data;
  /** Steps with traces: minutes since the first run, and the counts. */
  const stepsOf = ({ from, bucket_ms, counts, errors }: Awaited<ReturnType<typeof overTime>>) =>
    counts.flatMap((count, at) => (count > 0 ? [[(from + at * bucket_ms - startMs) / minute, count, errors[at]]] : []));

  it('counts traces and failures in steps that are aligned with the clock', async () => {
    const answer = await overTime({ buckets: 60 });
    expect(answer.bucket_ms).toBe(minute);
    expect(stepsOf(answer)).toEqual([
      [0, 1, 0],
      [1, 2, 1],
      [30, 1, 1],
      [59, 1, 0],
    ]);
  });

  it('keeps the axis when a filter narrows what is counted', async () => {
    const [all, filtered] = [await overTime({ buckets: 60 }), await overTime({ buckets: 60, filter: 'user_id = bob' })];
    expect([filtered.from, filtered.bucket_ms, filtered.counts.length]).toEqual([all.from, all.bucket_ms, all.counts.length]);
    expect(stepsOf(filtered)).toEqual([
      [1, 1, 0],
      [30, 1, 1],
      [59, 1, 0],
    ]);
  });

  it('counts the requested range and nothing else, with and without a filter', async () => {
    const range = { from: startMs + minute / 2, to: startMs + 30 * minute, buckets: 30 };
    expect(stepsOf(await overTime(range))).toEqual([[1, 2, 1]]);
    expect(stepsOf(await overTime({ ...range, status: 'ERROR' }))).toEqual([[1, 1, 1]]);
  });

  it('begins after a few traces from long ago, and says how many those are', async () => {
    const other = await startTestGateway();
    try {
      const spans = Array.from({ length: 60 }, (_, i) => aSpan({ startMs: startMs + i * minute }));
      await other.ingest(aRequest([...spans, aSpan({ startMs: startMs - 1000 * 24 * 60 * minute })]));
      const ask = async (from?: number) => (await other.client.traceList.overTime({ query: from === undefined ? {} : { from } })).data;
      const { earlier, counts, from } = await ask();
      expect([earlier, counts.reduce((a, b) => a + b), from]).toEqual([1, 60, startMs]);
      expect(await ask(0)).toMatchObject({ earlier: 0 });
    } finally {
      await other.stop();
    }
  });

  it('counts traces with errors inside apart from those that failed', async () => {
    const other = await startTestGateway();
    try {
      const run = (minutes: number, root: 'OK' | 'ERROR', inside: 'OK' | 'ERROR') => {
        const [traceId, spanId, at] = [aTraceId(), aSpanId(), startMs + minutes * minute];
        return [
          aSpan({ traceId, spanId, startMs: at, durationMs: 900, status: root }),
          aSpan({ traceId, parentSpanId: spanId, startMs: at + 5, durationMs: 10, status: inside }),
        ];
      };
      await other.ingest(
        aRequest([...run(0, 'OK', 'OK'), ...run(0, 'OK', 'ERROR'), ...run(1, 'ERROR', 'ERROR'), ...run(2, 'ERROR', 'OK')]),
      );
      for (const query of [{}, { filter: 'latency_ms > 5' }]) {
        const { data } = await other.client.traceList.overTime({ query: { ...query, buckets: 3 } });
        expect(data).toMatchObject({ counts: [2, 1, 1], errors: [0, 1, 1], errors_inside: [1, 0, 0] });
      }
    } finally {
      await other.stop();
    }
  });

  it('has no steps where nothing matches', async () => {
    expect(await overTime({ filter: 'user_id = nobody' })).toMatchObject({ counts: [], errors: [] });
    expect(await overTime({ from: 0, to: 1000 })).toMatchObject({ counts: [], errors: [] });
  });
});

describe('GET /v1/viewer/trace-facets', () => {
  const facets = async (query: Query<'facets'>) => {
    const { data } = await client.traceList.facets({ query });
    return { ...data, of: (name: string) => data.facets.find((facet) => facet.name === name) };
  };
  const value = (text: string, count: number) => ({ value: text, count });

  it('counts the traces that have each value, the commonest first', async () => {
    const { of, looked_at, is_whole } = await facets({});
    expect({ looked_at, is_whole }).toEqual({ looked_at: 5, is_whole: true });
    expect(of('model')?.values).toEqual([value('gpt-4o', 3), value('gpt-4o-mini', 1), value('o3', 1)]);
    expect(of('user_id')?.values).toEqual([value('bob', 3), value('ann', 2)]);
    expect(of('session_id')?.values).toEqual([value('bob-day', 3), value('ann-day', 2)]);
    expect(of('tags')?.values).toEqual([value('daily', 5), value('bob', 3), value('ann', 2)]);
    expect(of('environment')?.values).toEqual([value('prod', 3), value('dev', 2)]);
    expect(of('status')?.values).toContainEqual(value('ERROR', 2));
    expect(of('semantic_kind')?.values).toContainEqual(value('llm', 5));
  });

  it('counts failed traces and traces with errors inside apart, among those that match', async () => {
    expect((await facets({})).errors).toEqual({ any: 2, failed: 2, inside: 0 });
    const [traceId, root] = [aTraceId(), aSpanId()];
    const recovered = [
      aSpan({ traceId, spanId: root, startMs: startMs + 70 * minute, status: 'OK', attributes: { 'user.id': 'eve' } }),
      ...[1, 2].map(() => aSpan({ traceId, parentSpanId: root, startMs: startMs + 70 * minute, status: 'ERROR' })),
    ];
    await gateway.ingest(aRequest(recovered));
    expect((await facets({ filter: 'user_id = eve' })).errors).toEqual({ any: 1, failed: 0, inside: 1 });
    expect((await facets({})).errors).toEqual({ any: 3, failed: 2, inside: 1 });
  });

  it('counts the services, tools, agents and types of errors of their spans, in the order in which they are shown', async () => {
    const run = (tool: string, type: string | null) => {
      const [traceId, root] = [aTraceId(), aSpanId()];
      const at = startMs + 60 * minute;
      const error = type === null ? {} : { status: 'ERROR' as const, statusMessage: 'no answer after 30 s' };
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'user.id': 'finn',
        ...(type && { 'error.type': type }),
      };
      return [
        aSpan({ traceId, spanId: root, startMs: at, name: 'invoke_agent scout', attributes: { 'gen_ai.operation.name': 'invoke_agent' } }),
        ...[1, 2].map((i) => aSpan({ traceId, parentSpanId: root, startMs: at + i, name: `execute_tool ${tool}`, attributes, ...error })),
      ];
    };
    const sent = aRequest([...run('search', 'TimeoutError'), ...run('search', null), ...run('fetch', 'TimeoutError')]);
    await gateway.ingest(sent);
    const { facets: found, of } = await facets({ filter: 'user_id = finn' });
    expect(found.map(({ name }) => name)).toEqual(facetNames);
    expect(of('tool')?.values).toEqual([value('search', 2), value('fetch', 1)]);
    expect(of('agent')?.values).toEqual([value('scout', 3)]);
    expect(of('error')?.values).toEqual([value('TimeoutError', 2)]);
    expect(of('service')?.values.map(({ count }) => count)).toEqual([3]);
    for (const { name, values } of found.filter((facet) => ['error', 'tool', 'agent', 'service'].includes(facet.name))) {
      for (const { value: text, count } of values)
        expect((await facets({ filter: `user_id = finn and ${name} = ${JSON.stringify(text)}` })).looked_at).toBe(count);
    }
  });

  it('counts what matches, even when it is far apart, and says how many values it leaves out', async () => {
    const { of, looked_at } = await facets({ filter: '(trace_id = x or user_id = bob)', limit: 1 });
    expect(looked_at).toBe(3);
    expect(of('model')).toEqual({ name: 'model', values: [value('gpt-4o', 2)], more: 1 });
    await gateway.ingest(aRequest(Array.from({ length: 60 }, () => aSpan({ startMs: startMs + 80 * minute }))));
    await gateway.ingest(aRequest(spansOf({ ...runs[3], at: 90, traceId: aTraceId(), root: aSpanId() } as (typeof runs)[number])));
    expect((await facets({ filter: 'model = o3' })).of('user_id')?.values).toEqual([value('bob', 2)]);
    expect((await facets({ filter: 'model = o3' })).of('model')?.values).toEqual([value('o3', 2)]);
  });
});

describe('GET /v1/viewer/filter-values', () => {
  const values = async (field: string, prefix = '', limit = 50) =>
    (await client.traceList.values({ query: { field, prefix, limit } })).data;

  it('returns the values with the prefix, in order, and no more than requested', async () => {
    expect(await values('model')).toEqual(['gpt-4o', 'gpt-4o-mini', 'o3']);
    expect(await values('model', 'gpt')).toEqual(['gpt-4o', 'gpt-4o-mini']);
    expect(await values('model', 'gpt', 1)).toEqual(['gpt-4o']);
    expect(await values('tags', 'da')).toEqual(['daily']);
    expect(await values('metadata.region')).toEqual(['eu']);
  });

  it('returns the names of metadata and of scores that occur', async () => {
    expect(await values('metadata', 'reg')).toContain('region');
    expect(await values('metadata', 'region')).toEqual(['region']);
    expect(await values('metadata', 'zz')).toEqual([]);
    expect(await values('score', 'help')).toEqual(['helpful']);
  });

  it('returns no values of a field that is not indexed by value', async () => {
    expect(await values('cost')).toEqual([]);
    expect(await values('constructor')).toEqual([]);
  });
});

describe('GET /v1/viewer/trace-matches', () => {
  const matches = async (trace_ids: (string | undefined)[], filter?: string) =>
    (await client.traceList.matches({ query: { trace_ids: trace_ids.join(','), filter } })).data;

  it('returns where the words of the filter are, in the order of the ids', async () => {
    const places = await matches([...traceIds(1, 0), 'missing'], 'there');
    expect(places.map(({ trace_id, place, text, marks }) => ({ trace_id, place, text, marks }))).toEqual(
      traceIds(1, 0).map((trace_id) => ({ trace_id, place: 'output', text: 'There.', marks: [[0, 5]] })),
    );
    expect(await matches(traceIds(0))).toEqual([]);
  });

  it('requires ids, of a screen at most', async () => {
    expect((await refusal('/v1/viewer/trace-matches?filter=there')).code).toBe('invalid_query_params');
    const many = Array.from({ length: 101 }, (_, at) => `t${at}`).join(',');
    expect((await refusal(`/v1/viewer/trace-matches?filter=there&trace_ids=${many}`)).code).toBe('invalid_query_params');
    expect((await refusal('/v1/viewer/trace-matches?filter=modle%20=%201&trace_ids=a')).code).toBe('invalid_filter');
  });
});

describe('GET /v1/viewer/error-groups', () => {
  it('groups the failures in the range, with a filter for their traces', async () => {
    const query = { from: startMs, to: startMs + 60 * minute };
    const { groups, errors, traces } = (await client.errorGroups.list({ query })).data;
    expect(groups.map(({ name, errors: count }) => [name, count])).toEqual([
      ['run of bob', 1],
      ['run of ann', 1],
    ]);
    expect({ errors, traces }).toEqual({ errors: 2, traces: 2 });
    expect(ids((await rows({ filter: groups[0]?.filter })).rows)).toContain(runs[3]?.traceId);
  });
});

it.each(['traces', 'traces-over-time', 'trace-facets', 'error-groups'])('%s refuses an invalid filter', async (list) => {
  const { status, code } = await refusal(`/v1/viewer/${list}?filter=modle%20=%201`);
  expect({ status, code }).toEqual({ status: 400, code: 'invalid_filter' });
  expect((await refusal(`/v1/viewer/${list}?from=-1`)).code).toBe('invalid_query_params');
});

it('filter-values requires a field', async () => {
  expect((await refusal('/v1/viewer/filter-values')).code).toBe('invalid_query_params');
});

it('every declared answer of these routes was received', () => {
  expect([...unseen('traceList'), ...unseen('errorGroups')]).toEqual([]);
});
