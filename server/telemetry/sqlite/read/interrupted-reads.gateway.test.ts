/** Statements that may scan many rows end in the middle. Each checks the time once in 1024 rows, so 1200 rows are enough for the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessionQuery } from '../../../../shared/contract/tracing/sessions.ts';
import { spanQuery } from '../../../../shared/contract/tracing/spans.ts';
import { traceList } from '../../../../shared/contract/tracing/trace-list.ts';
import { traceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { activityQuery } from '../../../../shared/contract/viewer/activity.ts';
import { type FilterList, parseFilterList } from '../../../../shared/filter/parse-json.ts';
import { aChat } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { openWriter } from '../file/open.ts';
import { Writer } from '../write/writer.ts';
import type { ReadArgs, ReadMethod } from './read-calls.ts';
import { createReader } from './reader.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-interrupted-'));
  file = join(folder, 'telemetry.db');
  const writer = new Writer(openWriter(file), createPricing());
  const chats = Array.from({ length: 1200 }, (_, n) => aChat({ attributes: { 'session.id': `session ${n}` } }));
  writer.write([{ scope, batch: batchOf(chats) }]);
  writer.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const window = { from: 0, to: Date.UTC(2100, 0, 1) };
const page = { window, limit: 50, offset: 0, sort_order: 'desc' };
const spansWhere = (filter: FilterList) => parseFilterList('spans', filter);

it.each<[read: ReadMethod, args: unknown[]]>([
  ['spans.list', [spanQuery.parse({ offset: 1000 })]],
  ['spans.list', [spanQuery.parse({ filter: 'cost > 0.5' })]],
  ['search.spans', [{ ...page, sort_by: 'tokens', offset: 1000, filter: spansWhere([]) }]],
  ['search.spans', [{ ...page, sort_by: 'cost', filter: spansWhere([{ field: 'input', operator: 'notContains', value: 'x' }]) }]],
  ['search.spans', [{ ...page, sort_by: 'name', filter: spansWhere([{ field: 'input', operator: 'contains', value: 'e' }]) }]],
  ['metrics.requests', [window, true]],
  ['windows.requests', [{ from_ms: 0, to_ms: window.to, environment: null }]],
  ['traces.list', [traceQuery.parse({ sort_by: 'name' })]],
  ['traceList.facets', [traceList.facets.query.parse({})]],
  ['traceList.overTime', [traceList.overTime.query.parse({ filter: 'latency_ms > 5' })]],
  ['sessions.list', [sessionQuery.parse({ sort_by: 'total_cost' })]],
  ['statistics.activity', [activityQuery.parse(window)]],
])('%s checks its time limit while it scans: %j', (method, args) => {
  const db = new Database(file, { readonly: true });
  const read = createReader(db, 60_000);
  const run = (leftMs: number) => read(method, [scope, ...args] as ReadArgs<typeof method>, { id: 1, leftMs });
  expect(() => run(-1)).toThrow(expect.objectContaining({ errorKind: 'slow' }));
  expect(() => run(60_000)).not.toThrow();
  db.close();
});
