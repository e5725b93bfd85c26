import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { spanQuery } from '../../../shared/contract/tracing/spans.ts';
import { traceQuery } from '../../../shared/contract/tracing/traces.ts';
import type { Filter } from '../../../shared/filter/filter-tree.ts';
import { type FilterableSpan, type FilterableTrace, matchesSpan, matchesTrace } from '../../../shared/filter/matcher.ts';
import { filterList, parseFilterList } from '../../../shared/filter/parse-json.ts';
import { parseFilterText } from '../../../shared/filter/parse-text.ts';
import { aChat, aSpan, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import {
  derivedTexts,
  type FilterScore,
  type FilterSpan,
  type FilterTrace,
  filterPopulation,
  writePopulation,
} from './filter-population.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { type NaiveFilter, naiveSpan, naiveTrace } from './naive-filter.ts';
import { asText, randomFilter } from './random-filters.ts';
import type { Tenant } from './tenant.ts';

const population = filterPopulation(60, 20_260_115);

async function populate(app: Tenant): Promise<void> {
  await writePopulation(app, population.traces);
  await app.store.scores.insert(
    app.scope,
    population.scores.map(({ resource_id, name, score, atMs }) => ({
      id: randomUUID(),
      resource_id,
      name,
      score,
      label: '',
      reason: '',
      source: 'api',
      created_at: new Date(atMs).toISOString(),
    })),
  );
}

const latestOn = (id: string): Record<string, number> => {
  const newest = new Map<string, FilterScore>();
  for (const score of population.scores) {
    if (score.resource_id === id && score.atMs >= (newest.get(score.name)?.atMs ?? 0)) newest.set(score.name, score);
  }
  return Object.fromEntries([...newest].map(([name, { score }]) => [name, score]));
};

const filterableSpan = (span: FilterSpan, { spans }: FilterTrace): FilterableSpan => ({
  ...span,
  ...derivedTexts(span),
  span_name: span.name,
  service: 'test-service',
  environment: environmentsOf(spans),
  errors: span.status === 'ERROR' ? 1 : 0,
  tokens: span.prompt_tokens + span.completion_tokens,
  scores: latestOn(span.id),
});

const environmentsOf = (spans: readonly FilterSpan[]) => spans.map(({ environment }) => environment).filter((name) => name !== '');

function filterableTrace(trace: FilterTrace): FilterableTrace {
  const { id, spans } = trace;
  const sum = (field: 'cost' | 'prompt_tokens' | 'completion_tokens') => spans.reduce((total, span) => total + span[field], 0);
  const [{ status, latency_ms } = { status: 'UNSET', latency_ms: 0 }] = spans;
  const sums = { cost: sum('cost'), prompt_tokens: sum('prompt_tokens'), completion_tokens: sum('completion_tokens') };
  const errors = spans.filter((span) => span.status === 'ERROR').length;
  return {
    ...{ trace_id: id, name: spans[0]?.trace_name || spans[0]?.name || '', status, latency_ms, errors, ...sums },
    tokens: sums.prompt_tokens + sums.completion_tokens,
    spans: spans.map((span) => filterableSpan(span, trace)),
    scores: latestOn(id),
  };
}

const filterable = population.traces.map(filterableTrace);
const everySpan = population.traces.flatMap(({ spans }) => spans);
const filterableSpans = filterable.flatMap(({ spans }) => spans);

async function tracesOf({ store, scope }: Tenant, filter: Filter): Promise<string[]> {
  const { data, total } = await store.traces.list(scope, { ...traceQuery.parse({ limit: 1000 }), filter });
  const ids = data.decode().map(({ id }) => id);
  expect(total).toBe(ids.length);
  return ids.sort();
}

async function spansOf({ store, scope }: Tenant, filter: Filter): Promise<string[]> {
  const { data, total } = await store.spans.list(scope, { ...spanQuery.parse({ limit: 500 }), filter });
  const ids = data.decode().map(({ id }) => id);
  expect(total).toBe(ids.length);
  return ids.sort();
}

export function filterGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('the store reads the population as it is known', async ({ tenant }) => {
    const app = tenant();
    await populate(app);
    const { data } = await app.spans({ limit: 500 });
    expect(data.length).toBe(everySpan.length);
    for (const expected of everySpan) {
      const item = data.find(({ id }) => id === expected.id);
      expect(item).toMatchObject({
        model: expected.model || null,
        prompt_name: expected.prompt_name || null,
        status: expected.status,
        span_kind: expected.semantic_kind,
        duration_ms: expected.latency_ms,
        input_tokens: expected.prompt_tokens,
        output_tokens: expected.completion_tokens,
        cost: expected.cost,
      });
      expect(Object.entries(item?.metadata ?? {}).sort()).toEqual(Object.entries(expected.metadata).sort());
      const io = await app.io(expected.trace_id, expected.id);
      expect([io?.input, io?.output]).toEqual([expected.input, expected.output]);
    }
    for (const { trace_id, cost, latency_ms, status } of filterable) {
      expect((await app.traces({ filter: `trace_id = "${trace_id.replaceAll('"', '\\"')}"` })).data).toMatchObject([
        { id: trace_id, cost, latency_ms, status },
      ]);
    }
  });

  guarantee(
    'random filters select the same rows in the store, in the matcher and by the documented meaning, as JSON and as text',
    async ({ tenant, cases }) => {
      const app = tenant();
      await populate(app);
      let hits = 0;
      const check = async (randomJson: Parameters<typeof asText>[0]): Promise<void> => {
        const filter = parseFilterList('traces', filterList.parse(randomJson));
        const text = asText(randomJson);
        expect(parseFilterText('traces', text)).toEqual(filter);
        const traces = population.traces.filter((trace) => naiveTrace(randomJson, trace, population.scores)).map(({ id }) => id);
        const spans = everySpan.filter((span) => naiveSpan(randomJson, span, population)).map(({ id }) => id);
        expect(filterable.filter((trace) => matchesTrace(filter, trace)).map(({ trace_id }) => trace_id)).toEqual(traces);
        expect(everySpan.filter((_, at) => matchesSpan(filter, filterableSpans[at] as FilterableSpan)).map(({ id }) => id)).toEqual(spans);
        expect(await tracesOf(app, filter)).toEqual(traces.sort());
        expect(await spansOf(app, filter)).toEqual(spans.sort());
        if (traces.length > 0 && traces.length < population.traces.length) hits++;
      };
      const numRuns = cases(400);
      await fc.assert(fc.asyncProperty(randomFilter, check), { numRuns });
      // Filters that match nothing, or everything, prove little.
      expect(hits).toBeGreaterThan(numRuns / 10);
    },
    { timeoutMs: 300_000 + propertyRuns(400) * 100 },
  );

  guarantee('fields that only traces have select the same traces in the store and in the matcher', async ({ tenant }) => {
    const app = tenant();
    await populate(app);
    for (const text of ['spans > 1', 'spans between 2 and 3', 'errors_inside > 0', 'errors_inside = 0', 'errors_inside < 1 or spans = 1']) {
      const filter = parseFilterText('traces', text);
      const expected = filterable.filter((trace) => matchesTrace(filter, trace)).map(({ trace_id }) => trace_id);
      expect(expected.length, text).toBeGreaterThan(0);
      expect(expected.length, text).toBeLessThan(filterable.length);
      expect(await tracesOf(app, filter), text).toEqual(expected.sort());
    }
  });

  guarantee(
    '`or` and `and` in any order and depth select the same rows in the store, in the matcher and by the documented meaning',
    async ({ tenant, cases }) => {
      const app = tenant();
      await populate(app);
      const either = fc.array(randomFilter, { minLength: 2, maxLength: 3 });
      const check = async (first: NaiveFilter[], second: NaiveFilter[]): Promise<void> => {
        const text = `(${first.map(asText).join(' or ')}) ${second.map(asText).join(' OR ')}`;
        const [head = [], ...tail] = second;
        const matches = (holds: (json: NaiveFilter) => boolean) => (first.some(holds) && holds(head)) || tail.some(holds);
        const traces = population.traces
          .filter((trace) => matches((json) => naiveTrace(json, trace, population.scores)))
          .map(({ id }) => id);
        const spans = everySpan.filter((span) => matches((json) => naiveSpan(json, span, population))).map(({ id }) => id);
        const filter = parseFilterText('spans', text);
        expect(filterable.filter((trace) => matchesTrace(filter, trace)).map(({ trace_id }) => trace_id)).toEqual(traces);
        expect(everySpan.filter((_, at) => matchesSpan(filter, filterableSpans[at] as FilterableSpan)).map(({ id }) => id)).toEqual(spans);
        expect(await tracesOf(app, filter)).toEqual(traces.sort());
        expect(await spansOf(app, filter)).toEqual(spans.sort());
      };
      const isSmall = (...filters: NaiveFilter[][]) =>
        filters.flat(2).flatMap((entry) => ('or' in entry ? entry.or : [entry])).length <= 20;
      await fc.assert(
        fc.asyncProperty(either, either, async (first, second) => {
          fc.pre(isSmall(first, second));
          await check(first, second);
        }),
        { numRuns: cases(150) },
      );
    },
    { timeoutMs: 300_000 + propertyRuns(150) * 300 },
  );

  guarantee('a filter at its limit of twenty predicates with fifty values each is answered', async ({ tenant }) => {
    const app = tenant();
    await app.write([aChat({ model: 'm49', attributes: { 'user.id': 'v1', 'agentmark.tags': ['v2'], 'agentmark.metadata.a': 'v3' } })]);
    const value = Array.from({ length: 50 }, (_, index) => `v${index}`);
    const fields = ['model', 'user_id', 'metadata.a', 'tags', 'input'];
    const or = Array.from({ length: 20 }, (_, index) => ({ field: fields[index % 5] as string, operator: 'in' as const, value }));
    const filter = parseFilterList('traces', [{ or }]);
    expect([(await tracesOf(app, filter)).length, (await spansOf(app, filter)).length]).toEqual([1, 1]);
  });

  guarantee('filters and plain parameters are combined, in pages and totals', async ({ tenant }) => {
    const app = tenant();
    const at = (minute: number) => testEpochMs + minute * 60_000;
    for (let index = 0; index < 6; index++) {
      await app.write([
        aChat({ model: index % 2 ? 'odd' : 'even', startMs: at(index), ask: `number ${index}`, attributes: { 'user.id': 'ann' } }),
      ]);
    }
    const query = { user_id: 'ann', filter: 'model = odd and input contains "number"', limit: 2, offset: 1 } as const;
    for (const page of [await app.traces(query), await app.spans(query)]) {
      expect([page.data.length, page.total]).toEqual([2, 3]);
    }
    expect((await app.traces({ ...query, user_id: 'bob' })).total).toBe(0);
    expect((await app.spans({ filter: 'input contains "number 3"', model: 'ODD' })).total).toBe(1);
  });

  guarantee('a filter matches no rows, terms, payloads or scores of another app', async ({ tenant }) => {
    const [mine, other] = [tenant(), tenant()];
    const traceId = aTraceId();
    const span = { traceId, ask: 'secret', attributes: { 'user.id': 'ann', 'agentmark.tags': ['t'], 'agentmark.metadata.a': 'x' } };
    await other.write([aChat(span)]);
    await mine.write([aSpan({ traceId })]);
    const score = { id: randomUUID(), resource_id: traceId, name: 'q', score: 1, label: '', reason: '', source: 'api' };
    await other.store.scores.insert(other.scope, [{ ...score, created_at: new Date(testEpochMs).toISOString() }]);
    for (const filter of [
      'user_id = ann',
      'tags = t',
      'metadata.a exists',
      'metadata.a contains x',
      'input contains secret',
      'score__q = 1',
    ]) {
      expect([(await other.traces({ filter })).total, (await mine.traces({ filter })).total], filter).toEqual([1, 0]);
      expect((await mine.spans({ filter })).total, filter).toBe(0);
    }
  });

  guarantee('values of a pending span that its final record lacks are no longer found', async ({ tenant }) => {
    const app = tenant();
    const ids = { traceId: aTraceId(), spanId: 'ab'.repeat(8) };
    const long = 'x'.repeat(600);
    const pendingAttributes = {
      'agentmark.tags': ['old'],
      'agentmark.metadata.a': long,
      'agentmark.metadata.b': '',
      'gen_ai.request.model': `${long}u`,
    };
    await app.write([{ ...aSpan({ ...ids, attributes: pendingAttributes }), endTimeUnixNano: '0' }]);
    const filters = ['tags = old', 'metadata.a exists', 'metadata.a contains xx', 'metadata.b exists', 'model ends with xu'];
    const totals = async () =>
      Promise.all(filters.map(async (filter) => [(await app.traces({ filter })).total, (await app.spans({ filter })).total]));
    expect(await totals()).toEqual(filters.map(() => [1, 1]));
    await app.write([aSpan({ ...ids, attributes: { 'agentmark.tags': ['new'] } })]);
    expect(await totals()).toEqual(filters.map(() => [0, 0]));
    expect((await app.spans({ filter: 'tags = new' })).total).toBe(1);
  });
}
