/** `score__name` in filters, where scores and spans arrive in any order: what a reader caches never hides one that arrived later. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.stop());

const score = (resource_id: string, value: number) => gateway.client.scores.create({ body: { resource_id, name: 'late', score: value } });
const total = async (of: 'traces' | 'spans', filter: string) => {
  const response = await gateway.fetch(`/v1/${of}?filter=${encodeURIComponent(filter)}`);
  return ((await response.json()) as { pagination: { total: number } }).pagination.total;
};
const totals = async (filter: string) => [await total('traces', filter), await total('spans', filter)];

test('a score of a span that is not stored yet counts once it is, in every trace with that id', async () => {
  const spanId = aSpanId();
  await score(spanId, 1);
  expect(await totals('score__late > 0')).toEqual([0, 0]);
  await gateway.ingest(aRequest([aSpan({ spanId }), aSpan()]));
  expect(await totals('score__late > 0')).toEqual([1, 1]);
  await gateway.ingest(aRequest([aSpan({ spanId })]));
  expect(await totals('score__late > 0')).toEqual([2, 2]);
});

test('a score that arrives long after its span is found, and only the latest one counts', async () => {
  const [traceId, spanId] = [aTraceId(), aSpanId()];
  await gateway.ingest(aRequest([aSpan({ traceId, spanId }), aSpan()]));
  await score(aSpanId(), 1);
  expect(await totals('score__late > 0')).toEqual([0, 0]);
  await score(spanId, 1);
  expect(await totals('score__late > 0')).toEqual([1, 1]);
  await score(spanId, 0);
  expect(await totals('score__late > 0')).toEqual([0, 0]);
  await score(traceId, 1);
  expect(await totals('score__late > 0')).toEqual([1, 0]);
});
