import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sessionQuery } from '../../../../shared/contract/tracing/sessions.ts';
import { traceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { aChat, aSpanId, aTraceId, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import type { Scope } from '../../../platform/scope.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { type OpenDatabase, openReader, openWriter } from '../file/open.ts';
import { type ArgsOf, answerOf } from '../fixtures/answer-of.ts';
import type { ReadMethod } from '../read/read-calls.ts';
import { Writer } from './writer.ts';

/** Of one tenant and of two: what they hold is counted together, and apart. */
const gone = { tenant_id: 'tenant', app_id: 'gone' };
const beside = { tenant_id: 'tenant', app_id: 'beside' };
const foreign = { tenant_id: 'another', app_id: 'gone' };
const plenty = { monthly_spans: null, storage_bytes: null };

let folder: string;
let file: string;
let db: OpenDatabase;
let writer: Writer;
let now: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-erasure-'));
  file = join(folder, 'telemetry.db');
  now = testEpochMs;
  open();
});
afterEach(() => {
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): void {
  db = openWriter(file);
  // Thousands of commits, none of which has to outlive the power.
  db.pragma('synchronous = OFF');
  writer = new Writer(db, createPricing(), () => now);
}

/** Texts long enough to be stored apart, sessions, tags, scores: the same of each app, under the same ids. */
function send(scopes: readonly Scope[], traceId = aTraceId()): { traceId: string; spanId: string } {
  const ids = { traceId, spanId: aSpanId() };
  const attributes = { 'session.id': 'a session', 'user.id': 'a user' };
  const batch = () => batchOf([aChat({ ...ids, ask: `the same ${traceId} `.repeat(300), attributes })], now);
  const score = { id: '', resource_id: ids.spanId, name: 'q', score: 1, label: '', reason: '', source: 'api' } as const;
  writer.write(scopes.map((scope) => ({ scope, batch: batch(), allowance: plenty })));
  for (const scope of scopes) {
    const insert = [{ ...score, id: `${scope.tenant_id} ${scope.app_id} ${ids.spanId}`, created_at: new Date(now).toISOString() }];
    writer.write([{ scope, change: { insert, remove: [], attribution: null } }]);
  }
  return ids;
}

function read<M extends ReadMethod>(scope: Scope, method: M, ...args: ArgsOf<M>) {
  const reader = openReader(file);
  try {
    return answerOf(reader, scope, method, ...args);
  } finally {
    reader.close();
  }
}
const whole = (scope: Scope, sent: readonly { traceId: string; spanId: string }[]) => [
  read(scope, 'traces.list', traceQuery.parse({ limit: 1000 })),
  sent.map(({ traceId, spanId }) => [
    read(scope, 'spans.raw', traceId, spanId),
    read(scope, 'traces.find', traceId, { graph: false, scores: true }),
  ]),
  read(scope, 'sessions.list', sessionQuery.parse({})),
];
const count = (sql: string, ...bound: unknown[]): number =>
  db
    .prepare<unknown[], number>(sql)
    .pluck()
    .get(...bound) ?? 0;

/** Rows of the app, by table. */
function rowsOf({ tenant_id, app_id }: Scope): Record<string, number> {
  const scope = count('SELECT id FROM scope WHERE tenant_id = ? AND app_id = ?', tenant_id, app_id);
  const tables = ['trace', 'span', 'score', 'chunk', 'document', 'term', 'session'];
  return Object.fromEntries(tables.map((table) => [table, count(`SELECT count(*) FROM ${table} WHERE scope = ?`, scope)]));
}
const none = { trace: 0, span: 0, score: 0, chunk: 0, document: 0, term: 0, session: 0 };
const held = (tenant: string) => count('SELECT bytes FROM holding WHERE tenant_id = ?', tenant);

function expectTidy(): void {
  const needed = 'SELECT block FROM span UNION SELECT block FROM span_log UNION SELECT block FROM chunk UNION SELECT max(id) FROM block';
  expect(count(`SELECT count(*) FROM block WHERE id NOT IN (${needed})`)).toBe(0);
  expect(count(`SELECT count(*) FROM (${needed}) WHERE block NOT IN (SELECT id FROM block)`)).toBe(0);
  expect(count('SELECT count(*) FROM trace_term WHERE trace NOT IN (SELECT id FROM trace)')).toBe(0);
}

it('everything of the app goes, its bytes are free again, and all others have what they had', () => {
  const all = [gone, beside, foreign];
  const sent = Array.from({ length: 70 }, () => send(all));
  const [before, bytes] = [[whole(beside, sent), whole(foreign, sent)], held('tenant')];
  send([foreign]);
  const newest = whole(foreign, sent);
  writer.erase(gone);
  while (writer.erasure.step());
  expect(rowsOf(gone)).toEqual(none);
  expect([whole(beside, sent), whole(foreign, sent)]).toEqual([before[0], newest]);
  expect(held('tenant') / bytes).toBeCloseTo(0.5, 1);
  expectTidy();
});

it('goes on where it was after the gateway died, whenever that was', () => {
  const sent = Array.from({ length: 30 }, () => send([gone, beside]));
  send([beside]);
  const before = whole(beside, sent);
  writer.erase(gone);
  for (let steps = 1; steps < 12; steps++) {
    for (let at = 0; at < steps && writer.erasure.step(); at++);
    expect(whole(beside, sent)).toEqual(before);
    writer.close();
    open();
  }
  while (writer.erasure.step());
  expect([rowsOf(gone), whole(beside, sent)]).toEqual([none, before]);
  expectTidy();
});

it('what was still on its way goes, too, and so does the newest of all when something newer has come', () => {
  send([gone]);
  writer.erase(gone);
  while (writer.erasure.step());
  expect(rowsOf(gone)).toMatchObject({ trace: 1, score: 0 });
  const later = () => {
    now += 11 * 60_000;
    while (writer.erasure.step());
  };
  send([beside]);
  later();
  expect(rowsOf(gone)).toEqual(none);
  send([gone]);
  send([beside]);
  later();
  // Of names and documents the last may be the newest for long.
  expect(rowsOf(gone)).toEqual({ ...none, term: expect.any(Number), document: expect.any(Number) });
  expect(rowsOf(gone)['document']).toBeLessThan(2);
  expectTidy();
});

it('looks at nothing while no app is gone', () => {
  send([beside]);
  expect(writer.erasure.step()).toBe(false);
});
