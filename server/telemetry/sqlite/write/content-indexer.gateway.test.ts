import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { traceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { aChat, aSpan, aTraceId } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { type OpenDatabase, openReader, openWriter } from '../file/open.ts';
import { stored } from '../file/stored-names.ts';
import { createReader } from '../read/reader.ts';
import { ContentIndexer } from './content-indexer.ts';
import { Writer } from './writer.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };

let folder: string;
let file: string;
let db: OpenDatabase;
let writer: Writer;
let indexer: ContentIndexer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-words-'));
  file = join(folder, 'telemetry.db');
  db = openWriter(file);
  writer = new Writer(db, createPricing());
  indexer = new ContentIndexer(db);
});

afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (spans: object[]) => expect(writer.write([{ scope, batch: batchOf(spans) }]).results).toMatchObject([{ outcome: {} }]);
const index = () => {
  while (indexer.step());
};
const count = (sql: string): number => db.prepare<[], number>(sql).pluck().get() ?? 0;
const indexed = () => count('SELECT coalesce(sum(last - first + 1), 0) FROM content_segment');

/** Ids of the traces that match a filter, read on a connection of its own. */
function found(filter: string): string[] {
  const reader = openReader(file);
  try {
    const answer = createReader(reader, 60_000)('traces.list', [scope, traceQuery.parse({ filter, limit: 1000 })]);
    const ids = answer.value.map(({ id }) => id).sort();
    expect(answer.total).toBe(ids.length);
    return ids;
  } finally {
    reader.close();
  }
}

describe('the full-text index', () => {
  it('gives the same results as a scan while it is missing, behind or complete', () => {
    const question = (at: number) => `please ${at % 3 === 0 ? 'refund' : 'ship'} order number${at}`;
    const ids = Array.from({ length: 90 }, () => aTraceId());
    const filters = ['input contains refund', 'input contains "number7"', 'input contains "order number1"', 'input not contains refund'];
    const expected = filters.map((filter) => {
      const phrase = filter.slice(filter.indexOf('contains') + 9).replaceAll('"', '');
      return ids.filter((_, at) => question(at).includes(phrase) !== filter.includes('not')).sort();
    });
    write(ids.slice(0, 60).map((traceId, at) => aChat({ traceId, ask: question(at) })));
    expect(indexed()).toBe(0);
    const before = filters.map(found);
    index();
    expect(indexed()).toBe(60);
    expect(filters.map(found)).toEqual(before);
    write(ids.slice(60).map((traceId, at) => aChat({ traceId, ask: question(at + 60) })));
    expect(filters.map(found)).toEqual(expected);
    index();
    expect(indexed()).toBe(90);
    expect(filters.map(found)).toEqual(expected);
  });

  it('follows a span whose content changes', () => {
    const ids = { traceId: aTraceId(), spanId: 'ab'.repeat(8) };
    const spanWith = (input: string) => aSpan({ ...ids, attributes: { 'agentmark.input': input, 'agentmark.span.kind': 'function' } });
    write([{ ...spanWith('draft'), endTimeUnixNano: '0' }, aChat({ ask: 'other' })]);
    index();
    write([spanWith('final')]);
    expect([found('input contains draft'), found('input contains final')]).toEqual([[], [ids.traceId]]);
    index();
    expect([found('input contains draft'), found('input contains final')]).toEqual([[], [ids.traceId]]);
    expect(count('SELECT count(*) FROM content_stale')).toBe(1);
  });

  it('is rebuilt where many spans have changed', () => {
    const ids = Array.from({ length: 80 }, (_, at) => ({ traceId: aTraceId(), spanId: (0xa000 + at).toString(16).padStart(16, 'a') }));
    write(ids.map((id) => ({ ...aSpan({ ...id, attributes: { 'agentmark.input': 'draft' } }), endTimeUnixNano: '0' })));
    index();
    // After a restart the indexer does not continue this segment, because it is no longer the newest.
    db.prepare('UPDATE content_segment SET last = first + 4095').run();
    indexer = new ContentIndexer(db);
    index();
    write(ids.map((id) => aSpan({ ...id, attributes: { 'agentmark.input': 'final' } })));
    expect(count('SELECT count(*) FROM content_stale')).toBe(80);
    index();
    expect(count('SELECT count(*) FROM content_stale')).toBe(0);
    expect([found('input contains draft').length, found('input contains final').length]).toEqual([0, 80]);
  });

  it('finds text in embedded bytes and beside them', () => {
    const [withImage, other] = [aTraceId(), aTraceId()];
    const base64 = `${'QUJD'.repeat(40)}needle${'REVG'.repeat(40)}`;
    const message = JSON.stringify([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'file', mediaType: 'image/png', data: base64 },
        ],
      },
    ]);
    write([aChat({ traceId: withImage, attributes: { 'gen_ai.input.messages': message } }), aChat({ traceId: other, ask: 'look here' })]);
    const filters = [
      'input contains needle',
      'input contains look',
      'input contains "DneedleR"',
      'input contains nothing',
      'input contains "look here"',
    ];
    const scanned = filters.map(found);
    expect(scanned).toEqual([[withImage], [withImage, other].sort(), [withImage], [], [other]]);
    index();
    expect(filters.map(found)).toEqual(scanned);
  });

  it('is ignored and replaced when it has another index version', () => {
    const traceId = aTraceId();
    write([aChat({ traceId, ask: 'hello' })]);
    index();
    db.prepare(`UPDATE content_segment SET ${stored.indexVersion} = 'another'`).run();
    db.prepare("UPDATE content_words SET words = x'00'").run();
    expect(found('input contains hello')).toEqual([traceId]);
    new ContentIndexer(db).step();
    expect(count('SELECT count(*) FROM content_segment')).toBe(0);
  });

  it('continues after a restart with an incomplete segment', () => {
    write([aChat({ ask: 'first' })]);
    index();
    indexer = new ContentIndexer(db);
    write([aChat({ ask: 'second' })]);
    index();
    expect(indexed()).toBe(2);
    expect(count('SELECT count(*) FROM content_segment')).toBe(1);
    expect([found('input contains first').length, found('input contains second').length]).toEqual([1, 1]);
  });
});
