import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spanQuery } from '../../../../shared/contract/tracing/spans.ts';
import { traceList } from '../../../../shared/contract/tracing/trace-list.ts';
import { traceQuery } from '../../../../shared/contract/tracing/traces.ts';
import type { Resource } from '../../../../shared/filter/fields.ts';
import { type FilterList, parseFilterList } from '../../../../shared/filter/parse-json.ts';
import { aChat } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { openWriter } from '../file/open.ts';
import { Writer } from '../write/writer.ts';
import type { ReadArgs, ReadMethod } from './read-calls.ts';
import { createReader } from './reader.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
const budgetMs = 60_000;

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-plans-'));
  file = join(folder, 'telemetry.db');
  const writer = new Writer(openWriter(file), createPricing());
  writer.write([{ scope, batch: batchOf([aChat({ attributes: { 'user.id': 'ann', 'agentmark.metadata.k': 'x' } })]) }]);
  writer.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Query plans of all statements that a list runs, with their values. */
function plansOf(list: 'traces' | 'spans', filter: string): string[] {
  const query = { ...(list === 'traces' ? traceQuery : spanQuery).parse({ filter }) };
  return plansOfRead(`${list}.list`, [query], 2);
}

function plansOfRead(method: ReadMethod, args: unknown[], statements: number): string[] {
  const run: string[] = [];
  const db = new Database(file, { readonly: true, verbose: (sql) => run.push(String(sql)) });
  createReader(db, budgetMs)(method, [scope, ...args] as ReadArgs<typeof method>);
  const queries = run.filter((sql) => /^select/i.test(sql) && /from "?(trace|span|score|term)"?\b/i.test(sql));
  expect(queries.length).toBeGreaterThanOrEqual(statements);
  const plans = queries.flatMap((sql) => db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all());
  db.close();
  return plans.map(({ detail }) => detail);
}

const indexedFilters = [
  'model = gpt-4o',
  'status = OK',
  'user_id = ann',
  'user_id = ""',
  'user_id != ann',
  'session_id = chat',
  'trace_id = "abc"',
  'tags = t',
  'metadata.k = v',
  'metadata.k exists',
  'cost > 0.5',
  'latency_ms > 5',
  'score__q > 0.5',
  'input contains word',
  'user_id contains a',
  'trace_id contains a',
  'metadata.k contains x',
  'name = chat',
  'name != ""',
  'span_name contains chat',
  'service = test-service',
  'environment = prod',
  'environment = ""',
  'tool = web_search',
  'tool = ""',
  'errors > 0',
  'ttft > 5',
  'error contains limit',
  'weather "gpt 4"',
  'weather or (tool = a and sunny)',
  'model = a or (status = OK and cost > 1)',
];

describe('a keyed filter', () => {
  it.each(indexedFilters.flatMap((filter) => (['traces', 'spans'] as const).map((list) => ({ filter, list }))))(
    'finds $list by an index and never scans a whole table: $filter',
    ({ filter, list }) => {
      for (const step of plansOf(list, filter)) expect(step).not.toMatch(/^SCAN (trace|span|term|trace_term|score|document)\b/);
    },
  );
});

describe('a read of the cloud', () => {
  const window = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) };
  const page = { window, limit: 50, offset: 0, sort_order: 'desc' };
  const timeRange = { from_ms: window.from, to_ms: window.to };
  const filterOf = (resource: Resource, text: FilterList = []) => parseFilterList(resource, text);

  it.each<[read: ReadMethod, args: unknown[], statements: number, index: RegExp]>([
    [
      'search.traces',
      [{ ...page, sort_by: 'start_time', filter: filterOf('traces') }],
      3,
      /INDEX trace_listed \(scope=\? AND listed_us>\?/,
    ],
    ['search.traces', [{ ...page, sort_by: 'cost', filter: filterOf('traces') }], 3, /INDEX trace_listed \(scope=\? AND listed_us>\?/],
    ['search.spans', [{ ...page, sort_by: 'start_time', filter: filterOf('spans') }], 2, /INDEX span_started \(scope=\? AND start_us>\?/],
    ['search.spans', [{ ...page, sort_by: 'name', filter: filterOf('spans') }], 2, /INDEX span_started \(scope=\? AND start_us>\?/],
    [
      'search.scores',
      [{ ...page, sort_by: 'created_at', filter: filterOf('scores') }],
      2,
      /INDEX score_created \(scope=\? AND created_ms>\?/,
    ],
    ['search.span', ['ab'.repeat(8)], 1, /INDEX trace_listed \(scope=\?\)/],
    ['metrics.requests', [window, true], 1, /INDEX span_started \(scope=\? AND start_us>\?/],
    ['metrics.scores', [{}], 1, /INDEX score_name \(scope=\?/],
    ['windows.requests', [{ ...timeRange, environment: 'dev' }], 1, /INDEX span_started \(scope=\? AND start_us>\?/],
    ['windows.scores', [{ ...timeRange, environment: 'dev' }, 'q'], 1, /INDEX trace_listed \(scope=\? AND listed_us>\?/],
    ['traceList.facets', [traceList.facets.query.parse({})], 2, /SEARCH term USING .*\(scope=\? AND key=\?/],
    ['spans.list', [spanQuery.parse({ name: 'chat', model: 'gpt' })], 2, /SEARCH term USING .*\(scope=\? AND key=\?/],
  ])('%s uses an index by app or time, and scans no table: %j', (read, args, statements, index) => {
    const plans = plansOfRead(read, args, statements);
    expect(plans.join('\n')).toMatch(index);
    for (const step of plans) expect(step).not.toMatch(/^SCAN (trace|span|term|trace_term|score|document)\b/);
  });

  it('the models of listed traces are looked up among those of the app', () => {
    const plans = plansOfRead('traceList.list', [traceList.rows.query.parse({})], 2);
    expect(plans.join('\n')).toMatch(/SEARCH term USING .*\(scope=\? AND key=\?/);
  });

  it.each(['name', 'resource_id'])('scores are looked up by %s', (field) => {
    const filter = filterOf('scores', [{ field, operator: 'equals', value: 'x' }]);
    const plans = plansOfRead('search.scores', [{ ...page, sort_by: 'score', filter }], 2);
    expect(plans.join('\n')).toMatch(
      field === 'name' ? /INDEX score_name \(scope=\? AND name=\?/ : /INDEX score_resource \(scope=\? AND resource=\?/,
    );
  });
});

describe('a read that takes too long', () => {
  it('is ended, and the next one is answered', () => {
    const db = new Database(file, { readonly: true });
    const read = createReader(db, -1);
    const list = (filter?: string) => () => read('traces.list', [scope, traceQuery.parse({ filter })]);
    for (const slow of ['input contains word', 'input contains "two words"', 'metadata.k = ""']) {
      expect(list(slow)).toThrow(expect.objectContaining({ errorKind: 'slow' }));
    }
    const window = { from: 0, to: Date.now() };
    expect(() => read('metrics.requests', [scope, window, false])).toThrow(expect.objectContaining({ errorKind: 'slow' }));
    expect(() => read('search.span', [scope, 'ab'.repeat(8)])).toThrow(expect.objectContaining({ errorKind: 'slow' }));
    expect(list()()).toMatchObject({ total: 1 });
    db.close();
  });
});
