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
import { type ArgsOf, readOnce } from '../fixtures/read-once.ts';
import type { ReadMethod } from '../read/read-calls.ts';
import { Writer } from './writer.ts';

/** Two apps of one tenant, whose storage is counted together, and one of another tenant. */
const deletedApp = { tenant_id: 'tenant', app_id: 'gone' };
const otherApp = { tenant_id: 'tenant', app_id: 'beside' };
const otherTenantApp = { tenant_id: 'another', app_id: 'gone' };
const unlimited = { monthly_spans: null, storage_bytes: null };

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
  // Thousands of commits, none of which has to survive a power cut.
  db.pragma('synchronous = OFF');
  writer = new Writer(db, createPricing(), () => now);
}

/** Sends the same data with the same ids to each app: texts long enough to be stored separately, a session, a score. */
function send(scopes: readonly Scope[], traceId = aTraceId()): { traceId: string; spanId: string } {
  const ids = { traceId, spanId: aSpanId() };
  const attributes = { 'session.id': 'a session', 'user.id': 'a user' };
  const batch = () => batchOf([aChat({ ...ids, ask: `the same ${traceId} `.repeat(300), attributes })], now);
  const score = { id: '', resource_id: ids.spanId, name: 'q', score: 1, label: '', reason: '', source: 'api' } as const;
  writer.write(scopes.map((scope) => ({ scope, batch: batch(), allowance: unlimited })));
  for (const scope of scopes) {
    const insert = [{ ...score, id: `${scope.tenant_id} ${scope.app_id} ${ids.spanId}`, created_at: new Date(now).toISOString() }];
    writer.write([{ scope, change: { insert, remove: [], attribution: null } }]);
  }
  return ids;
}

function read<M extends ReadMethod>(scope: Scope, method: M, ...args: ArgsOf<M>) {
  const reader = openReader(file);
  try {
    return readOnce(reader, scope, method, ...args);
  } finally {
    reader.close();
  }
}
const readAll = (scope: Scope, sent: readonly { traceId: string; spanId: string }[]) => [
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
const storedBytes = (tenant: string) => count('SELECT bytes FROM holding WHERE tenant_id = ?', tenant);

function expectTidy(): void {
  const needed = 'SELECT block FROM span UNION SELECT block FROM span_log UNION SELECT block FROM chunk UNION SELECT max(id) FROM block';
  expect(count(`SELECT count(*) FROM block WHERE id NOT IN (${needed})`)).toBe(0);
  expect(count(`SELECT count(*) FROM (${needed}) WHERE block NOT IN (SELECT id FROM block)`)).toBe(0);
  expect(count('SELECT count(*) FROM all_trace_terms WHERE trace NOT IN (SELECT id FROM trace)')).toBe(0);
}

it('all data of the app is erased, its bytes are freed, and other apps keep their data', () => {
  const all = [deletedApp, otherApp, otherTenantApp];
  const sent = Array.from({ length: 70 }, () => send(all));
  const [before, bytes] = [[readAll(otherApp, sent), readAll(otherTenantApp, sent)], storedBytes('tenant')];
  send([otherTenantApp]);
  const newest = readAll(otherTenantApp, sent);
  writer.erase(deletedApp);
  while (writer.erasure.step());
  expect(rowsOf(deletedApp)).toEqual(none);
  expect([readAll(otherApp, sent), readAll(otherTenantApp, sent)]).toEqual([before[0], newest]);
  expect(storedBytes('tenant') / bytes).toBeCloseTo(0.5, 1);
  expectTidy();
});

it('continues after the gateway was killed at any step', () => {
  const sent = Array.from({ length: 30 }, () => send([deletedApp, otherApp]));
  send([otherApp]);
  const before = readAll(otherApp, sent);
  writer.erase(deletedApp);
  for (let steps = 1; steps < 12; steps++) {
    for (let at = 0; at < steps && writer.erasure.step(); at++);
    expect(readAll(otherApp, sent)).toEqual(before);
    writer.close();
    open();
  }
  while (writer.erasure.step());
  expect([rowsOf(deletedApp), readAll(otherApp, sent)]).toEqual([none, before]);
  expectTidy();
});

it('late arrivals are erased too, and so are the newest rows once there are newer ones', () => {
  send([deletedApp]);
  writer.erase(deletedApp);
  while (writer.erasure.step());
  expect(rowsOf(deletedApp)).toMatchObject({ trace: 1, score: 0 });
  const later = () => {
    now += 11 * 60_000;
    while (writer.erasure.step());
  };
  send([otherApp]);
  later();
  expect(rowsOf(deletedApp)).toEqual(none);
  send([deletedApp]);
  send([otherApp]);
  later();
  // The last name and the last document may stay the newest for long.
  expect(rowsOf(deletedApp)).toEqual({ ...none, term: expect.any(Number), document: expect.any(Number) });
  expect(rowsOf(deletedApp)['document']).toBeLessThan(2);
  expectTidy();
});

it('does nothing while no app is deleted', () => {
  send([otherApp]);
  expect(writer.erasure.step()).toBe(false);
});
