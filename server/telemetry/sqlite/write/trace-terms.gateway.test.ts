import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { traceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { aChat, aTraceId } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { type OpenDatabase, openReader, openWriter } from '../file/open.ts';
import { readOnce } from '../fixtures/read-once.ts';
import { Writer } from './writer.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };

let folder: string;
let db: OpenDatabase;
let writer: Writer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-terms-'));
  open();
});

afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): void {
  db = openWriter(join(folder, 'telemetry.db'));
  writer = new Writer(db, createPricing());
}

/** Another process: nothing of the traces is in memory any more. */
function reopen(): void {
  writer.close();
  open();
}

const send = (traceId: string, metadata: Record<string, string>) => {
  const attributes = Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`agentmark.metadata.${key}`, value]));
  writer.write([{ scope, batch: batchOf([aChat({ traceId, attributes })]) }]);
};

const count = (sql: string) => db.prepare<[], number>(sql).pluck().get();
const doubles = () => count('SELECT count(*) FROM all_trace_terms GROUP BY term, trace HAVING count(*) > 1');
const waiting = () => count('SELECT count(*) FROM recent_trace_term') ?? 0;

function found(filter: string): string[] {
  const reader = openReader(join(folder, 'telemetry.db'));
  try {
    const traces = readOnce(reader, scope, 'traces.list', traceQuery.parse({ filter }));
    return traces.map(({ id }) => id).sort();
  } finally {
    reader.close();
  }
}

/** So many terms that they are moved. */
const fill = () => {
  for (let trace = 0; trace < 110; trace++) {
    send(aTraceId(), Object.fromEntries(Array.from({ length: 40 }, (_, key) => [`k${key}`, `${trace} ${key}`])));
  }
};

it('traces are found by terms that wait and by terms that were moved', () => {
  const [early, late] = [aTraceId(), aTraceId()];
  send(early, { color: 'red' });
  expect(waiting()).toBeGreaterThan(0);
  expect(found('metadata.color = red')).toEqual([early]);
  fill();
  const left = waiting();
  expect(left).toBeLessThan(4096);
  send(late, { color: 'red' });
  expect(waiting()).toBeGreaterThan(left);
  expect(found('metadata.color = red')).toEqual([early, late].sort());
});

it('a trace has each term once, also when its spans arrive after a restart and after terms were moved', () => {
  const traceId = aTraceId();
  send(traceId, { color: 'red', size: 's' });
  reopen();
  send(traceId, { color: 'red', size: 'm' });
  expect(doubles()).toBeUndefined();
  fill();
  reopen();
  send(traceId, { color: 'red', size: 'm' });
  expect(doubles()).toBeUndefined();
  expect(found('metadata.color = red')).toEqual([traceId]);
  expect(found('metadata.size = m')).toEqual([traceId]);
});

it('no join of the writer scans all traces', () => {
  const prepare = vi.spyOn(db, 'prepare');
  new Writer(db, createPricing());
  const statements = prepare.mock.calls.map(([sql]) => sql).filter((sql) => /\bjoin trace\b/i.test(sql));
  prepare.mockRestore();
  expect(statements.length).toBeGreaterThan(0);
  const plans = statements.flatMap((sql) => {
    const values = sql.match(/\?/g)?.map(() => 1) ?? [];
    return db.prepare<number[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  });
  expect(plans.filter(({ detail }) => /^SCAN trace\b/.test(detail))).toEqual([]);
});
