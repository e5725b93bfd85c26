/** Search as clients of the cloud use it: what it finds, over which window, and what it refuses. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '../../../shared/contract/core/errors.ts';
import { aRequest, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { badMoments } from '../../fixtures/bad-values.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';
import { plansWith } from '../../limits/plan-table.ts';
import { filterPopulation, sentFilterSpan } from '../../telemetry/conformance/filter-population.ts';
import { asText, randomFilter } from '../../telemetry/conformance/random-filters.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const now = testEpochMs + 60 * minuteMs;
const iso = (ms: number): string => new Date(ms).toISOString();

interface SearchPage {
  data: { id: string; name: string }[];
  pagination: { limit: number; offset: number; total: number };
}

let cloud: TestCloud;
let other: TestTenant;
const headersOf = ({ api_key, app_id }: TestTenant) => ({ Authorization: api_key, 'X-Service-App-Id': app_id });
const { fetch, client, unseen } = contractClient(() => ({ url: cloud.url, headers: headersOf(cloud.tenant) }));

beforeAll(async () => {
  cloud = await startTestCloud({
    clock: testClock(() => now),
    planTable: plansWith({ enterprise: { searches_per_minute: null } }),
    threadEntry: new URL('../../fixtures/crashing-reader.ts', import.meta.url),
  });
  other = await cloud.addTenant('other');
});
afterAll(() => cloud.stop());

type Resource = 'traces' | 'spans' | 'scores';
const resources = ['traces', 'spans', 'scores'] as const;

const post = (resource: Resource, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`/v1/${resource}/search`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

async function search(resource: Resource, body: unknown = {}, headers?: Record<string, string>): Promise<SearchPage> {
  const response = await post(resource, body, headers);
  expect(response.status).toBe(200);
  return (await response.json()) as SearchPage;
}

const names = ({ data }: SearchPage): string[] => data.map(({ name }) => name).sort();

async function refusedSearch(resource: Resource, body: unknown, headers?: Record<string, string>): Promise<[string, string[]]> {
  const response = await post(resource, body, headers);
  const { error } = (await response.json()) as ErrorBody & { error: { details?: object } };
  return [`${response.status} ${error.code}`, Object.keys(error.details ?? {})];
}

describe('a filter', () => {
  beforeAll(async () => {
    for (const trace of filterPopulation(40, 21).traces) {
      const spans = trace.spans.map((span) => sentFilterSpan(span, trace));
      expect((await cloud.ingest(cloud.tenant, aRequest(spans))).status).toBe(200);
    }
  });

  it(
    'finds as JSON in a search what it finds as text in a list',
    async () => {
      const get = async (path: string): Promise<SearchPage> => (await fetch(path)).json() as Promise<SearchPage>;
      const window = { start_date: iso(testEpochMs - dayMs), end_date: iso(now) };
      const sort = fc.record({
        sort_by: fc.constantFrom('name', 'status', 'latency', 'cost', 'tokens', 'start_time'),
        sort_order: fc.constantFrom('asc', 'desc'),
      });
      let [hits, searches] = [0, 0];
      await fc.assert(
        fc.asyncProperty(randomFilter, sort, async (filters, order) => {
          const text = asText(filters);
          if (text === null) return;
          const filter = encodeURIComponent(text);
          const traces = await get(`/v1/traces?limit=1000&sort_by=${order.sort_by}&sort_order=${order.sort_order}&filter=${filter}`);
          expect(await search('traces', { ...window, ...order, filters, limit: 1000 })).toEqual(traces);
          const spans = await get(`/v1/spans?limit=500&filter=${filter}`);
          expect(await search('spans', { ...window, filters, limit: 500 })).toEqual(spans);
          searches++;
          if (spans.data.length > 0) hits++;
        }),
        { numRuns: propertyRuns(120) },
      );
      expect(hits).toBeGreaterThan(searches / 4);
    },
    300_000 + propertyRuns(120) * 500,
  );
});

describe('a window', () => {
  const ages = { 'of now': 0, 'of a week': 7 * dayMs, older: 7 * dayMs + 1, 'of a season': 90 * dayMs };

  beforeAll(async () => {
    const spans = Object.entries(ages).map(([name, age]) => aSpan({ name, startMs: now - age }));
    await cloud.ingest(other, aRequest([...spans, aSpan({ name: 'to come', startMs: now + 1 })]));
    await cloud.as(other.api_key, other.app_id).scores.create({ body: { resource_id: 'r', name: 'of now', score: 1 } });
  });

  it.each(['traces', 'spans'] as const)('of %s ends now and begins seven days before, unless it is given', async (resource) => {
    const namesIn = async (body: object) => names(await search(resource, body, headersOf(other)));
    expect(await namesIn({})).toEqual(['of a week', 'of now']);
    expect(await namesIn({ start_date: iso(now - 90 * dayMs) })).toEqual(['of a season', 'of a week', 'of now', 'older']);
    expect(await namesIn({ end_date: iso(now - 1) })).toEqual(['of a week']);
    const day = { start_date: iso(now - 90 * dayMs), end_date: '2025-10-17T13:00:00+02:00' };
    expect(await namesIn(day)).toEqual(['of a season']);
  });

  it('of scores applies to when they were created', async () => {
    expect(names(await search('scores', {}, headersOf(other)))).toEqual(['of now']);
    expect(names(await search('scores', { end_date: iso(now - 1) }, headersOf(other)))).toEqual([]);
  });

  it.each<[what: string, body: object]>([
    ['longer than 90 days', { start_date: iso(now - 90 * dayMs - 1) }],
    ['of more than 90 days long ago', { start_date: '2020-01-01T00:00:00Z', end_date: '2020-03-31T00:00:00.001Z' }],
    ['that ends before it begins', { start_date: iso(now), end_date: iso(now - 1) }],
    ['that begins after now', { start_date: iso(now + 1) }],
    ['that ends before the seven days', { end_date: iso(now - 7 * dayMs - 1) }],
  ])('%s is refused', async (_, body) => {
    for (const resource of resources) expect(await refusedSearch(resource, body)).toEqual(['400 invalid_request_body', ['end_date']]);
  });
});

describe('a search', () => {
  it('without a filter, or with an empty one, finds all of the window, in pages', async () => {
    for (const resource of ['traces', 'spans'] as const) {
      const all = await search(resource, { limit: 1000 });
      expect(await search(resource, { limit: 1000, filters: [] })).toEqual(all);
      expect(all.pagination).toEqual({ limit: 1000, offset: 0, total: all.data.length });
      const pages = await Promise.all([0, 20, 40].map((offset) => search(resource, { limit: 20, offset })));
      expect(pages.flatMap(({ data }) => data)).toEqual(all.data.slice(0, 60));
      expect((await search(resource, { offset: 2 ** 31 })).data).toEqual([]);
    }
    expect((await client.search.traces({})).pagination).toMatchObject({ limit: 50, offset: 0 });
  });

  it('accepts timestamp for the start of spans', async () => {
    expect(await search('spans', { sort_by: 'timestamp', sort_order: 'asc' })).toEqual(
      await search('spans', { sort_by: 'start_time', sort_order: 'asc' }),
    );
  });

  it('finds scores by each of their fields', async () => {
    const fields = { resource_id: 'somewhere', name: 'tone', score: 0.5, label: 'rude', source: 'annotation' } as const;
    await client.scores.create({ body: fields });
    await client.scores.create({ body: { ...fields, name: 'other', resource_id: 'elsewhere', score: 2, label: 'kind', source: 'api' } });
    for (const [field, value] of Object.entries(fields)) {
      expect(names(await search('scores', { filters: [{ field, operator: 'equals', value }] })), field).toEqual(['tone']);
    }
    const made_at = { field: 'created_at', operator: 'between', value: [iso(now), iso(now)] };
    expect(names(await search('scores', { filters: [made_at], sort_by: 'score', sort_order: 'asc' }))).toEqual(['other', 'tone']);
    expect((await search('scores', { sort_by: 'score', sort_order: 'desc' })).data.map(({ name }) => name)).toEqual(['other', 'tone']);
  });

  it('finds nothing of another tenant, in rows or totals', async () => {
    const filters = [{ field: 'trace_id', operator: 'startsWith', value: '1a' }];
    expect((await search('traces', { filters })).pagination.total).toBeGreaterThan(0);
    expect((await search('traces', { filters }, headersOf(other))).pagination.total).toBe(0);
    expect((await search('spans', { filters }, headersOf(other))).pagination.total).toBe(0);
    expect(names(await search('scores', {}, headersOf(other)))).toEqual(['of now']);
  });

  it.each(resources)('of %s needs its permission and a valid credential', async (resource) => {
    const { data } = await cloud.tenant.owner.apiKeys.create({ body: { name: `no ${resource}`, permissions: ['trace.write'] } });
    expect((await refusedSearch(resource, {}, { Authorization: data.plaintext_key }))[0]).toBe('403 forbidden');
    expect((await refusedSearch(resource, {}, { Authorization: 'sk_service_wrong' }))[0]).toBe('401 unauthorized');
    expect((await refusedSearch(resource, {}, { 'X-Service-App-Id': other.app_id }))[0]).toBe('401 unauthorized');
  });

  it('is 503 when the store cannot answer, and the next search succeeds', async () => {
    const field = { traces: 'user_id', spans: 'user_id', scores: 'name' } as const;
    for (const resource of resources) {
      const filters = [{ field: field[resource], operator: 'equals', value: 'deadly' }];
      expect((await refusedSearch(resource, { filters }))[0]).toBe('503 storage_unavailable');
      await search(resource);
    }
  });
});

const leaf = { field: 'trace_id', operator: 'equals', value: 'x' };
const at = (value: unknown) => ({ field: 'created_at', operator: 'gt', value });

describe('a body is refused', () => {
  it.each<[what: string, body: unknown, field: string]>([
    ['an invalid date', { start_date: badMoments[0] }, 'start_date'],
    ['a limit of 0', { limit: 0 }, 'limit'],
    ['a limit over 1000', { limit: 1001 }, 'limit'],
    ['a limit as text', { limit: '10' }, 'limit'],
    ['a fraction', { limit: 1.5 }, 'limit'],
    ['an offset below 0', { offset: -1 }, 'offset'],
    ['an offset that is too large', { offset: 2 ** 31 + 1 }, 'offset'],
    ['an unknown sort', { sort_by: 'reason' }, 'sort_by'],
    ['SQL for a sort', { sort_by: 'name; DROP TABLE span' }, 'sort_by'],
    ['a prototype for a sort', { sort_by: 'constructor' }, 'sort_by'],
    ['an order in capitals', { sort_order: 'ASC' }, 'sort_order'],
    ['an unknown key', { foo: 1 }, '_'],
    ['a key that reaches a prototype', '{"__proto__":{"limit":1}}', '_'],
    ['a text for the filters', { filters: 'model = a' }, 'filters'],
    ['a list', [], '_'],
    ['invalid JSON', '{"limit":', '_'],
    ['a group in a group', { filters: [{ or: [{ or: [leaf] }] }] }, 'filters.0'],
    ['an empty group', { filters: [{ or: [] }] }, 'filters.0'],
    ['a predicate that is a group too', { filters: [{ ...leaf, or: [leaf] }] }, 'filters.0'],
    ['an operator of the text form', { filters: [{ ...leaf, operator: '=' }] }, 'filters.0'],
    ['a value that is not a scalar', { filters: [{ ...leaf, value: true }] }, 'filters.0'],
  ])('as a whole: %s', async (_, body, field) => {
    for (const resource of resources) {
      const [code, fields] = await refusedSearch(resource, body);
      expect([code, fields[0]?.slice(0, field.length)]).toEqual(['400 invalid_request_body', field]);
    }
  });

  it('for every kind of invalid date', async () => {
    for (const end_date of [...badMoments, 5, null]) expect((await refusedSearch('spans', { end_date }))[1]).toEqual(['end_date']);
  });

  it.each<[what: string, filters: unknown[]]>([
    ['21 predicates', Array.from({ length: 21 }, () => leaf)],
    ['21 predicates in groups', [{ or: Array.from({ length: 11 }, () => leaf) }, { or: Array.from({ length: 10 }, () => leaf) }]],
    ['an unknown field', [{ ...leaf, field: 'latency' }]],
    ['a field of a prototype', [{ ...leaf, field: '__proto__' }]],
    ['a constructor for a field', [{ ...leaf, field: 'constructor' }]],
    ['an operator that the field does not have', [{ ...leaf, operator: 'gt' }]],
    ['in with no value', [{ ...leaf, operator: 'in', value: [] }]],
    ['in with 51 values', [{ ...leaf, operator: 'in', value: Array.from({ length: 51 }, String) }]],
    ['in without a list', [{ ...leaf, operator: 'in' }]],
    ['between on a text', [{ ...leaf, operator: 'between', value: ['a', 'b'] }]],
    ['between of one', [{ field: 'cost', operator: 'between', value: [1] }]],
    ['between in the wrong order', [{ field: 'cost', operator: 'between', value: [2, 1] }]],
    ['a value for exists', [{ field: 'metadata.a', operator: 'exists', value: 'x' }]],
    ['no value', [{ field: 'model', operator: 'equals' }]],
    ['a word for a number', [{ field: 'cost', operator: 'gt', value: 'much' }]],
    ['a list for one value', [{ ...leaf, value: ['a'] }]],
    ['a text that is too long', [{ ...leaf, value: 'x'.repeat(501) }]],
    ['an unpaired surrogate', [{ ...leaf, value: '\ud800' }]],
    ['a date of a trace', [at(iso(now))]],
  ])('for its filter: %s', async (_, filters) => {
    for (const resource of ['traces', 'spans'] as const)
      expect(await refusedSearch(resource, { filters })).toEqual(['400 invalid_filter', []]);
  });

  it.each<[what: string, filters: unknown[]]>([
    ['a field of traces', [{ field: 'model', operator: 'equals', value: 'a' }]],
    ['an exact date', [{ ...at(iso(now)), operator: 'equals' }]],
    ['a day for a time', [at('2026-01-15')]],
    ['a number for a time', [at(1_768_471_200_000)]],
    ['times in the wrong order', [{ ...at([iso(now), iso(now - 1)]), operator: 'between' }]],
    ['a word for a score', [{ field: 'score', operator: 'gte', value: 'good' }]],
  ])('for its filter on scores: %s', async (_, filters) => {
    expect(await refusedSearch('scores', { filters })).toEqual(['400 invalid_filter', []]);
  });
});

it('capabilities include it, and every declared answer was received, except that of the rate limit', async () => {
  expect((await client.platform.capabilities()).endpoints).toMatchObject({ search: true });
  expect(unseen('search').filter((answer) => !answer.endsWith('rate_limit_exceeded'))).toEqual([]);
});
