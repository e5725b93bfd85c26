import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spanQuery } from '../../../../shared/contract/tracing/spans.ts';
import { traceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { aChat, aSpan, aTraceId, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { type OpenDatabase, openReader, openWriter } from '../file/open.ts';
import { createReader } from '../read/reader.ts';
import { Writer } from '../write/writer.ts';
import { SignatureMaker } from './signature-maker.ts';
import { blockUnits, groupUnits, unitSpans } from './units.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
const blockSpans = blockUnits * unitSpans;

let folder: string;
let file: string;
let db: OpenDatabase;
let writer: Writer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-signatures-'));
  file = join(folder, 'telemetry.db');
  db = openWriter(file);
  writer = new Writer(db, createPricing());
});

afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (spans: object[]) => expect(writer.write([{ scope, batch: batchOf(spans) }]).results).toMatchObject([{ outcome: {} }]);
const make = () => {
  const maker = new SignatureMaker(db);
  while (maker.step());
};
const count = (sql: string): number => db.prepare<[], number>(sql).pluck().get() ?? 0;
const signedUnits = () => count('SELECT coalesce(sum(units), 0) FROM signature');
const changed = () => count('SELECT count(*) FROM content_change');

/** Moves later spans so far that those before them are in complete units, as if others had come between them. */
const fill = (to = blockSpans) => {
  const filler = batchOf([aChat({ ask: 'filler' })]);
  writer.write([{ scope: { ...scope, app_id: 'filler' }, batch: filler }]);
  db.prepare('UPDATE span SET id = ? WHERE id = (SELECT max(id) FROM span)').run(to);
};

function read<T>(use: (reader: ReturnType<typeof createReader>) => T): T {
  const reader = openReader(file);
  try {
    return use(createReader(reader, 60_000));
  } finally {
    reader.close();
  }
}

/** Ids of the traces that match a filter, read on a connection of its own. */
const found = (filter: string): string[] =>
  read((reader) => {
    const answer = reader('traces.list', [scope, traceQuery.parse({ filter, limit: 1000 })]);
    expect([answer.total, answer.totalIsLowerBound]).toEqual([answer.value.length, false]);
    return answer.value.map(({ id }) => id).sort();
  });

describe('signatures', () => {
  it('give the same results as reading the spans while they are missing, behind or complete', () => {
    const question = (at: number) => `please ${at % 3 === 0 ? 'refund' : 'ship'} order number${at}`;
    const ids = Array.from({ length: 90 }, () => aTraceId());
    const filters = ['input contains refund', 'input contains "number7"', 'input contains "order number1"', 'input not contains refund'];
    const expected = filters.map((filter) => {
      const phrase = filter.slice(filter.indexOf('contains') + 9).replaceAll('"', '');
      return ids.filter((_, at) => question(at).includes(phrase) !== filter.includes('not')).sort();
    });
    write(ids.slice(0, 60).map((traceId, at) => aChat({ traceId, ask: question(at) })));
    fill();
    const before = filters.map(found);
    make();
    expect(signedUnits()).toBe(blockUnits);
    expect(filters.map(found)).toEqual(before);
    write(ids.slice(60).map((traceId, at) => aChat({ traceId, ask: question(at + 60) })));
    expect(filters.map(found)).toEqual(expected);
    fill(groupUnits * unitSpans);
    make();
    expect(signedUnits()).toBe(groupUnits);
    expect(count('SELECT count(*) FROM signature')).toBe(1);
    expect(filters.map(found)).toEqual(expected);
  });

  it('follow a span whose content changes, and forget the change when they are made again', () => {
    const ids = { traceId: aTraceId(), spanId: 'ab'.repeat(8) };
    const spanWith = (input: string) => aSpan({ ...ids, attributes: { 'agentmark.input': input, 'agentmark.span.kind': 'function' } });
    write([{ ...spanWith('draft'), endTimeUnixNano: '0' }, aChat({ ask: 'other' })]);
    fill();
    make();
    write([spanWith('final')]);
    expect([found('input contains draft'), found('input contains final')]).toEqual([[], [ids.traceId]]);
    expect(changed()).toBeGreaterThan(0);
    fill(groupUnits * unitSpans);
    make();
    expect(count(`SELECT count(*) FROM content_change WHERE span < ${groupUnits * unitSpans}`)).toBe(0);
    expect([found('input contains draft'), found('input contains final')]).toEqual([[], [ids.traceId]]);
  });

  it('find text in embedded bytes and beside them', () => {
    const [withImage, other] = [aTraceId(), aTraceId()];
    const base64 = `${'QUJD'.repeat(40)}needle${'REVG'.repeat(40)}`;
    const content = [
      { type: 'text', text: 'look' },
      { type: 'file', mediaType: 'image/png', data: base64 },
    ];
    const message = JSON.stringify([{ role: 'user', content }]);
    write([aChat({ traceId: withImage, attributes: { 'gen_ai.input.messages': message } }), aChat({ traceId: other, ask: 'look here' })]);
    const filters = ['needle', 'look', 'DneedleR', 'nothing', '"look here"'].map((part) => `input contains ${part}`);
    const expected = [[withImage], [withImage, other].sort(), [withImage], [], [other]];
    expect(filters.map(found)).toEqual(expected);
    fill();
    make();
    expect(filters.map(found)).toEqual(expected);
  });

  it('find words in any case, also in encoded bytes that spans share', () => {
    const [plain, encoded, ...sharing] = Array.from({ length: 4 }, () => aTraceId()) as [string, string, string, string];
    const bytesWith = (word: string, times: number) => `${'QuJd'.repeat(times)}${word}${'xYz1'.repeat(times)}`;
    write([
      aChat({ traceId: plain, ask: 'A Needle, in WÖRDERN' }),
      aChat({ traceId: encoded, ask: bytesWith('NeeDle', 40) }),
      ...sharing.map((traceId) => aChat({ traceId, ask: bytesWith('ShaRed', 4000) })),
      aChat({ ask: 'other' }),
    ]);
    const filters = [
      'needle',
      'NEEDLE',
      'dNEEDLEx',
      'wörder',
      'WÖRDER',
      'nothing',
      'shared',
      'input contains Needle',
      'input contains NeeDle',
    ];
    const both = [encoded, plain].sort();
    const expected = [both, both, [encoded], [plain], [plain], [], [...sharing].sort(), [plain], [encoded]];
    expect(filters.map(found)).toEqual(expected);
    fill();
    make();
    expect(filters.map(found)).toEqual(expected);
  });

  it('of another format, or damaged, are ignored', () => {
    const traceId = aTraceId();
    write([aChat({ traceId, ask: 'hello' })]);
    fill();
    make();
    for (const change of ["words = x'00'", 'format = format + 1']) {
      db.prepare(`UPDATE signature SET ${change}`).run();
      expect(found('input contains hello')).toEqual([traceId]);
      expect(found('input contains absent')).toEqual([]);
    }
    make();
    expect(signedUnits()).toBe(blockUnits);
    expect(count('SELECT count(DISTINCT format) FROM signature')).toBe(1);
  });

  it.each([
    ['words', 'input contains question', 60],
    ['words or a field', '"ship 7" or name = refund', 31],
    ['words or fields, and other words', '(ship or name = refund and service = none or name = refund) question', 60],
  ])('keep the order of the list for %s, page by page, across units', (_, filter, number) => {
    const minute = (at: number) => testEpochMs + ((at * 37) % 60) * 60_000;
    const chat = (at: number) => ({
      name: at % 2 ? 'refund' : 'order',
      ask: `question: ${at % 2 ? 'cancel' : 'ship'} ${at === 8 ? 7 : `number${at}`}`,
    });
    write(Array.from({ length: 60 }, (_, at) => aChat({ ...chat(at), startMs: minute(at) })));
    for (const [at, { id }] of db.prepare<[], { id: number }>('SELECT id FROM span ORDER BY id DESC').all().entries())
      db.prepare('UPDATE span SET id = ? WHERE id = ?').run((60 - at) * 40, id);
    fill(blockSpans * 2);
    const page = (offset: number) =>
      read((reader) => reader('spans.list', [scope, spanQuery.parse({ filter, limit: 20, offset })])).value.map(
        ({ timestamp }) => timestamp,
      );
    const pages = () => [
      ...[0, 20, 40].flatMap(page),
      ...read((reader) => reader('traces.list', [scope, traceQuery.parse({ filter, limit: 60 })])).value.map(({ start }) => start),
    ];
    const before = pages();
    for (const list of [before.slice(0, number), before.slice(number)]) expect(list).toEqual([...list].sort().reverse());
    expect(before.length).toBe(2 * number);
    make();
    expect(pages()).toEqual(before);
  });
});
