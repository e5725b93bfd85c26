import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aChat, aSpanId, aTraceId, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { must } from '../../../platform/assert.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import type { OutboxBatch } from '../../forward-store.ts';
import { type OpenDatabase, openReader, openWriter } from '../file/open.ts';
import type { ArgsOf } from '../fixtures/read-once.ts';
import type { ReadAnswer, ReadArgs } from '../read/read-calls.ts';
import { createReader } from '../read/reader.ts';
import { Writer } from '../write/writer.ts';
import type { ForwardRows } from './forward-rows.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
const dayMs = 24 * 3600 * 1000;

let folder: string;
let db: OpenDatabase;
let writer: Writer;
let rows: ForwardRows;
let now: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-forward-'));
  db = openWriter(join(folder, 'telemetry.db'));
  now = testEpochMs;
  writer = new Writer(db, createPricing(), () => now);
  rows = writer.forward;
});
afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

function send(spans: object[], received_ms?: number): void {
  const { results } = writer.write([{ scope, batch: batchOf(spans, received_ms) }]);
  expect(results).toMatchObject([{ outcome: { conflicts: [] } }]);
}

function read<M extends 'forward.next' | 'forward.backlog'>(method: M, ...args: ArgsOf<M>): ReadAnswer<M> {
  const reader = openReader(join(folder, 'telemetry.db'));
  try {
    return createReader(reader, 60_000)(method, [scope, ...args] as unknown as ReadArgs<M>);
  } finally {
    reader.close();
  }
}

type Next = Omit<OutboxBatch, 'items'> & { count: number; spanIds: string[] };

/** The next batch. */
function next(most = 512): Next | null {
  const found = read('forward.next', 'cloud', most, false)?.decode();
  if (!found) return null;
  const { items, ...batch } = found;
  const spanIds = items.flatMap((item) => ('sent' in item && 'span' in item.sent ? item.sent.span.span_id : []));
  return { ...batch, count: items.length, spanIds };
}
const backlog = () => read('forward.backlog', 'cloud');
const none = { count: 0, message: '' };

it('nothing is queued without a destination, and stored spans are queued only on request', () => {
  send([aChat()]);
  expect([next(), backlog()]).toEqual([null, null]);
  rows.begin(scope, 'cloud', false);
  expect([next(), backlog()?.spans]).toEqual([null, 0]);
  rows.end(scope, 'cloud');
  rows.begin(scope, 'cloud', true);
  expect(backlog()).toMatchObject({ spans: 1, sent: 0, dead_letters: 0 });
});

it('spans are queued for the current destinations, also after the last one was removed and after a restart', () => {
  send([aChat()]);
  for (const name of ['cloud', 'other']) rows.begin(scope, name, false);
  rows.end(scope, 'other');
  send([aChat()]);
  expect(backlog()?.spans).toBe(1);
  writer = new Writer(db, createPricing(), () => now);
  send([aChat()]);
  expect(backlog()?.spans).toBe(2);
  rows.end(scope, 'cloud');
  send([aChat()]);
  expect(db.prepare('SELECT count(*) FROM outgoing').pluck().get()).toBe(0);
  rows.begin(scope, 'cloud', false);
  send([aChat()]);
  expect(backlog()?.spans).toBe(1);
});

it('spans are queued in the order of their commits, and removed when they are acknowledged', () => {
  send([aChat()]);
  rows.begin(scope, 'cloud', false);
  const ids = Array.from({ length: 7 }, () => aSpanId());
  for (const spanId of ids) send([aChat({ spanId })]);
  const first = next(3);
  expect(first).toMatchObject({ kind: 'spans', count: 3, spanIds: ids.slice(0, 3) });
  expect(next(3)).toEqual(first);
  rows.ack(scope, 'cloud', first?.to ?? 0, none);
  expect(next()?.spanIds).toEqual(ids.slice(3));
  rows.ack(scope, 'cloud', next()?.to ?? 0, { count: 1, message: 'too old' });
  expect(backlog()).toEqual({ spans: 0, logs: 0, scores: 0, dead_letters: 0, sent: 6, refused: 1, refusal: 'too old' });
});

it('a span that ends after it was sent as running is sent again; a duplicate is not', () => {
  send([aChat()]);
  rows.begin(scope, 'cloud', false);
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  send([{ ...aChat(ids), endTimeUnixNano: '0' }]);
  rows.ack(scope, 'cloud', next()?.to ?? 0, none);
  send([aChat(ids)]);
  expect(next()?.spanIds).toEqual([ids.spanId]);
  rows.ack(scope, 'cloud', next()?.to ?? 0, none);
  send([aChat(ids)]);
  expect(next()).toBeNull();
});

it('scores follow their spans, in batches of their own', () => {
  const spanId = aSpanId();
  send([aChat()]);
  rows.begin(scope, 'cloud', false);
  send([aChat({ spanId })]);
  const texts = { label: '', reason: '', source: 'api', created_at: new Date(0).toISOString() } as const;
  const score = { id: randomUUID(), resource_id: spanId, name: 'q', score: 1, ...texts };
  writer.write([{ scope, change: { insert: [score], remove: [], attribution: null } }]);
  expect(next()).toMatchObject({ kind: 'spans', count: 1 });
  rows.ack(scope, 'cloud', next()?.to ?? 0, none);
  const found = must(read('forward.next', 'cloud', 512, false), 'something waits').decode();
  expect(found).toMatchObject({ kind: 'scores', items: [{ sent: { id: score.id, resource_id: spanId } }] });
});

it('a message that cannot be sent is a dead letter until it is retried', () => {
  send([aChat()]);
  rows.begin(scope, 'cloud', false);
  const ids = [aSpanId(), aSpanId()];
  for (const spanId of ids) send([aChat({ spanId })]);
  rows.deadLetter(scope, 'cloud', next(1)?.to ?? 0, 'no');
  expect(next()?.spanIds).toEqual(ids.slice(1));
  expect(backlog()).toMatchObject({ spans: 1, dead_letters: 1 });
  rows.retryDeadLetters(scope, 'cloud');
  expect(next()?.spanIds).toEqual([ids[1], ids[0]]);
  expect(backlog()?.dead_letters).toBe(0);
});

it('retention keeps queued spans', () => {
  send([aChat()], testEpochMs);
  rows.begin(scope, 'cloud', false);
  const waiting = aSpanId();
  send([aChat({ spanId: waiting })], testEpochMs);
  send([aChat()], testEpochMs + 100 * dayMs);
  now = testEpochMs + 101 * dayMs;
  writer.retention.setRule({ keep_days: 7, max_bytes: null });
  while (writer.retention.step());
  expect(db.prepare('SELECT count(*) FROM trace').pluck().get()).toBe(2);
  expect(next(1)?.spanIds).toEqual([waiting]);
});
