import { expect, it } from 'vitest';
import { aSpan } from '../../shared/fixtures/otlp.ts';
import type { Allowance } from '../ingest/allowance.ts';
import { pack } from '../ingest/prepare/pack.ts';
import { batchOf } from '../telemetry/conformance/batch-of.ts';
import type { SentRequest } from '../telemetry/store-requests.ts';
import { BatchLoad, waitOf } from './answer-wait.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
const limits = { waitMs: 1500, busyWaitMs: 50 };
const aBatch = (allowance: Allowance | null = null): SentRequest => ({ kind: 'batch', scope, batch: pack(batchOf([aSpan()])), allowance });

it('the senders of many batches wait less, and longer again a second later', () => {
  let nowMs = 0;
  const load = new BatchLoad(() => nowMs);
  const next = (ms: number) => {
    nowMs += ms;
    return waitOf(aBatch(), limits, load).ms;
  };
  expect([0, 100, 100, 100, 100, 100].map(next)).toEqual([1500, 1500, 1500, 1500, 50, 50]);
  expect([1000, 250, 250, 250, 240].map(next)).toEqual([1500, 1500, 1500, 1500, 50]);
  expect([1000, ...Array(9).fill(250)].map(next)).toEqual(Array(10).fill(1500));
});

it('what a quota may refuse waits for its result, as does what is no batch', () => {
  const load = new BatchLoad(() => 0);
  for (let count = 0; count < 10; count++) load.countOne();
  expect(waitOf(aBatch(), limits, load)).toEqual({ ms: 50, count: 1, hasLimit: false, isPatient: false });
  expect(waitOf(aBatch({ monthly_spans: null, storage_bytes: null }), limits, load)).toMatchObject({ ms: 50 });
  expect(waitOf(aBatch({ monthly_spans: 10, storage_bytes: null }), limits, load)).toMatchObject({
    ms: 1500,
    hasLimit: true,
    isPatient: true,
  });
  expect(waitOf({ kind: 'erasure', scope }, limits, load)).toEqual({ ms: 15_000, count: null, hasLimit: false, isPatient: true });
});

it('the senders wait less while results are late, until they come in time again', () => {
  let nowMs = 0;
  const load = new BatchLoad(() => nowMs);
  const next = (resultMs: number) => {
    nowMs += 1000;
    load.noteResult(resultMs);
    return waitOf(aBatch(), limits, load).ms;
  };
  expect([200, 200, 200, 200].map(next)).toEqual([1500, 1500, 1500, 1500]);
  expect([1000, 1000, 1000].map(next)).toEqual([50, 50, 50]);
  expect(Array.from({ length: 8 }, () => next(100)).at(-1)).toBe(1500);
});
