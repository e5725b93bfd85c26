import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spanQuery } from '../../../../shared/contract/spans.ts';
import { traceQuery } from '../../../../shared/contract/traces.ts';
import { aChat } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { openWriter } from '../open.ts';
import { Writer } from '../write/writer.ts';
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

/** The plan of every statement that a list runs over traces or spans, values put in. */
function plansOf(list: 'traces' | 'spans', filter: string): string[] {
  const run: string[] = [];
  const db = new Database(file, { readonly: true, verbose: (sql) => run.push(String(sql)) });
  const query = { ...(list === 'traces' ? traceQuery : spanQuery).parse({ filter }) };
  createReader(db, budgetMs)(`${list}.list`, [scope, query]);
  const asked = run.filter((sql) => /^select/i.test(sql) && /from "?(trace|span)"?\b/i.test(sql));
  expect(asked.length).toBeGreaterThanOrEqual(2);
  const plans = asked.flatMap((sql) => db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all());
  db.close();
  return plans.map(({ detail }) => detail);
}

const keyed = [
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
];

describe('a keyed filter', () => {
  it.each(keyed.flatMap((filter) => (['traces', 'spans'] as const).map((list) => ({ filter, list }))))(
    'finds $list by an index and never walks a whole table: $filter',
    ({ filter, list }) => {
      for (const step of plansOf(list, filter)) expect(step).not.toMatch(/^SCAN (trace|span|term|trace_term|score|document)\b/);
    },
  );
});

describe('a read that takes too long', () => {
  it('is ended, and the next one is answered', () => {
    const db = new Database(file, { readonly: true });
    const read = createReader(db, -1);
    const list = (filter?: string) => () => read('traces.list', [scope, traceQuery.parse({ filter })]);
    for (const slow of ['input contains word', 'input contains "two words"', 'metadata.k = ""']) {
      expect(list(slow)).toThrow(expect.objectContaining({ trouble: 'slow' }));
    }
    expect(list()()).toMatchObject({ total: 1 });
    db.close();
  });
});
