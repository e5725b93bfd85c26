import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ScorePredicate } from '../../../../shared/filter/filter-tree.ts';
import { aChat } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { DamageReporter } from '../file/damaged.ts';
import { openWriter } from '../file/open.ts';
import { registerResourceKey } from '../file/resource-key.ts';
import { Writer } from '../write/writer.ts';
import { Lookup } from './lookup.ts';
import { ScoredRows } from './scored-rows.ts';
import { TimeLimit } from './time-limit.ts';

const ours = { tenant_id: 'ours', app_id: 'app' };
const theirs = { tenant_id: 'theirs', app_id: 'app' };
const [traceId, spanId] = ['7a'.repeat(16), '7b'.repeat(8)];
const aboveHalf: ScorePredicate = { kind: 'score', field: 'score__q', key: 'q', operator: 'gt', values: [0.5] };

let folder: string;
let file: string;
let writer: Writer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-scored-rows-'));
  file = join(folder, 'telemetry.db');
  writer = new Writer(openWriter(file), createPricing());
});
afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A span that both tenants have with the same ids. */
const chat = () => batchOf([aChat({ traceId, spanId })]);

function addScore(resource_id: string): void {
  const texts = { label: '', reason: '', source: 'api', created_at: new Date(0).toISOString() } as const;
  const score = { id: randomUUID(), resource_id, name: 'q', score: 1, ...texts };
  writer.write([{ scope: ours, change: { insert: [score], remove: [], attribution: null } }]);
}

function openScoredRows() {
  const db = new Database(file, { readonly: true });
  registerResourceKey(db);
  const lookup = new Lookup(db);
  const limit = new TimeLimit(60_000);
  limit.begin();
  return {
    db,
    lookup,
    scoredRows: new ScoredRows({ db, limit, damageReporter: new DamageReporter() }),
    own: lookup.scope(ours),
    other: lookup.scope(theirs),
  };
}

it('a score of a span does not match a span of another tenant with the same id', () => {
  writer.write([
    { scope: theirs, batch: chat() },
    { scope: ours, batch: chat() },
  ]);
  addScore(spanId);
  const { db, lookup, scoredRows, own, other } = openScoredRows();
  const spans = db.prepare<[number], number>('SELECT id FROM span WHERE scope = ?').pluck();
  expect(scoredRows.find('spans', own, aboveHalf)).toEqual(spans.all(own));
  expect(scoredRows.find('traces', own, aboveHalf)).toEqual([lookup.trace(own, traceId)]);
  expect(scoredRows.find('spans', other, aboveHalf)).toEqual([]);

  writer.write([{ scope: theirs, batch: batchOf([aChat({ traceId: '7c'.repeat(16), spanId })]) }]);
  expect(scoredRows.find('spans', own, aboveHalf)).toEqual(spans.all(own));
  db.close();
});

it.each([
  ['a UUID', 'e4b9a150-1c56-4bd6-9e6f-2a51f0f8d7c1'],
  ['a UUID in capitals', 'E4B9A150-1C56-4BD6-9E6F-2A51F0F8D7C2'],
  ['32 hex digits', '7d'.repeat(16)],
  ['readable', 'Span-1'],
])('a score of a span whose id is %s is found, also when the span arrives later', (_, id) => {
  writer.write([{ scope: ours, batch: batchOf([aChat()]) }]);
  addScore(traceId);
  addScore(id);
  const { db, scoredRows, own } = openScoredRows();
  expect(scoredRows.find('spans', own, aboveHalf)).toEqual([]);
  writer.write([{ scope: ours, batch: batchOf([aChat({ traceId, spanId: id })]) }]);
  const { id: row, trace } = db.prepare('SELECT id, trace FROM span ORDER BY id DESC LIMIT 1').get() as { id: number; trace: number };
  expect(scoredRows.find('spans', own, aboveHalf)).toEqual([row]);
  expect(new Set(scoredRows.find('traces', own, aboveHalf))).toEqual(new Set([trace]));
  db.close();
});

it.each([traceId, 'trace-1'])('a score of a trace does not match a trace of another tenant with the same id: %s', (id) => {
  for (const scope of [theirs, ours]) writer.write([{ scope, batch: batchOf([aChat({ traceId: id })]) }]);
  addScore(id);
  const { db, lookup, scoredRows, own, other } = openScoredRows();
  expect(scoredRows.find('traces', own, aboveHalf)).toEqual([lookup.trace(own, id)]);
  expect(scoredRows.find('traces', other, aboveHalf)).toEqual([]);
  db.close();
});
