/** What deleting traces leaves in the file, and what a kill in the middle leaves undone. What can be read is in conformance/deletions.ts. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { spanQuery } from '../../../../shared/contract/tracing/spans.ts';
import { traceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { aChat, aSpanId, aTraceId, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { inflateZstd } from '../../../platform/zstd.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { ColumnMaker } from '../columns/column-maker.ts';
import { type OpenDatabase, openReader, openWriter } from '../file/open.ts';
import { type ArgsOf, readOnce } from '../fixtures/read-once.ts';
import type { ReadMethod } from '../read/read-calls.ts';
import { SignatureMaker } from '../signatures/signature-maker.ts';
import { RollupCheck, rollupKinds } from './rollup-check.ts';
import { emptyLog } from './write-log.ts';
import { Writer } from './writer.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
const unlimited = { monthly_spans: null, storage_bytes: null };

let folder: string;
let file: string;
let db: OpenDatabase;
let writer: Writer;
let signatures: SignatureMaker;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-deletions-'));
  file = join(folder, 'telemetry.db');
  open();
});
afterEach(() => {
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): void {
  db = openWriter(file);
  // Hundreds of commits, none of which has to survive a power cut.
  db.pragma('synchronous = OFF');
  writer = new Writer(db, createPricing(), () => testEpochMs);
  signatures = new SignatureMaker(db);
}

interface Sent {
  traceId: string;
  spanId: string;
}

/** Sends a trace whose word is in everything that is stored of it, and a long text that all traces share. */
function send(word: string, spans = 1): Sent {
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  const attributes = {
    'session.id': `session ${word}`,
    'user.id': `user ${word}`,
    'agentmark.session_name': `called ${word}`,
    'agentmark.tags': JSON.stringify([`tag ${word}`]),
    [`agentmark.metadata.key_${word}`]: `value ${word}`,
  };
  const shared = 'a system prompt that everybody has '.repeat(200);
  const chat = (parts: object) =>
    aChat({ name: `name ${word}`, ask: `${shared}`, reply: `long ${word} `.repeat(1000), attributes, ...parts });
  const more = Array.from({ length: spans - 1 }, () => chat({ traceId: ids.traceId, parentSpanId: ids.spanId }));
  writer.write([{ scope, batch: batchOf([chat(ids), ...more], testEpochMs), allowance: unlimited }]);
  const score = { id: `score ${ids.spanId}`, name: `score ${word}`, score: 1, label: word, reason: word, source: 'api' as const };
  const insert = [{ ...score, resource_id: ids.spanId, created_at: new Date(testEpochMs).toISOString() }];
  writer.write([{ scope, change: { insert, remove: [], attribution: null } }]);
  return ids;
}

function read<M extends ReadMethod>(method: M, ...args: ArgsOf<M>) {
  const reader = openReader(file);
  try {
    return readOnce(reader, scope, method, ...args);
  } finally {
    reader.close();
  }
}
const readAll = (sent: readonly Sent[]) => [
  read('traces.list', traceQuery.parse({ limit: 1000 })),
  sent.map(({ traceId, spanId }) => [read('spans.raw', traceId, spanId), read('traces.find', traceId, { graph: false, scores: true })]),
];

const rowOf = ({ traceId }: Sent): number =>
  db.prepare<[string], number>('SELECT id FROM trace WHERE trace_id = unhex(?)').pluck().get(traceId) ?? 0;

function accept(id: string, sent: readonly Sent[]): void {
  writer.beginDeletion(scope, id);
  writer.addToDeletion(scope, id, sent.map(rowOf));
  writer.deletions.accept(id, '[]');
}

const count = (sql: string): number => db.prepare<[], number>(sql).pluck().get() ?? 0;
const removeAll = () => {
  while (writer.deletions.removeStep());
};

/** Everything that idle time does. */
function finish(): void {
  removeAll();
  signatures.forget();
  while (writer.deletions.eraseStep());
  const columns = new ColumnMaker(db);
  for (let isMore = true; isMore; ) {
    while (columns.step());
    while (signatures.step());
    isMore = writer.deletions.finishStep(() => emptyLog(db));
  }
}

/** Bytes of the files of the store, with what is in blocks and signatures. */
function storedBytes(): string {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  const blocks = db.prepare<[], { size: number; data: Buffer }>('SELECT size, data FROM block').all();
  const words = db.prepare<[], { words: Buffer }>('SELECT words FROM signature').all();
  return [
    ...files,
    ...blocks.map(({ size, data }) => inflateZstd(data, size).toString('latin1')),
    ...words.map(({ words }) => inflateZstd(words.subarray(4), words.readUInt32LE(0)).toString('latin1')),
  ].join('\n');
}

function expectRight(): void {
  const check = new RollupCheck(db);
  for (const kind of rollupKinds) expect([...check.findWrong(kind)]).toEqual([]);
  const scoped = count('SELECT id FROM scope');
  expect(count(`SELECT count(*) FROM trace WHERE scope = ${scoped}`)).toBe(count(`SELECT trace_count FROM scope`));
}

it('the files hold no word of deleted traces, and every word of the others', () => {
  const sent = Array.from({ length: 40 }, (_, at) => send(at % 3 === 0 ? `zebrafinch${at}` : `sparrow${at}`, 3));
  const gone = sent.filter((_, at) => at % 3 === 0);
  const kept = sent.filter((_, at) => at % 3 !== 0);
  while (signatures.step());
  expect(storedBytes()).toContain('zebrafinch');
  const before = readAll(kept)[1];
  accept('first', gone);
  finish();
  expect(read('deletions.find', 'first')).toMatchObject({ state: 'done', traces: gone.length, removed_traces: gone.length });
  const bytes = storedBytes();
  expect(bytes).not.toContain('zebrafinch');
  for (const { traceId } of gone) expect(bytes).not.toContain(Buffer.from(traceId, 'hex').toString('latin1'));
  for (let at = 0; at < 40; at++) if (at % 3 !== 0) expect(bytes).toContain(`sparrow${at}`);
  expect(readAll(kept)[1]).toEqual(before);
  expectRight();
});

it('the newest trace, with the newest span, text and names, is erased, and no id is used again', () => {
  const kept = send('sparrow');
  const gone = send('zebrafinch');
  const newest = ['trace', 'span', 'chunk', 'block', 'term', 'document'].map((table) => count(`SELECT max(id) FROM ${table}`));
  accept('first', [gone]);
  finish();
  expect(storedBytes()).not.toContain('zebrafinch');
  send('robin');
  const after = ['trace', 'span', 'chunk', 'block', 'term', 'document'].map((table) => count(`SELECT max(id) FROM ${table}`));
  for (const [at, id] of after.entries()) expect(id).toBeGreaterThan(newest[at] as number);
  expect(read('traces.find', kept.traceId, { graph: false, scores: true })).not.toBeNull();
  expectRight();
});

it('a kill at any step leaves a deletion that the next start finishes', () => {
  const sent = Array.from({ length: 12 }, (_, at) => send(at < 6 ? `zebrafinch${at}` : `sparrow${at}`, 2));
  const kept = sent.slice(6);
  const before = readAll(kept)[1];
  accept('first', sent.slice(0, 6));
  for (let steps = 1; steps < 30; steps++) {
    for (let at = 0; at < steps && (writer.deletions.removeStep() || writer.deletions.eraseStep()); at++);
    expect(readAll(kept)[1]).toEqual(before);
    writer.close();
    open();
  }
  finish();
  expect(read('deletions.find', 'first')).toMatchObject({ state: 'done', removed_traces: 6 });
  expect(storedBytes()).not.toContain('zebrafinch');
  expectRight();
});

it('what was not accepted before a kill is not deleted', () => {
  const sent = send('sparrow');
  writer.beginDeletion(scope, 'first');
  writer.addToDeletion(scope, 'first', [rowOf(sent)]);
  writer.close();
  open();
  removeAll();
  expect(read('traces.find', sent.traceId, { graph: false, scores: true })).not.toBeNull();
  expect(read('deletions.find', 'first')).toBeNull();
  accept('second', [sent]);
  removeAll();
  expect(read('traces.find', sent.traceId, { graph: false, scores: true })).toBeNull();
});

it('a text that spans share while it is being erased stays', () => {
  const gone = send('zebrafinch');
  send('sparrow');
  accept('first', [gone]);
  removeAll();
  const again: Sent[] = [];
  // Each sends the text of the deleted trace once more, in between two steps.
  for (let at = 0; writer.deletions.eraseStep(); at++) if (at < 5) again.push(send('zebrafinch'));
  finish();
  for (const { traceId, spanId } of again) expect(JSON.stringify(read('spans.raw', traceId, spanId))).toContain('long zebrafinch');
  expect(count('SELECT count(*) FROM chunk')).toBeGreaterThan(1);
});

it('a span that arrives for an accepted trace makes a new one, which stays', () => {
  const gone = send('zebrafinch', 3);
  accept('first', [gone]);
  const spanId = aSpanId();
  writer.write([{ scope, batch: batchOf([aChat({ traceId: gone.traceId, spanId, name: 'late' })], testEpochMs), allowance: unlimited }]);
  finish();
  expect(read('traces.find', gone.traceId, { graph: false, scores: true })).toMatchObject({ spans: [{ id: spanId }] });
  expect(storedBytes()).not.toContain('zebrafinch');
  expectRight();
});

it('while rows are removed, reads find valid ids and no damage, and nothing of the traces waits to be forwarded', () => {
  writer.forward.begin(scope, 'acme', false);
  // How much a step removes depends on its time: enough for several steps.
  const gone = Array.from({ length: 6 }, () => send('zebrafinch', 500));
  const kept = send('sparrow');
  accept('first', gone);
  const all = count('SELECT count(*) FROM span');
  const left: number[] = [];
  while (writer.deletions.removeStep()) {
    left.push(count('SELECT count(*) FROM span'));
    const spans = read('spans.list', spanQuery.parse({ limit: 500 }));
    expect(spans.every(({ trace_id }) => /^[0-9a-f]{32}$/.test(trace_id))).toBe(true);
    // First all traces lose their ids, some a step; only then are rows removed.
    if (left.at(-1) === all) continue;
    expect(read('traces.list', traceQuery.parse({})).map(({ id }) => id)).toEqual([kept.traceId]);
    expect(count(`SELECT count(*) FROM outgoing WHERE kind = 1`)).toBe(1);
  }
  expect(new Set(left).size).toBeGreaterThan(2);
  expect(read('spans.list', spanQuery.parse({})).map(({ trace_id }) => trace_id)).toEqual([kept.traceId]);
});
