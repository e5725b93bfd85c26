import fc from 'fast-check';
import { expect } from 'vitest';
import { type TraceQuery, traceQuery, traceSortKeys } from '../../../shared/contract/tracing/traces.ts';
import { aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { type KnownTrace, knownTraces, populate, sorted } from './population.ts';
import type { Tenant } from './tenant.ts';

const dayMs = 86_400_000;
const statuses = ['UNSET', 'OK', 'ERROR'];

const sortKey: Record<TraceQuery['sort_by'], (trace: KnownTrace) => string | number> = {
  name: ({ name }) => name,
  status: ({ status }) => statuses.indexOf(status),
  latency: ({ latencyMs }) => latencyMs,
  cost: ({ cost }) => cost,
  tokens: ({ tokens }) => tokens,
  start_time: ({ startMs }) => startMs,
};

/** Expected result of a list by the contract, computed without a store. */
function expected(query: TraceQuery): { ids: string[]; total: number } {
  const is = (wanted: string | undefined, actual: string | null) => wanted === undefined || wanted === actual;
  const matches = knownTraces.filter(
    (trace) =>
      is(query.status, trace.status) &&
      is(query.user_id, trace.user) &&
      is(query.model, trace.model) &&
      is(query.dataset_run_id, trace.run) &&
      is(query.session_id, trace.session) &&
      is(query.commit_sha, trace.commit) &&
      is(query.name, trace.name) &&
      (query.tag === undefined || query.tag.some((tag) => trace.tags.includes(tag))) &&
      (query.start_date === undefined || trace.startMs >= Date.parse(query.start_date)) &&
      (query.end_date === undefined || trace.startMs < Date.parse(query.end_date) + dayMs),
  );
  const ids = sorted(matches, sortKey[query.sort_by], query.sort_order).map(({ id }) => id);
  return { ids: ids.slice(query.offset, query.offset + query.limit), total: matches.length };
}

type Query = Parameters<Tenant['traces']>[0];

async function compare(app: Tenant, query: Query): Promise<number> {
  const { data, total } = await app.traces(query);
  expect({ ids: data.map(({ id }) => id), total }, JSON.stringify(query)).toEqual(expected(traceQuery.parse(query)));
  return total;
}

const dates = [-1, 0, 1, 2, 3, 4].map((day) => new Date(testEpochMs + day * dayMs).toISOString().slice(0, 10));

/** Values that some, many and no traces have. */
const values = {
  status: ['OK', 'ERROR'],
  user_id: ['ann', 'Ann', 'bob', 'nobody'],
  model: ['gpt-4o', 'o3', 'gpt-4o-mini', 'gpt'],
  dataset_run_id: ['run-1', 'run-2', 'run'],
  session_id: ['chat-1', 'Chat-1', 'zürich', 'chat'],
  commit_sha: ['cafe01', 'cafe02', 'cafe'],
  name: ['checkout', 'Checkout', 'Straße', 'nightly', 'search', 'check'],
  tag: ['a', 'A', 'b', ['a', 'b'], ['A', 'missing'], 'missing'],
  start_date: dates,
  end_date: dates,
} as const;

/** Mostly absent, so that two or three conditions are combined and still match something. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const anyQuery = fc
  .record({
    limit: fc.integer({ min: 1, max: 40 }),
    offset: fc.nat(38),
    sort_by: fc.constantFrom(...traceSortKeys),
    sort_order: fc.constantFrom('asc' as const, 'desc' as const),
    ...Object.fromEntries(
      Object.entries(values).map(([key, candidates]) => [key, seldom(fc.constantFrom(...(candidates as readonly unknown[])))]),
    ),
  })
  .filter((query) => traceQuery.safeParse(query).success) as fc.Arbitrary<Query>;

export function traceGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a list is newest first and counts everything', async ({ tenant }) => {
    const app = tenant();
    await populate(app);
    expect(await compare(app, {})).toBe(knownTraces.length);
  });

  for (const [key, candidates] of Object.entries(values)) {
    guarantee(`a list filtered by ${key} contains exactly the matches, and its total counts them`, async ({ tenant }) => {
      const app = tenant();
      await populate(app);
      const totals: number[] = [];
      for (const value of candidates)
        totals.push(await compare(app, { [key]: value }), await compare(app, { [key]: value, limit: 1, offset: 1 }));
      expect(Math.max(...totals)).toBeGreaterThan(0);
      expect(Math.min(...totals)).toBeLessThan(knownTraces.length);
    });
  }

  for (const sort_by of traceSortKeys) {
    guarantee(`pages sorted by ${sort_by} follow each other without gap or overlap, ties by arrival`, async ({ tenant }) => {
      const app = tenant();
      await populate(app);
      for (const sort_order of ['asc', 'desc'] as const) {
        const listedIds: string[] = [];
        for (let offset = 0; offset <= knownTraces.length; offset += 7) {
          const { data, total } = await app.traces({ sort_by, sort_order, limit: 7, offset });
          expect(total).toBe(knownTraces.length);
          listedIds.push(...data.map(({ id }) => id));
        }
        expect(listedIds).toEqual(sorted(knownTraces, sortKey[sort_by], sort_order).map(({ id }) => id));
      }
    });
  }

  guarantee('random combinations of filters, sort and page return the expected rows', async ({ tenant, cases }) => {
    const app = tenant();
    await populate(app);
    await fc.assert(
      fc.asyncProperty(anyQuery, (query) => compare(app, query).then(() => undefined)),
      { numRuns: cases(400) },
    );
  });

  guarantee('a page beyond the end is empty and still has the total', async ({ tenant }) => {
    const app = tenant();
    await populate(app);
    expect(await app.traces({ offset: 1_000, status: 'OK' })).toEqual({
      data: [],
      total: expected(traceQuery.parse({ status: 'OK' })).total,
    });
  });

  guarantee('rows have the values derived from the spans of each trace', async ({ tenant }) => {
    const app = tenant();
    await populate(app);
    const { data } = await app.traces();
    for (const trace of knownTraces) {
      expect(data.find(({ id }) => id === trace.id)).toEqual({
        id: trace.id,
        name: trace.name,
        status: trace.status,
        start: new Date(trace.startMs).toISOString(),
        end: new Date(trace.endMs).toISOString(),
        latency_ms: trace.latencyMs,
        cost: trace.cost,
        tokens: trace.tokens,
        span_count: trace.spans.length,
        error_count: trace.spans.filter(({ status }) => status === 'ERROR').length,
        tags: trace.tags,
      });
    }
  });

  guarantee('a trace started in the first or last millisecond of a day belongs to that day', async ({ tenant }) => {
    const app = tenant();
    const first = Date.UTC(2026, 0, 20);
    for (const startMs of [first - 0.001, first, first + dayMs - 0.001, first + dayMs]) await app.write([aSpan({ startMs })]);
    const { data, total } = await app.traces({ start_date: '2026-01-20', end_date: '2026-01-20', sort_order: 'asc' });
    expect(total).toBe(2);
    expect(data.map(({ start }) => start)).toEqual(['2026-01-20T00:00:00.000Z', '2026-01-20T23:59:59.999Z']);
  });

  guarantee('a trace from a sender with a wrong clock is listed by its arrival, not at the top', async ({ tenant }) => {
    const app = tenant();
    const arrival = testEpochMs + 60_000;
    await app.write([aSpan({ name: 'before', startMs: testEpochMs })], arrival);
    await app.write([aSpan({ name: 'year 2100', startMs: Date.UTC(2100, 0, 1) })], arrival);
    await app.write([aSpan({ name: 'year 1970', startMs: 5_000 })], arrival + 1_000);
    await app.write([aSpan({ name: 'after', startMs: arrival + 2_000 })], arrival + 2_000);
    const { data } = await app.traces();
    expect(data.map(({ name }) => name)).toEqual(['after', 'year 1970', 'year 2100', 'before']);
    expect(data.map(({ start }) => start.slice(0, 4))).toEqual(['2026', '1970', '2100', '2026']);
  });

  guarantee('a trace is found by every spelling of its id that a sender or a link may use', async ({ tenant }) => {
    const app = tenant();
    const hex = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
    await app.write([aSpan({ traceId: hex }), aSpan({ traceId: 'run-42' })]);
    const uuid = 'a1b2c3d4-e5f6-0718-293a-4b5c6d7e8f90';
    for (const spelling of [hex, hex.toUpperCase(), uuid, Buffer.from(hex, 'hex').toString('base64')])
      expect((await app.find(spelling))?.id, spelling).toBe(hex);
    expect((await app.find('run-42'))?.id).toBe('run-42');
    for (const other of ['run-43', 'RUN-42', hex.replace('a', 'b'), '0'.repeat(32), '', 'no id at all', '%', 'x'.repeat(500)])
      expect(await app.find(other), other).toBeNull();
  });

  guarantee('a detail has all spans oldest first, to the nanosecond, and the root’s metadata', async ({ tenant }) => {
    const app = tenant();
    const [traceId, root] = [aTraceId(), aSpanId()];
    const at = (span: Record<string, unknown>, rest: bigint) => ({
      ...span,
      startTimeUnixNano: String(BigInt(span['startTimeUnixNano'] as string) + rest),
    });
    await app.write([
      at(aSpan({ traceId, name: 'third', parentSpanId: root, attributes: { 'agentmark.metadata.k': 'child' } }), 2n),
      at(aSpan({ traceId, name: 'second', parentSpanId: root }), 1n),
    ]);
    await app.write([aSpan({ traceId, spanId: root, name: 'first', attributes: { 'agentmark.metadata.k': 'root' } })]);
    const { spans, metadata } = await app.detail(traceId);
    expect(spans.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
    expect((await app.ofTrace(traceId)).map(({ name }) => name)).toEqual(['first', 'second', 'third']);
    expect(metadata).toEqual({ k: 'root' });
  });

  guarantee('a detail contains graph and scores only on request', async ({ tenant }) => {
    const app = tenant();
    const traceId = aTraceId();
    await app.write([aSpan({ traceId, attributes: { 'agentmark.metadata.graph.node.id': 'n' } })]);
    const keys = async (graph: boolean, scores: boolean) => {
      const detail = await app.detail(traceId, { graph, scores });
      return ['graph', 'scores'].filter((key) => key in detail);
    };
    expect([await keys(false, false), await keys(true, false), await keys(false, true)]).toEqual([[], ['graph'], ['scores']]);
    expect((await app.detail(traceId)).graph).toEqual(await app.graph(traceId));
  });
}
