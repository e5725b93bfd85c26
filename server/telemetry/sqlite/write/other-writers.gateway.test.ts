/** A writer's caches are valid only between its own commits, because another connection may write in between. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sessionQuery } from '../../../../shared/contract/tracing/sessions.ts';
import { traceQuery } from '../../../../shared/contract/tracing/traces.ts';
import { aChat, aSpanId, aTraceId, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { localScope as scope } from '../../../platform/scope.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { openReader, openWriter } from '../file/open.ts';
import { readOnce } from '../fixtures/read-once.ts';
import { Writer } from './writer.ts';

let folder: string;
const writers: Writer[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-others-'));
});
afterEach(() => {
  for (const writer of writers.splice(0)) writer.close();
  rmSync(folder, { recursive: true, force: true });
});

function writerOn(name: string): Writer {
  const writer = new Writer(openWriter(join(folder, name)), createPricing(), () => testEpochMs);
  writers.push(writer);
  return writer;
}

const traces = Array.from({ length: 4 }, () => ({ traceId: aTraceId(), rootId: aSpanId() }));

/** Writes one span of each trace in each round, the writers taking turns, so that names and texts are in the cache of only one of them. */
function writeInTurns(turnWriters: readonly Writer[]): void {
  for (let round = 0; round < 8; round++) {
    const spans = traces.map(({ traceId, rootId }, at) =>
      aChat({
        traceId,
        spanId: round === 0 ? rootId : `${at}${round}`.padStart(16, '0'),
        ...(round === 0 ? {} : { parentSpanId: rootId }),
        name: `call ${round >> 1}`,
        ask: `the same question ${round >> 1} `.repeat(300),
        attributes: { 'session.id': `session ${at % 2}`, 'user.id': `user ${round % 3}` },
      }),
    );
    const { results } = (turnWriters[round % turnWriters.length] as Writer).write([{ scope, batch: batchOf(spans, testEpochMs) }]);
    expect(results).toEqual([{ outcome: expect.objectContaining({ accepted: spans.length }) }]);
  }
}

function read(name: string): unknown {
  const db = openReader(join(folder, name));
  try {
    const answers = [
      readOnce(db, scope, 'traces.list', traceQuery.parse({ limit: 100 })),
      readOnce(db, scope, 'sessions.list', sessionQuery.parse({})),
      ...traces.map(({ traceId }) => readOnce(db, scope, 'traces.find', traceId, { graph: false, scores: false })),
    ];
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    return answers;
  } finally {
    db.close();
  }
}

it('two writers taking turns produce the same store as one writer', () => {
  writeInTurns([writerOn('one.db')]);
  writeInTurns([writerOn('two.db'), writerOn('two.db')]);
  expect(read('two.db')).toEqual(read('one.db'));
  expect(JSON.stringify(read('two.db'))).toMatch(/"span_count":8/);
});
