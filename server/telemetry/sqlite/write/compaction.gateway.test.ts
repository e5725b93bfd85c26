import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { sessionQuery } from '../../../../shared/contract/tracing/sessions.ts';
import { traceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { aChat, aSpanId, aTraceId, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import type { Compaction } from '../../file-maintenance.ts';
import { type OpenDatabase, openReader, openWriter } from '../file/open.ts';
import { type ArgsOf, readOnce } from '../fixtures/read-once.ts';
import type { ReadMethod } from '../read/read-calls.ts';
import { rebuildIfDue } from './rebuild.ts';
import { textReuseBlocks } from './text-store.ts';
import { Writer } from './writer.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
const dayMs = 24 * 3600 * 1000;
const deletedSessions = 300;

let folder: string;
let file: string;
let db: OpenDatabase;
let writer: Writer;
let state: Compaction;

/** One store; each test works on a copy of it. */
let seeded: { folder: string; remaining: Sent[] };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-seeded-'));
  file = join(folder, 'telemetry.db');
  open();
  seeded = { folder, remaining: seedStore() };
  writer.close();
});

afterAll(() => rmSync(seeded.folder, { recursive: true, force: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-compaction-'));
  file = join(folder, 'telemetry.db');
  copyFileSync(join(seeded.folder, 'telemetry.db'), file);
  open();
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): void {
  db = openWriter(file);
  // Thousands of commits, none of which has to survive a power cut.
  db.pragma('synchronous = OFF');
  writer = new Writer(db, createPricing(), () => testEpochMs + 10 * dayMs, undefined, {
    compacted: (now) => (state = now),
    removed: () => {},
    changed: () => {},
  });
}

const onDay = (day: number): number => testEpochMs + day * dayMs;
/** Long enough to be stored as a text of its own. */
const longText = (word: string): string => `${word} `.repeat(2000);

interface Sent {
  traceId: string;
  spanId: string;
}

function send(day: number, ask = 'hello', session = ''): Sent {
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  const attributes = session ? { 'session.id': session, 'user.id': `user of ${session}` } : {};
  const { results } = writer.write([{ scope, batch: batchOf([aChat({ ...ids, ask, attributes })], onDay(day)) }]);
  expect(results).toMatchObject([{ outcome: { accepted: 1 } }]);
  return ids;
}

/** Seeds a store and removes most of its traces. @returns the remaining ones */
function seedStore(): Sent[] {
  for (let at = 0; at < deletedSessions; at++) send(0, longText(`word${at}`), `gone${at}`);
  // Texts are kept for this many blocks.
  for (let at = 0; at <= textReuseBlocks; at++) send(1);
  const remaining = ['a', 'b', 'c'].map((session) => send(9, longText(session), session));
  writer.retention.setRule({ keep_days: 7, max_bytes: null });
  while (writer.retention.step());
  db.pragma('wal_checkpoint(TRUNCATE)');
  return remaining;
}

function read<M extends ReadMethod>(method: M, ...args: ArgsOf<M>) {
  const reader = openReader(file);
  try {
    return readOnce(reader, scope, method, ...args);
  } finally {
    reader.close();
  }
}

const everything = (sent: readonly Sent[]) => [
  read('traces.list', traceQuery.parse({ limit: 100 })),
  read('sessions.list', sessionQuery.parse({})),
  ...sent.map(({ traceId, spanId }) => [read('traces.find', traceId, { graph: true, scores: true }), read('spans.raw', traceId, spanId)]),
];

/** Makes every step end after one piece, by a clock that runs fast. */
function endStepsAfterOnePiece(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
}

const count = (sql: string): number => Number(db.prepare(sql).pluck().get());
const sizeOf = (path = file): number => statSync(path).size;
const namesLike = (pattern: string) => count(`SELECT count(*) FROM term WHERE value LIKE '${pattern}'`);
/** Count of references to missing rows. */
const danglingReferences = () =>
  count(`SELECT (SELECT count(*) FROM span WHERE name <> 0 AND name NOT IN (SELECT id FROM term))
    + (SELECT count(*) FROM span WHERE session <> 0 AND session NOT IN (SELECT id FROM term))
    + (SELECT count(*) FROM span WHERE user <> 0 AND user NOT IN (SELECT id FROM term))
    + (SELECT count(*) FROM span WHERE resource <> 0 AND resource NOT IN (SELECT id FROM document))
    + (SELECT count(*) FROM trace WHERE session <> 0 AND session NOT IN (SELECT id FROM term))
    + (SELECT count(*) FROM all_trace_terms WHERE term NOT IN (SELECT id FROM term))`);

it('frees pages, deletes unused names, and changes nothing else', () => {
  const remaining = [...seeded.remaining];
  const [before, size] = [everything(remaining), sizeOf()];
  expect(namesLike('gone%')).toBe(deletedSessions);
  writer.compactor.begin();
  expect(state).toMatchObject({ state: 'running', phase: 'names', ended_ms: null });
  while (writer.compactor.step());
  db.pragma('wal_checkpoint(TRUNCATE)');
  expect(state).toMatchObject({ state: 'done', part: 1, left_bytes: 0, problem: null });
  expect(state.freed_bytes).toBe(size - sizeOf());
  expect(state.freed_bytes).toBeGreaterThan(size / 2);
  expect(namesLike('%gone%')).toBe(0);
  expect(namesLike('%of a')).toBe(1);
  expect(everything(remaining)).toEqual(before);
});

it('accepts spans between its steps, also with names that it was about to delete', () => {
  const remaining = [...seeded.remaining];
  const size = sizeOf();
  endStepsAfterOnePiece();
  writer.compactor.begin();
  let steps = 0;
  for (; writer.compactor.step(); steps++) {
    if (steps % 20 > 0) continue;
    expect(danglingReferences()).toBe(0);
    remaining.push(send(9, longText(`new${steps}`), `gone${remaining.length}`));
  }
  expect(remaining.length).toBeGreaterThan(20);
  expect(state.state).toBe('done');
  expect(danglingReferences()).toBe(0);
  db.pragma('wal_checkpoint(TRUNCATE)');
  expect(sizeOf()).toBeLessThan(size);
  const before = everything(remaining);
  for (const { traceId } of remaining) expect(read('traces.find', traceId, { graph: true, scores: true })).toMatchObject({ id: traceId });
  expect(count('SELECT count(*) FROM session')).toBe(remaining.length);
  // The sums in memory equal those of the rows.
  writer.close();
  open();
  expect(everything(remaining)).toEqual(before);
});

it('a reader keeps its snapshot for as long as it reads', () => {
  const remaining = [...seeded.remaining];
  const reader = openReader(file);
  reader.exec('BEGIN');
  const sum = () => reader.prepare('SELECT count(*), sum(length(data)), sum(id) FROM block').raw().get();
  const before = sum();
  writer.compactor.begin();
  while (writer.compactor.step()) db.pragma('wal_checkpoint(PASSIVE)');
  expect(state.state).toBe('done');
  expect(sum()).toEqual(before);
  reader.close();
  expect(everything(remaining)).toHaveLength(5);
});

it('a gateway that is killed after any step leaves an intact store', () => {
  const remaining = [...seeded.remaining];
  const before = everything(remaining);
  const images: string[] = [];
  endStepsAfterOnePiece();
  writer.compactor.begin();
  for (let steps = 0; writer.compactor.step(); steps++) {
    if (steps % 60 > 0) continue;
    const image = join(folder, `image${steps}`);
    mkdirSync(image);
    for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, join(image, `telemetry.db${suffix}`));
    images.push(join(image, 'telemetry.db'));
  }
  vi.restoreAllMocks();
  const [ownFile, ownDb, ownWriter] = [file, db, writer];
  for (const image of images) {
    file = image;
    open();
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(everything(remaining)).toEqual(before);
    writer.compactor.begin();
    while (writer.compactor.step());
    expect(state.state).toBe('done');
    expect(everything(remaining)).toEqual(before);
    writer.close();
  }
  [file, db, writer] = [ownFile, ownDb, ownWriter];
});

it('can be cancelled halfway, keeps its progress, and can be started again', () => {
  const remaining = [...seeded.remaining];
  const before = everything(remaining);
  endStepsAfterOnePiece();
  writer.compactor.begin();
  for (let steps = 0; steps < 50; steps++) expect(writer.compactor.step()).toBe(true);
  writer.compactor.cancel();
  expect(state).toMatchObject({ state: 'stopped' });
  expect(writer.compactor.step()).toBe(false);
  expect(count('SELECT count(*) FROM sqlite_temp_schema')).toBe(0);
  vi.restoreAllMocks();
  writer.compactor.begin();
  while (writer.compactor.step());
  expect(state).toMatchObject({ state: 'done' });
  expect(everything(remaining)).toEqual(before);
});

it('a file of an earlier version is rewritten at the next start', () => {
  const remaining = [...seeded.remaining];
  const before = everything(remaining);
  writer.close();
  // As earlier versions created it; too large to be rewritten without a request.
  const old = openWriter(file);
  old.exec('CREATE TABLE filler (data BLOB); INSERT INTO filler VALUES (zeroblob(40000000)); PRAGMA journal_mode = DELETE');
  old.exec('PRAGMA auto_vacuum = NONE; VACUUM; DROP TABLE filler');
  old.close();
  open();
  expect(rebuildIfDue(db)).toBeNull();
  expect(db.pragma('auto_vacuum', { simple: true })).toBe(0);
  const size = sizeOf();
  writer.compactor.begin();
  while (writer.compactor.step());
  expect(state).toMatchObject({ state: 'at-next-start', problem: null });
  writer.close();
  open();
  expect(rebuildIfDue(db)).toMatchObject({ state: 'done', problem: null });
  expect(db.pragma('auto_vacuum', { simple: true })).toBe(2);
  expect(sizeOf()).toBeLessThan(size - 30_000_000);
  expect(everything(remaining)).toEqual(before);
  expect(rebuildIfDue(db)).toBeNull();
});
