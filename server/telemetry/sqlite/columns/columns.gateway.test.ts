import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { spanQuery } from '../../../../shared/contract/tracing/spans.ts';
import { traceList } from '../../../../shared/contract/tracing/trace-list.ts';
import { traceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { activityQuery } from '../../../../shared/contract/viewer/activity.ts';
import { activityBreakdowns } from '../../../../shared/contract/viewer/activity-shape.ts';
import { filterList, parseFilterList } from '../../../../shared/filter/parse-json.ts';
import { aChat, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { dailySample } from '../../../fixtures/daily-sample.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { type FilterSpan, type FilterTrace, filterPopulation, sentFilterSpan } from '../../conformance/filter-population.ts';
import { randomFilter } from '../../conformance/random-filters.ts';
import { Encoded } from '../../encoded.ts';
import { hasContent } from '../../filter-sql.ts';
import { type OpenDatabase, openReader, openWriter } from '../file/open.ts';
import { ReadPage } from '../read/read-answer.ts';
import type { ReadArgs, ReadMethod } from '../read/read-calls.ts';
import { createReader } from '../read/reader.ts';
import { Writer } from '../write/writer.ts';
import { ColumnMaker } from './column-maker.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
const otherScope = { tenant_id: 'tenant', app_id: 'gone' };
const population = filterPopulation(80, 20_261_124);
const sample = dailySample(3);
/** Contents are in no column: filters on them are read from the tables both ways. */
const filters = fc
  .sample(randomFilter, { numRuns: 120, seed: 20_261_124 })
  .map((json) => filterList.parse(json))
  .filter((json) => !hasContent(parseFilterList('spans', json)))
  .filter((_, index) => sample.has(index));
/** Hang limit: several hundred reads in each state, and three times as many with all filters. */
const hangMs = 300_000;

let folder: string;
let db: OpenDatabase;
let writer: Writer;
let now = testEpochMs;
/** Damage that the last reads reported. */
let reported: { kind: string; id: string }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-columns-'));
  open();
});

afterEach(() => {
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): void {
  db = openWriter(join(folder, 'telemetry.db'));
  db.pragma('synchronous = OFF');
  writer = new Writer(db, createPricing(), () => now);
}

const isLate = ({ id }: FilterSpan) => id.endsWith('1');
const pending = (span: FilterSpan, trace: FilterTrace) => ({ ...sentFilterSpan(span, trace), endTimeUnixNano: '0' });

/** Every trace once in each app, some of their spans pending. */
function populate(): void {
  for (const trace of population.traces) {
    const batch = () => batchOf(trace.spans.map((span) => (isLate(span) ? pending(span, trace) : sentFilterSpan(span, trace))));
    for (const each of [scope, otherScope]) writer.write([{ scope: each, batch: batch() }]);
  }
  const insert = population.scores.map(({ atMs, ...score }) => ({
    ...{ ...score, id: randomUUID(), label: '', reason: '', source: 'api' as const },
    created_at: new Date(atMs).toISOString(),
  }));
  writer.write([{ scope, change: { insert, remove: [], attribution: null } }]);
}

/** Moves the rows apart, over several segments: the ids of so few rows would be in the first, which is never complete. */
function spread(): void {
  writer.close();
  open();
  const move = (table: string, column: string, factor: number) => {
    db.exec(`UPDATE ${table} SET ${column} = -${column} * ${factor} WHERE ${column} > 0`);
    db.exec(`UPDATE ${table} SET ${column} = -${column} WHERE ${column} < 0`);
  };
  for (const [table, column] of [
    ['span', 'id'],
    ['trace', 'root'],
    ['trace', 'input_span'],
    ['trace', 'output_span'],
  ] as const)
    move(table, column, 171);
  for (const [table, column] of [
    ['trace', 'id'],
    ['span', 'trace'],
    ['trace_term', 'trace'],
    ['recent_trace_term', 'trace'],
  ] as const)
    move(table, column, 431);
  writer.close();
  open();
}

const make = () => {
  const maker = new ColumnMaker(db);
  while (maker.step());
};
const count = (sql: string): number => db.prepare<[], number>(sql).pluck().get() ?? 0;
const segments = () => count('SELECT count(*) FROM column_segment WHERE version > 0');

function finishSpans(): void {
  for (const trace of population.traces) {
    const late = trace.spans.filter(isLate).map((span) => sentFilterSpan(span, trace));
    if (late.length > 0) writer.write([{ scope, batch: batchOf(late) }]);
  }
}

function removeOtherApp(): void {
  writer.erasure.begin(count(`SELECT id FROM scope WHERE app_id = '${otherScope.app_id}'`));
  now += 1;
  while (writer.erasure.step());
}

type BothWays = <M extends ReadMethod>(method: M, query: unknown) => [unknown, unknown];

/** @param act is given a function that reads by columns and from the tables, with the rows that are there now */
function withReaders(act: (bothWays: BothWays) => void): void {
  const readers = [0, Number.POSITIVE_INFINITY].map((tableRowsMax) => {
    const reader = openReader(join(folder, 'telemetry.db'));
    return { reader, read: createReader(reader, 60_000, undefined, (found) => reported.push(found), tableRowsMax) };
  });
  try {
    act(<M extends ReadMethod>(method: M, query: unknown) => {
      const answers = readers.map(({ read }) => {
        const answer: unknown = read(method, [scope, query, true] as unknown as ReadArgs<M>);
        if (answer instanceof ReadPage) return { total: answer.total, rows: answer.value };
        return answer instanceof Encoded ? answer.decode() : answer;
      });
      return answers as [unknown, unknown];
    });
  } finally {
    for (const { reader } of readers) reader.close();
  }
}

/** Sums of costs depend on the order of the rows, and the order of groups on the costs. */
function rounded(answer: unknown): unknown {
  const { groups, ...others } = JSON.parse(
    JSON.stringify(answer, (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value)),
  ) as { groups: { name: string }[] };
  return { ...others, groups: groups.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

function expectSame(): void {
  expectSameOfDamaged();
  expect(reported).toEqual([]);
}

function expectSameOfDamaged(): void {
  reported = [];
  withReaders(expectSameOf);
}

function expectSameOf(bothWays: BothWays): void {
  const same = (method: ReadMethod, query: unknown) => {
    const [byColumns, fromTable] = bothWays(method, query);
    expect(byColumns, `${method} ${JSON.stringify(query)}, ${sample.name}`).toEqual(fromTable);
  };
  const sorts = {
    spans: ['start_time', 'duration_ms', 'cost', 'tokens', 'name'],
    traces: ['start_time', 'latency', 'cost', 'tokens', 'status', 'name'],
  };
  for (const [at, json] of filters.entries()) {
    const page = { limit: 7, offset: [0, 3, 40][at % 3] as number, sort_order: at % 2 === 0 ? 'desc' : 'asc' };
    const window = { from: 0, to: testEpochMs + 1e9 };
    const spans = parseFilterList('spans', json);
    const traces = parseFilterList('traces', json);
    same('spans.list', { ...spanQuery.parse({ limit: 500 }), filter: spans });
    same('search.spans', { ...page, window, filter: spans, sort_by: sorts.spans[at % 5] });
    same('traces.list', { ...traceQuery.parse({ ...page, sort_by: sorts.traces[at % 6] }), filter: traces });
    same('traceList.overTime', { ...traceList.overTime.query.parse({}), filter: traces });
    if (at % 4 !== 0) continue;
    same('traceList.facets', { ...traceList.facets.query.parse({}), filter: traces });
    const by = activityBreakdowns[(at / 4) % activityBreakdowns.length];
    const activity = { ...activityQuery.parse({ from: 0, to: testEpochMs + 1e9, by }), filter: traces };
    const [byColumns, fromTable] = bothWays('statistics.activity', activity).map(rounded);
    expect(byColumns, `activity ${JSON.stringify(json)} ${by}, ${sample.name}`).toEqual(fromTable);
  }
  for (const query of [
    { type: 'GENERATION' },
    { status: 'ERROR' },
    { name: 'l', min_duration: 2 },
    { user_id: 'a' },
    { session_id: 'b', max_duration: 2 },
  ])
    same('spans.list', spanQuery.parse(query));
  const [byColumns, fromTable] = bothWays('metrics.requests', { from: 0, to: testEpochMs + 1e9 });
  expect(byColumns).toEqual(fromTable);
  for (const query of [{ status: 'OK' }, { user_id: 'a' }, { tag: ['a', 'b'] }, { end_date: '2020-01-01' }, { name: 'x' }])
    same('traceList.facets', traceList.facets.query.parse(query));
}

it(
  'columns select, count, sort and group the same rows as the tables, whichever of them are made',
  () => {
    populate();
    spread();
    expectSame();
    make();
    expect(segments()).toBeGreaterThan(5);
    expectSame();
    db.exec('DELETE FROM column_segment WHERE segment % 2 = 0');
    expectSame();
  },
  hangMs,
);

it(
  'follow what changes afterwards',
  () => {
    populate();
    spread();
    make();
    finishSpans();
    expect(count('SELECT count(*) FROM column_stale WHERE resource = 1')).toBeGreaterThan(0);
    expect(count('SELECT count(*) FROM column_stale WHERE resource = 2')).toBeGreaterThan(0);
    expectSame();
    removeOtherApp();
    expectSame();
    writer.write([{ scope, batch: batchOf([aChat({ ask: 'the newest' })]) }]);
    expectSame();
  },
  hangMs,
);

it(
  'a changed bit in a column is reported, and its rows are read from the table',
  () => {
    populate();
    spread();
    make();
    db.function('with_changed_bit', (bytes: Buffer, at: number) => {
      bytes.writeUInt8(bytes.readUInt8(at % bytes.length) ^ (1 << (at % 8)), at % bytes.length);
      return bytes;
    });
    for (const change of [
      'UPDATE column_chunk SET data = with_changed_bit(data, id % 1013) WHERE data IS NOT NULL AND id % 2 = 0',
      'UPDATE column_chunk SET low = low - 1, high = high - 1 WHERE id % 2 = 1',
    ]) {
      expect(db.exec(change)).toBeDefined();
      expectSameOfDamaged();
      expect(reported.length).toBeGreaterThan(0);
    }
  },
  hangMs,
);
