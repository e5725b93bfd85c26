import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { score } from '../../../shared/contract/evaluation/scores.ts';
import { search } from '../../../shared/contract/tracing/search.ts';
import { type SpanItem, spanItem } from '../../../shared/contract/tracing/spans.ts';
import { traceItem } from '../../../shared/contract/tracing/traces.ts';
import type { Resource } from '../../../shared/filter/fields.ts';
import { filterList, parseFilterList } from '../../../shared/filter/parse-json.ts';
import { aChat, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import type { Encoded, EncodedPage } from '../encoded.ts';
import type { Search, Window } from '../search-reader.ts';
import { filterPopulation, writePopulation } from './filter-population.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { NaiveFilter } from './naive-filter.ts';
import { populate, sorted } from './population.ts';
import { randomFilter } from './random-filters.ts';
import type { Tenant } from './tenant.ts';

const hourMs = 3_600_000;
const everything: Window = { from: 0, to: Date.UTC(2200, 0, 1) };

/** Request body as a client writes it. */
type Body = Record<string, unknown>;

/** Search with a parsed filter and a given window. */
function searchOf<R extends Resource>(resource: R, { filters = [], ...body }: Body, window: Window): Search<R> {
  const parsed: object = search[resource].body.parse(body);
  return { ...parsed, window, filter: parseFilterList(resource, filterList.parse(filters)) } as Search<R>;
}

function rowsOf<T>(row: z.ZodType<T>, { data, total }: EncodedPage<T>): { data: T[]; total: number } {
  return { data: z.array(row).parse(data.decode()), total };
}

const tracesIn = async ({ store, scope }: Tenant, body: Body = {}, window = everything) =>
  rowsOf(traceItem, await store.search.traces(scope, searchOf('traces', body, window)));
const spansIn = async ({ store, scope }: Tenant, body: Body = {}, window = everything) =>
  rowsOf(spanItem, await store.search.spans(scope, searchOf('spans', body, window)));
const scoresIn = async ({ store, scope }: Tenant, body: Body = {}, window = everything) =>
  rowsOf(score, await store.search.scores(scope, searchOf('scores', body, window)));

const decode = async <T>(found: Promise<Encoded<T> | null>): Promise<T | null> => (await found)?.decode() ?? null;

const names = ({ data }: { data: { name: string }[] }): string[] => data.map(({ name }) => name).sort();

export function searchGuarantees(guarantee: DeclareGuarantee): void {
  guarantee(
    'a filter finds the same rows in a search as in a list',
    async ({ tenant, cases }) => {
      const app = tenant();
      const population = filterPopulation(60, 7);
      await writePopulation(app, population.traces);
      const check = async (filters: NaiveFilter): Promise<void> => {
        const filter = parseFilterList('traces', filterList.parse(filters));
        const page = { limit: 1000, offset: 0, filter } as const;
        const traces = await app.store.traces.list(app.scope, { ...page, sort_by: 'start_time', sort_order: 'desc' });
        expect(await tracesIn(app, { filters, limit: 1000 })).toEqual(rowsOf(traceItem, traces));
        const spans = await app.store.spans.list(app.scope, page);
        expect(await spansIn(app, { filters, limit: 1000 })).toEqual(rowsOf(spanItem, spans));
      };
      await fc.assert(fc.asyncProperty(randomFilter, check), { numRuns: cases(150) });
    },
    { timeoutMs: 300_000 + propertyRuns(150) * 400 },
  );

  guarantee('a window includes both ends, to the millisecond', async ({ tenant }) => {
    const app = tenant();
    const times = [-1, 0, 0.9, 10, 10.9, 11];
    await app.write(times.map((ms) => aSpan({ name: `at ${ms}`, startMs: testEpochMs + ms })));
    const score = { resource_id: 'r', score: 1, label: '', reason: '', source: 'api' };
    await app.store.scores.insert(
      app.scope,
      [-1, 0, 10, 11].map((ms) => ({ ...score, id: randomUUID(), name: `at ${ms}`, created_at: new Date(testEpochMs + ms).toISOString() })),
    );
    const window = { from: testEpochMs, to: testEpochMs + 10 };
    for (const found of [await tracesIn(app, {}, window), await spansIn(app, {}, window)]) {
      expect([names(found), found.total]).toEqual([['at 0', 'at 0.9', 'at 10', 'at 10.9'], 4]);
    }
    expect(names(await scoresIn(app, {}, window))).toEqual(['at 0', 'at 10']);
    const later = { from: testEpochMs + 12, to: testEpochMs + hourMs };
    for (const find of [tracesIn, spansIn, scoresIn]) expect(await find(app, {}, later)).toEqual({ data: [], total: 0 });
  });

  guarantee('a trace is found by its start, even if the clock of its sender is wrong', async ({ tenant }) => {
    const app = tenant();
    const starts = { ancient: Date.UTC(1971, 0, 1), right: testEpochMs, 'of the future': Date.UTC(2150, 0, 1) };
    for (const [name, startMs] of Object.entries(starts)) await app.write([aSpan({ name, startMs })]);
    for (const [name, startMs] of Object.entries(starts)) {
      for (const find of [tracesIn, spansIn]) {
        const found = await find(app, {}, { from: startMs - hourMs, to: startMs + hourMs });
        expect([names(found), found.total]).toEqual([[name], 1]);
      }
    }
    expect(names(await tracesIn(app, { filters: [{ field: 'latency_ms', operator: 'gte', value: 0 }] }))).toEqual([
      'ancient',
      'of the future',
      'right',
    ]);
  });

  guarantee('spans are in the requested order, ties by arrival, and pages never overlap', async ({ tenant }) => {
    const app = tenant();
    await populate(app);
    const all = (await spansIn(app, { limit: 1000 })).data;
    const keys: Record<string, (span: SpanItem) => string | number> = {
      start_time: (span: SpanItem) => span.timestamp,
      duration_ms: (span: SpanItem) => span.duration_ms,
      cost: (span: SpanItem) => span.cost,
      tokens: (span: SpanItem) => span.tokens,
      name: (span: SpanItem) => span.name,
    };
    for (const [sort_by, keyOf] of Object.entries(keys)) {
      for (const sort_order of ['asc', 'desc'] as const) {
        const { data, total } = await spansIn(app, { sort_by, sort_order, limit: 1000 });
        expect(total).toBe(all.length);
        expect(data.map(keyOf)).toEqual(sorted(all, keyOf, sort_order).map(keyOf));
        const pages = await Promise.all([0, 30, 60, 90, 120].map((offset) => spansIn(app, { sort_by, sort_order, limit: 30, offset })));
        expect(pages.flatMap((page) => page.data)).toEqual(data);
      }
    }
  });

  guarantee('a span is read completely by its id alone; of two with that id, the one of the newer trace', async ({ tenant }) => {
    const [app, other] = [tenant(), tenant()];
    const [spanId, long] = [aSpanId(), 'word '.repeat(20_000)];
    const [older, newer] = [aTraceId(), aTraceId()];
    await app.write([aChat({ traceId: newer, spanId, startMs: testEpochMs + hourMs, ask: long, name: 'newer' })]);
    await app.write([aChat({ traceId: older, spanId, ask: 'short', name: 'older' })]);
    const found = await decode(app.store.search.span(app.scope, spanId));
    const [item] = await app.ofTrace(newer);
    expect(found).toEqual({ ...item, ...(await app.io(newer, spanId)) });
    expect(found?.input).toContain(long);
    expect(await decode(app.store.search.span(app.scope, spanId.toUpperCase()))).toEqual(found);
    for (const id of [aSpanId(), 'no such', '', older]) expect(await decode(app.store.search.span(app.scope, id))).toBeNull();
    expect(await decode(other.store.search.span(other.scope, spanId))).toBeNull();
  });

  guarantee('no data of another app is found', async ({ tenant }) => {
    const [mine, other] = [tenant(), tenant()];
    await populate(other);
    const row = { id: randomUUID(), resource_id: 'r', name: 'q', score: 1, label: '', reason: '', source: 'api' };
    await other.store.scores.insert(other.scope, [{ ...row, created_at: new Date(testEpochMs).toISOString() }]);
    for (const find of [tracesIn, spansIn, scoresIn]) {
      expect((await find(other)).total).toBeGreaterThan(0);
      expect(await find(mine)).toEqual({ data: [], total: 0 });
    }
  });
}
