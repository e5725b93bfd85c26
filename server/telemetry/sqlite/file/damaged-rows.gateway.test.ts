import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { activityBreakdowns } from '../../../../shared/contract/viewer/activity-shape.ts';
import { aChat, aTraceId, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { Tenant } from '../../conformance/tenant.ts';
import type { LocalTelemetryStore } from '../../local-telemetry-store.ts';
import { openSqliteTelemetry, telemetryFile } from '../store.ts';
import { readDamage } from './damage-record.ts';
import { storageErrorKind } from './storage-error-kind.ts';

const worker = new URL('../../../entry/thread.ts', import.meta.url);
const scope = { tenant_id: 'tenant', app_id: 'app' };
const window = { from: testEpochMs - 3_600_000, to: testEpochMs + 3_600_000 };
const traceIds = Array.from({ length: 6 }, aTraceId);
let dataDir: string;
let store: LocalTelemetryStore;
let app: Tenant;

async function open(): Promise<void> {
  store = await openSqliteTelemetry(dataDir, worker);
  app = new Tenant(store, scope);
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-damaged-'));
  await open();
  // One commit each, so that each trace has a block of its own.
  for (const [at, traceId] of traceIds.entries()) {
    const attributes = { 'session.id': `s${at}`, 'agentmark.tags': `["tag ${at}"]`, 'agentmark.metadata.key': `value ${at}` };
    await app.write([aChat({ traceId, name: `chat ${at}`, attributes })]);
  }
});

afterEach(async () => {
  await store.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Changes rows behind the store's back, which the product never does. */
function damage(...statements: string[]): void {
  const db = new Database(telemetryFile(dataDir)).unsafeMode();
  // Tables that are not strict accept the values that a damaged record header would decode to.
  db.exec(
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name IN ('trace', 'span', 'session')",
  );
  db.close();
  const lenient = new Database(telemetryFile(dataDir));
  for (const statement of statements) lenient.exec(statement);
  lenient.close();
}

const thirdTrace = '(SELECT id FROM trace ORDER BY id LIMIT 1 OFFSET 2)';
const namesOf = async () => (await app.traces({ limit: 100 })).data.map(({ name }) => name).sort();
const allBut = (at: number) => traceIds.map((_, index) => `chat ${index}`).filter((_, index) => index !== at);

/** Calls every read of lists and sums; none may fail. */
async function readEverything(): Promise<void> {
  await app.spans({ limit: 100 });
  await app.sessions({ limit: 100 });
  await app.traces({ limit: 100, tag: 'tag 1' });
  await store.traceList.facets(scope, { limit: 10 });
  await store.traceList.overTime(scope, { buckets: 20 });
  await store.metrics.requests(scope, window, true);
  await store.windows.requests(scope, { from_ms: window.from, to_ms: window.to, environment: null });
  for (const by of activityBreakdowns) await store.statistics.activity(scope, { ...window, steps: 10, by });
  await store.maintenance.storage(scope);
}

describe('a damaged row', () => {
  const ofTrace: [string, string][] = [
    ['tags that are not JSON', `UPDATE trace SET tags = '["cut o' WHERE id = ${thirdTrace}`],
    ['tags that are not a list', `UPDATE trace SET tags = '{"a":1}' WHERE id = ${thirdTrace}`],
    ['a tag that is not text', `UPDATE trace SET tags = '[1]' WHERE id = ${thirdTrace}`],
    ['a time beyond the calendar', `UPDATE trace SET end_us = 9223372036854775807 WHERE id = ${thirdTrace}`],
    ['text for a number', `UPDATE trace SET latency_ns = 'abc' WHERE id = ${thirdTrace}`],
    ['bytes for a number', `UPDATE trace SET cost = x'00ff' WHERE id = ${thirdTrace}`],
    ['an id of another length', `UPDATE trace SET trace_id = x'0102' WHERE id = ${thirdTrace}`],
    ['bytes for a text', `UPDATE trace SET input_preview = x'00' WHERE id = ${thirdTrace}`],
  ];
  for (const [what, statement] of ofTrace) {
    it(`with ${what} removes one trace from a list, and is reported`, async () => {
      damage(statement);
      expect(await namesOf()).toEqual(allBut(2));
      await readEverything();
      expect(store.damage.now()?.counts.trace).toBe(1);
      expect(readDamage(dataDir)?.counts.trace).toBe(1);
    });
  }

  it('of a span removes only that span from lists, and is reported', async () => {
    damage(`UPDATE span SET duration_ns = 'abc' WHERE trace = ${thirdTrace}`);
    expect((await app.spans({ limit: 100 })).data).toHaveLength(5);
    await readEverything();
    expect((await store.contexts.find(scope, traceIds[2] as string))?.decode()).toEqual({ windows: [], is_whole: true });
    expect(store.damage.now()?.counts.span).toBe(1);
  });

  it('of a session removes only that session from the list', async () => {
    damage(`UPDATE session SET tags = '[' WHERE id = (SELECT session FROM trace WHERE id = ${thirdTrace})`);
    expect((await app.sessions({ limit: 100 })).data.map(({ id }) => id).sort()).toEqual(['s0', 's1', 's3', 's4', 's5']);
    expect(store.damage.now()?.counts.session).toBe(1);
  });

  it('that others reference and that is missing removes only the rows that reference it', async () => {
    damage(`DELETE FROM document WHERE id = (SELECT metadata FROM span WHERE trace = ${thirdTrace})`);
    expect((await app.spans({ limit: 100 })).data).toHaveLength(5);
    await readEverything();
    expect(store.damage.now()).not.toBeNull();
  });

  it('of span content marks that span as damaged, and keeps it in its trace', async () => {
    damage(`UPDATE block SET data = x'28b52ffd00' WHERE id = (SELECT block FROM span WHERE trace = ${thirdTrace})`);
    const { data } = await app.traces({ limit: 100 });
    expect(data).toHaveLength(6);
    const [span] = (await app.detail(traceIds[2] as string)).spans;
    expect(span).toMatchObject({ name: 'chat 2', damaged: true });
    expect((await app.detail(traceIds[1] as string)).spans[0]).not.toHaveProperty('damaged');
    await expect(app.io(traceIds[2] as string, span?.id as string)).rejects.toMatchObject({ errorKind: 'corrupt' });
    const windows = (await store.contexts.find(scope, traceIds[2] as string))?.decode().windows;
    expect(windows).toMatchObject([{ model: 'gpt-4o', calls: [{ prompt: 'damaged', parts: [], input_tokens: 10 }] }]);
    expect(store.damage.now()?.counts.span).toBe(1);
  });

  it('is still reported after a restart, and counts once however often it is read', async () => {
    damage(`UPDATE trace SET tags = '[' WHERE id = ${thirdTrace}`);
    for (let read = 0; read < 5; read++) await namesOf();
    await store.stop();
    await open();
    expect(store.damage.now()).toMatchObject({ counts: { trace: 1 } });
    await namesOf();
    expect(store.damage.now()).toMatchObject({ counts: { trace: 1 } });
  });

  it('makes new spans of its trace be rejected, and no other span of the request', async () => {
    damage(`UPDATE span SET start_us = 'abc' WHERE trace = ${thirdTrace}`);
    await store.stop();
    await open();
    const outcome = await app.write([
      aChat({ traceId: traceIds[2] as string }),
      aChat({ traceId: traceIds[1] as string }),
      aChat({ name: 'new' }),
    ]);
    expect([outcome.accepted, outcome.conflicts]).toEqual([
      2,
      [expect.stringMatching(`of trace ${traceIds[2]}: the stored part of this trace`)],
    ]);
    expect(await namesOf()).toContain('new');
    expect((await app.detail(traceIds[1] as string)).spans).toHaveLength(2);
  });

  it('is not reported by an undamaged store', async () => {
    await readEverything();
    expect(await namesOf()).toHaveLength(6);
    expect([store.damage.now(), readDamage(dataDir)]).toEqual([null, null]);
  });
});

describe('errors of the file system', () => {
  it('have the same error kinds as those of SQLite', () => {
    const kinds = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO', 'EMFILE', 'ENOENT'].map((code) =>
      storageErrorKind(Object.assign(new Error(), { code })),
    );
    expect(kinds).toEqual(['full', 'full', 'io', 'io', 'io', 'io', null]);
  });
});
