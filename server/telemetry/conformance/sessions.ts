import fc from 'fast-check';
import { expect } from 'vitest';
import { type SessionQuery, sessionQuery, sessionSortKeys } from '../../../shared/contract/tracing/sessions.ts';
import { aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { knownTraces, populate, sorted } from './population.ts';
import type { Tenant } from './tenant.ts';

const hour = 3_600_000;

interface KnownSession {
  id: string;
  name: string;
  startMs: number;
  endMs: number;
  trace_count: number;
  total_cost: number;
  total_tokens: number;
  latency_ms: number;
  tags: string[];
}

const sum = (numbers: number[]) => Math.round(numbers.reduce((total, number) => total + number, 0) * 1e12) / 1e12;

/** Expected sessions by docs/reference/ingest.md#sessions, in the order in which their ids first arrived. */
const sessions: KnownSession[] = [...Map.groupBy(knownTraces, ({ session }) => session)].flatMap(([id, traces]) => {
  if (id === null) return [];
  const smallest = (names: string[]) => names.filter((name) => name !== '').sort()[0];
  return {
    id,
    name:
      smallest(traces.map(({ sessionName }) => sessionName)) ??
      smallest(traces.map(({ promptName }) => promptName)) ??
      smallest(traces.map(({ traceName }) => traceName)) ??
      '',
    startMs: Math.min(...traces.map(({ startMs }) => startMs)),
    endMs: Math.max(...traces.map(({ endMs }) => endMs)),
    trace_count: traces.length,
    total_cost: sum(traces.map(({ cost }) => cost)),
    total_tokens: sum(traces.map(({ tokens }) => tokens)),
    latency_ms: Math.max(...traces.flatMap(({ spans }) => spans.map(({ durationMs }) => durationMs))),
    tags: [...new Set(traces.flatMap(({ tags }) => tags))].sort(),
  };
});

const sortKey: Record<SessionQuery['sort_by'], (session: KnownSession) => string | number> = {
  name: ({ name }) => name,
  start: ({ startMs }) => startMs,
  end: ({ endMs }) => endMs,
  trace_count: ({ trace_count }) => trace_count,
  total_cost: ({ total_cost }) => total_cost,
  total_tokens: ({ total_tokens }) => total_tokens,
  latency_ms: ({ latency_ms }) => latency_ms,
};

function expected(query: SessionQuery): { ids: string[]; total: number } {
  const part = (query.search ?? '').toLowerCase();
  const matches = sessions.filter(
    ({ id, name, startMs, endMs }) =>
      (id.toLowerCase().includes(part) || name.toLowerCase().includes(part)) &&
      (query.start_date === undefined || endMs >= Date.parse(query.start_date)) &&
      (query.end_date === undefined || startMs <= Date.parse(query.end_date)),
  );
  const ids = sorted(matches, sortKey[query.sort_by], query.sort_order).map(({ id }) => id);
  return { ids: ids.slice(query.offset, query.offset + query.limit), total: matches.length };
}

type Query = Parameters<Tenant['sessions']>[0];

async function compare(app: Tenant, query: Query): Promise<number> {
  const { data, total } = await app.sessions(query);
  expect({ ids: data.map(({ id }) => id), total }, JSON.stringify(query)).toEqual(expected(sessionQuery.parse(query)));
  return total;
}

const moments = [-1, 0, 6, 6.1, 30, 66, 72, 100].map((hours) => new Date(testEpochMs + hours * hour).toISOString());

const values = {
  search: ['chat', 'CHAT-1', 'alpha', 'BETA', 'ZÜRICH', 'daily', '', 'nothing', '%'],
  start_date: [...moments, '2026-01-17T10:00:00+01:00'],
  end_date: [...moments, '2026-01-15T17:00:00+01:00'],
} as const;

const seldom = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const anyQuery = fc
  .record({
    limit: fc.integer({ min: 1, max: 6 }),
    offset: fc.nat(6),
    sort_by: fc.constantFrom(...sessionSortKeys),
    sort_order: fc.constantFrom('asc' as const, 'desc' as const),
    ...Object.fromEntries(
      Object.entries(values).map(([key, candidates]) => [key, seldom(fc.constantFrom(...(candidates as readonly unknown[])))]),
    ),
  })
  .filter((query) => sessionQuery.safeParse(query).success) as fc.Arbitrary<Query>;

export function sessionGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('a session sums all traces with its id on any span', async ({ tenant }) => {
    const app = tenant();
    await populate(app);
    const { data, total } = await app.sessions();
    expect(total).toBe(sessions.length);
    for (const { startMs, endMs, tags, ...session } of sessions) {
      expect(data.find(({ id }) => id === session.id)).toEqual({
        ...session,
        start: new Date(startMs).toISOString(),
        end: new Date(endMs).toISOString(),
        ...(tags.length > 0 ? { tags } : {}),
      });
    }
  });

  for (const [key, candidates] of Object.entries(values)) {
    guarantee(`a list filtered by ${key} contains exactly the matches, and its total counts them`, async ({ tenant }) => {
      const app = tenant();
      await populate(app);
      const totals: number[] = [];
      for (const value of candidates)
        totals.push(await compare(app, { [key]: value }), await compare(app, { [key]: value, limit: 1, offset: 1 }));
      expect(Math.max(...totals)).toBeGreaterThan(0);
      expect(Math.min(...totals)).toBeLessThan(sessions.length);
    });
  }

  for (const sort_by of sessionSortKeys) {
    guarantee(`pages sorted by ${sort_by} follow each other without gap or overlap, ties by arrival`, async ({ tenant }) => {
      const app = tenant();
      await populate(app);
      for (const sort_order of ['asc', 'desc'] as const) {
        const listedIds: string[] = [];
        for (let offset = 0; offset <= sessions.length; offset += 2) {
          const { data, total } = await app.sessions({ sort_by, sort_order, limit: 2, offset });
          expect(total).toBe(sessions.length);
          listedIds.push(...data.map(({ id }) => id));
        }
        expect(listedIds).toEqual(sorted(sessions, sortKey[sort_by], sort_order).map(({ id }) => id));
      }
    });
  }

  guarantee('random combinations of filters, sort and page return the expected rows', async ({ tenant, cases }) => {
    const app = tenant();
    await populate(app);
    await fc.assert(
      fc.asyncProperty(anyQuery, (query) => compare(app, query).then(() => undefined)),
      { numRuns: cases(300) },
    );
  });

  guarantee('blank ids and the word null make no session, and blanks around an id are ignored', async ({ tenant }) => {
    const app = tenant();
    for (const id of ['', '   ', 'null', ' chat ', 'chat']) await app.write([aSpan({ attributes: { 'session.id': id } })]);
    expect((await app.sessions()).data.map(({ id, trace_count }) => ({ id, trace_count }))).toEqual([{ id: 'chat', trace_count: 2 }]);
  });

  guarantee('a search ignores the case of letters, also of those whose lower case depends on their place', async ({ tenant }) => {
    const app = tenant();
    const ids = ['ΣΟΦΟΣ', 'STRASSE', 'İzmir', 'K'];
    await app.write(ids.map((id) => aSpan({ traceId: aTraceId(), attributes: { 'session.id': id } })));
    const found = async (search: string) => (await app.sessions({ search })).data.map(({ id }) => id);
    expect(await found('σοφος')).toEqual(['ΣΟΦΟΣ']);
    expect(await found('strasse')).toEqual(['STRASSE']);
    expect(await found('İZM')).toEqual(['İzmir']);
    expect(await found('izm')).toEqual([]);
    expect(await found('K')).toEqual(['K']);
  });

  guarantee('a trace may belong to two sessions, and counts fully in each', async ({ tenant }) => {
    const app = tenant();
    const [traceId, root] = [aTraceId(), aSpanId()];
    await app.write([aSpan({ traceId, spanId: root, attributes: { 'session.id': 'one', 'agentmark.usage.cost_usd': 0.5 } })]);
    await app.write([aSpan({ traceId, parentSpanId: root, durationMs: 70_000, attributes: { 'session.id': 'two' } })]);
    const both = (await app.sessions({ sort_by: 'start', sort_order: 'asc' })).data;
    const shared = { trace_count: 1, total_cost: 0.5, latency_ms: 70_000, end: new Date(testEpochMs + 70_000).toISOString() };
    expect(both).toMatchObject([
      { id: 'one', ...shared },
      { id: 'two', ...shared },
    ]);
    expect((await app.sessionTraces('one')).map(({ spans }) => spans.length)).toEqual([2]);
  });

  guarantee('traces of a session are oldest first with all their spans, equal to their details', async ({ tenant }) => {
    const app = tenant();
    await populate(app);
    for (const { id } of sessions) {
      const traces = await app.sessionTraces(id);
      const expectedTraces = sorted(
        knownTraces.filter(({ session }) => session === id),
        ({ startMs }) => startMs,
        'asc',
      );
      expect(traces.map((trace) => trace.id)).toEqual(expectedTraces.map((trace) => trace.id));
      for (const { spans, ...trace } of traces) {
        const { metadata: _metadata, graph: _graph, scores: _scores, spans: inDetail, ...head } = await app.detail(trace.id);
        expect({ trace, spans }).toEqual({ trace: head, spans: inDetail });
      }
    }
    expect(await app.sessionTraces('chat')).toEqual([]);
    expect(await app.sessionTraces('')).toEqual([]);
  });

  guarantee('cost sums are exact for any number of traces', async ({ tenant }) => {
    const app = tenant();
    const priced = { 'session.id': 'dear', 'agentmark.usage.cost_usd': 0.1 };
    for (let batch = 0; batch < 3; batch++) await app.write(Array.from({ length: 100 }, () => aSpan({ attributes: priced })));
    expect((await app.sessions()).data).toMatchObject([{ total_cost: 30, trace_count: 300 }]);
  });
}
