import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scoreQuery } from '../../../../shared/contract/evaluation/scores.ts';
import { sessionQuery } from '../../../../shared/contract/tracing/sessions.ts';
import { traceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { aChat, aSpanId, aTraceId, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { type OpenDatabase, openReader, openWriter } from '../file/open.ts';
import { type ArgsOf, readOnce } from '../fixtures/read-once.ts';
import type { ReadMethod } from '../read/read-calls.ts';
import { textReuseBlocks } from './text-store.ts';
import { Writer } from './writer.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
const dayMs = 24 * 3600 * 1000;
const keepDays = 7;

let folder: string;
let file: string;
let db: OpenDatabase;
let writer: Writer;
let now: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-retention-'));
  file = join(folder, 'telemetry.db');
  db = openWriter(file);
  now = testEpochMs;
  writer = new Writer(db, createPricing(), () => now);
});

afterEach(() => {
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

const onDay = (day: number): number => testEpochMs + day * dayMs;
/** Long enough to be stored as a text of its own. */
const longText = (word: string): string => `${word} `.repeat(2000);

interface Sent {
  traceId: string;
  spanId: string;
}

function send(day: number, { traceId = aTraceId(), ask = 'hello', session = '' } = {}): Sent {
  const ids = { traceId, spanId: aSpanId() };
  const attributes = session ? { 'session.id': session } : {};
  const { results } = writer.write([{ scope, batch: batchOf([aChat({ ...ids, ask, attributes })], onDay(day)) }]);
  expect(results).toMatchObject([{ outcome: { accepted: 1 } }]);
  return ids;
}

function score(resource_id: string, id: string, scoreScope = scope): void {
  const row = {
    id,
    resource_id,
    name: 'q',
    score: 1,
    label: '',
    reason: '',
    source: 'api',
    created_at: new Date(now).toISOString(),
  } as const;
  writer.write([{ scope: scoreScope, change: { insert: [row], remove: [], attribution: null } }]);
}

function keepOnly(day: number, max_bytes: number | null = null): void {
  now = onDay(day);
  writer.retention.setRule({ keep_days: max_bytes === null ? keepDays : null, max_bytes });
  while (writer.retention.step());
}

/** Reads on a connection of its own, as readers do. */
function read<M extends ReadMethod>(method: M, ...args: ArgsOf<M>) {
  const reader = openReader(file);
  try {
    return readOnce(reader, scope, method, ...args);
  } finally {
    reader.close();
  }
}
const listed = () =>
  read('traces.list', traceQuery.parse({ limit: 1000 }))
    .map(({ id }) => id)
    .sort();
const rawOf = ({ traceId, spanId }: Sent) => read('spans.raw', traceId, spanId);
const count = (sql: string): number => db.prepare<[], number>(sql).pluck().get() ?? 0;
const sessions = () => read('sessions.list', sessionQuery.parse({})).map(({ id }) => id);

describe('by age', () => {
  it('older traces are removed with their scores and sessions', () => {
    const [old, young] = [send(0, { session: 'old' }), send(9, { session: 'young' })];
    score(old.traceId, 'a');
    score(old.spanId, 'b');
    score(young.spanId, 'c');
    keepOnly(10);
    expect(listed()).toEqual([young.traceId]);
    expect(read('traces.find', old.traceId, { graph: false, scores: false })).toBeNull();
    expect(sessions()).toEqual(['young']);
    expect(read('scores.list', scoreQuery.parse({})).map(({ id }) => id)).toEqual(['c']);
    expect(read('maintenance.storage')).toMatchObject({ traces: 1, spans: 1, sessions: 1, scores: 1 });
    expect([count('SELECT count(*) FROM span'), count('SELECT count(*) FROM block')]).toEqual([1, 1]);
    expect(count('SELECT count(*) FROM all_trace_terms WHERE trace NOT IN (SELECT id FROM trace)')).toBe(0);
  });

  it('keeps data of another tenant with the same ids', () => {
    const another = { tenant_id: 'another', app_id: 'app' };
    const old = send(0);
    writer.write([{ scope: another, batch: batchOf([aChat(old)], onDay(9)) }]);
    score(old.traceId, 'ours');
    score(old.traceId, 'theirs', another);
    send(9);
    keepOnly(10);
    expect(db.prepare('SELECT score_id FROM score').pluck().all()).toEqual(['theirs']);
    expect(count('SELECT count(*) FROM span')).toBe(2);
  });

  it.each(['root', 'b7ad6b7169203331', 'E4B9A150-1C56-4BD6-9E6F-2A51F0F8D7C1'])(
    'a score of %s stays while any trace has a span of that id',
    (spanId) => {
      const [first, other, young] = [aTraceId(), aTraceId(), aTraceId()];
      for (const [traceId, day] of [
        [first, 0],
        [other, 0],
        [young, 9],
      ] as const)
        writer.write([{ scope, batch: batchOf([aChat({ traceId, spanId })], onDay(day)) }]);
      score(spanId, 'of all three');
      score(first, 'of the first');
      const scores = () => read('scores.list', scoreQuery.parse({})).map(({ id }) => id);
      send(9);
      keepOnly(10);
      expect([listed().includes(young), scores()]).toEqual([true, ['of all three']]);
      send(30);
      keepOnly(31);
      expect([listed().includes(young), scores()]).toEqual([false, []]);
    },
  );

  it('without a limit nothing is removed', () => {
    const sent = [send(0), send(9)];
    now = onDay(100_000);
    expect(writer.retention.step()).toBe(false);
    writer.retention.setRule({ keep_days: null, max_bytes: null });
    expect(writer.retention.step()).toBe(false);
    expect(listed()).toEqual(sent.map(({ traceId }) => traceId).sort());
  });

  it('continues past a damaged record, and keeps every text that it may need', () => {
    const old = send(0, { ask: longText('shared') });
    const traceId = aTraceId();
    const damaged = send(0, { traceId, ask: longText('shared') });
    const intact = send(0, { traceId });
    for (let at = 0; at <= textReuseBlocks; at++) send(1);
    send(9, { traceId });
    const newest = send(9, { ask: longText('newest') });
    const before = [rawOf(damaged), rawOf(intact)];
    const { id, data } = db.prepare('SELECT id, data FROM block WHERE id = (SELECT block FROM span WHERE id = 2)').get() as {
      id: number;
      data: Buffer;
    };
    const write = db.prepare<[Buffer, number]>('UPDATE block SET data = ? WHERE id = ?');
    write.run(Buffer.alloc(data.length), id);
    keepOnly(10);
    expect(listed()).toEqual([traceId, newest.traceId].sort());
    expect(read('traces.find', old.traceId, { graph: false, scores: false })).toBeNull();
    expect(rawOf(intact)).toEqual(before[1]);
    expect(() => rawOf(damaged)).toThrow('damaged');
    write.run(data, id);
    expect(rawOf(damaged)).toEqual(before[0]);
  });

  it('a trace with a recent span stays complete', () => {
    const traceId = aTraceId();
    const [first, other] = [send(0, { traceId, ask: longText('shared') }), send(0, { ask: longText('shared') })];
    const last = send(9, { traceId });
    const newest = send(9);
    const before = [rawOf(first), rawOf(last)];
    keepOnly(10);
    expect(listed()).toEqual([traceId, newest.traceId].sort());
    expect(read('traces.find', other.traceId, { graph: false, scores: false })).toBeNull();
    expect([rawOf(first), rawOf(last)]).toEqual(before);
  });

  it('a trace that is sent again after its removal is new', () => {
    const { traceId } = send(0);
    send(9);
    keepOnly(10);
    send(10, { traceId });
    expect(listed()).toContain(traceId);
    expect(read('maintenance.storage')).toMatchObject({ traces: 2, spans: 2 });
  });

  it('the newest trace stays however old it is, so that no id is reused', () => {
    const [, newest] = [send(0), send(0)];
    keepOnly(1000);
    expect(listed()).toEqual([newest.traceId]);
    const row = count('SELECT max(id) FROM span');
    send(1000);
    expect(count('SELECT max(id) FROM span')).toBe(row + 1);
  });

  it('statistics count what a rule would remove, and traces are removed as they age', () => {
    const [, second, third] = [send(0), send(5), send(9)];
    writer.write([{ scope: { tenant_id: 'another', app_id: 'app' }, batch: batchOf([aChat()], onDay(0)) }]);
    const older = [0, 1, 6, 10].map((day) => read('maintenance.older', onDay(day)));
    expect(older).toEqual([0, 1, 2, 3].map((traces) => ({ traces })));
    keepOnly(10);
    expect(read('maintenance.older', onDay(6))).toEqual({ traces: 1 });
    expect(listed()).toEqual([second, third].map(({ traceId }) => traceId).sort());
    now = onDay(13);
    while (writer.retention.step());
    expect(listed()).toEqual([third.traceId]);
  });

  it('unreferenced texts are removed with their blocks, and referenced texts stay byte for byte', () => {
    const old = send(0, { ask: longText('once') });
    const traceId = aTraceId();
    const began = send(0, { traceId, ask: longText('mine') });
    for (let at = 0; at <= textReuseBlocks; at++) send(1);
    send(9, { traceId });
    const young = send(9, { ask: longText('once') });
    const before = [rawOf(young), rawOf(began)];
    keepOnly(10);
    expect(read('traces.find', old.traceId, { graph: false, scores: false })).toBeNull();
    expect([rawOf(young), rawOf(began)]).toEqual(before);
    expect([count('SELECT count(*) FROM chunk'), count('SELECT count(*) FROM block')]).toEqual([2, 3]);
  });
});

it('after any order of arrival, remaining spans read as before and no unneeded block remains', () => {
  const arrivals = fc.array(fc.record({ gap: fc.integer({ min: 0, max: 3 }), trace: fc.nat(7), text: fc.nat(4) }), {
    minLength: 1,
    maxLength: 40,
  });
  const words = ['a', 'b', 'c', 'd', 'short'];
  const ids = (run: number) =>
    Array.from({ length: 8 }, (_, at) => `${run.toString(16).padStart(16, '0')}${at.toString(16).padStart(16, '0')}`);
  let run = 0;
  let day = 0;
  fc.assert(
    fc.property(arrivals, (events) => {
      const traces = ids(++run);
      const sent = events.map(({ gap, trace, text }) => {
        day += gap;
        const word = words[text] as string;
        return { day, ids: send(day, { traceId: traces[trace] as string, ask: text < 4 ? longText(word) : word }) };
      });
      const lastDay = new Map(sent.map((span) => [span.ids.traceId, span.day]));
      // The traces of the newest span and of the newest trace row.
      const newest = [sent.at(-1)?.ids.traceId, [...lastDay.keys()].at(-1)];
      const stays = ({ ids: { traceId } }: (typeof sent)[number]) => newest.includes(traceId) || (lastDay.get(traceId) ?? 0) >= day - 2;
      const before = sent.map((span) => rawOf(span.ids));
      keepOnly(day + keepDays - 2);
      expect(sent.map((span) => rawOf(span.ids))).toEqual(sent.map((span, at) => (stays(span) ? before[at] : null)));
      const needed = 'SELECT block FROM span UNION SELECT block FROM chunk UNION SELECT max(id) FROM block';
      expect(count(`SELECT count(*) FROM block WHERE id NOT IN (${needed})`)).toBe(0);
      expect(count(`SELECT count(*) FROM (${needed}) WHERE block NOT IN (SELECT id FROM block)`)).toBe(0);
    }),
    { numRuns: 30 },
  );
});

describe('by size', () => {
  it('no more is removed than necessary, also where rows and indexes take most of the space', () => {
    const traces = 1000;
    for (let at = 0; at < traces; at += 10)
      writer.write([
        {
          scope,
          batch: batchOf(
            Array.from({ length: 10 }, () => aChat({ ask: 'short' })),
            onDay(0),
          ),
        },
      ]);
    keepOnly(1, Math.round(count('SELECT page_count FROM pragma_page_count') * 4096 * 0.8));
    expect(listed().length / traces).toBeGreaterThan(0.75);
    expect(listed().length / traces).toBeLessThan(0.85);
  });

  it('the oldest traces are removed until the rest fits', () => {
    const random = (seed: number) =>
      Array.from({ length: 4000 }, (_, at) => Math.imul(seed + 1, 2654435761 + at * 40503).toString(36)).join('');
    const sent = Array.from({ length: 60 }, (_, at) => send(0, { ask: random(at) }));
    const used = () =>
      count('SELECT (SELECT page_count FROM pragma_page_count) - (SELECT freelist_count FROM pragma_freelist_count)') * 4096;
    const max_bytes = Math.round(used() * 0.7);
    keepOnly(1, max_bytes);
    const remaining = listed();
    expect(remaining.length).toBeLessThan(50);
    expect(remaining.length).toBeGreaterThan(20);
    expect(remaining).toEqual(
      sent
        .slice(-remaining.length)
        .map(({ traceId }) => traceId)
        .sort(),
    );
  });
});

describe('a large trace', () => {
  const size = 650;

  it('disappears from lists and sums in the first step, and is deleted a few spans at a time', () => {
    const traceId = aTraceId();
    const attributes = { 'session.id': 'large' };
    const spans = Array.from({ length: size }, () => aChat({ traceId, spanId: aSpanId(), attributes }));
    writer.write([{ scope, batch: batchOf(spans, onDay(0)) }]);
    const young = send(9, { session: 'young' });
    const spansLeft = () => count(`SELECT count(*) FROM span WHERE trace = (SELECT min(id) FROM trace)`);
    now = onDay(10);
    writer.retention.setRule({ keep_days: keepDays, max_bytes: null });
    let clock = 0;
    // A fast clock ends each step after one piece.
    vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000));
    while (spansLeft() === size) writer.retention.step();
    for (let before = size; spansLeft() > 1; before = spansLeft()) {
      expect(before - spansLeft()).toBeLessThanOrEqual(200);
      expect(listed()).toEqual([young.traceId]);
      expect(sessions()).toEqual(['young']);
      writer.retention.step();
    }
    while (writer.retention.step());
    expect(count('SELECT count(*) FROM trace')).toBe(1);
    expect(db.prepare('SELECT trace_count, span_count FROM scope').get()).toEqual({ trace_count: 1, span_count: 1 });
    expect(count('SELECT removed_traces FROM retention')).toBe(1);
    vi.restoreAllMocks();
  });

  it('that receives a span during its removal keeps the remaining spans, with correct counts', () => {
    const traceId = aTraceId();
    writer.write([
      {
        scope,
        batch: batchOf(
          Array.from({ length: size }, () => aChat({ traceId, spanId: aSpanId() })),
          onDay(0),
        ),
      },
    ]);
    send(9);
    now = onDay(10);
    writer.retention.setRule({ keep_days: keepDays, max_bytes: null });
    let clock = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000));
    const spansLeft = () => count('SELECT count(*) FROM span');
    while (spansLeft() === size + 1) writer.retention.step();
    send(10, { traceId });
    while (writer.retention.step());
    vi.restoreAllMocks();
    const spans = spansLeft();
    expect(spans).toBeLessThan(size);
    expect(listed()).toContain(traceId);
    expect(db.prepare('SELECT trace_count, span_count FROM scope').get()).toEqual({ trace_count: 2, span_count: spans });
    expect(count('SELECT sum(span_count) FROM trace')).toBe(spans);
  });
});
