import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AttributeInput,
  anyValue,
  aRequest,
  aSpan,
  aSpanId,
  aTraceId,
  attributeList,
  testEpochMs,
} from '../../../shared/fixtures/otlp.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const judgement = { 'gen_ai.evaluation.name': 'Relevance', 'gen_ai.evaluation.score.value': 0.75 };
const explanation = { 'gen_ai.evaluation.score.label': 'relevant', 'gen_ai.evaluation.explanation': 'It answers what was asked.' };
const atNs = `${BigInt(testEpochMs) * 1_000_000n}`;

const event = (attributes: Record<string, AttributeInput>, timeUnixNano = atNs) => ({
  name: 'gen_ai.evaluation.result',
  timeUnixNano,
  attributes: attributeList(attributes),
});

function evaluatedSpan(...events: object[]) {
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  return { ...ids, span: { ...aSpan({ ...ids, name: 'chat gpt-4o' }), events } };
}

const scoresOf = async (resource_id: string) => (await gateway.client.scores.list({ query: { resource_id } })).data;

const sendLogs = async (records: object[]) => {
  const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ scope: { name: 'judge' }, logRecords: records }] }] });
  const response = await gateway.fetch('/v1/logs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  return { status: response.status, body: await response.json() };
};

const aRecord = (ids: object, attributes: Record<string, AttributeInput>, more: object = {}) => ({
  ...ids,
  timeUnixNano: atNs,
  eventName: 'gen_ai.evaluation.result',
  attributes: attributeList(attributes),
  ...more,
});

const expectedScore = {
  name: 'Relevance',
  score: 0.75,
  label: 'relevant',
  reason: 'It answers what was asked.',
  source: 'api',
  created_at: new Date(testEpochMs).toISOString(),
};

describe('gen_ai.evaluation.result', () => {
  test('as an event of a span is a score of the span, once however often it is sent', async () => {
    const { spanId, traceId, span } = evaluatedSpan(event({ ...judgement, ...explanation }));
    for (let round = 0; round < 3; round++) expect((await gateway.ingest(aRequest([span]))).status).toBe(200);
    expect(await scoresOf(spanId)).toEqual([{ id: expect.any(String), resource_id: spanId, ...expectedScore }]);
    const { data } = await gateway.client.traces.get({ params: { traceId }, query: { fields: 'scores' } });
    expect(data.scores).toMatchObject([{ resource_id: spanId, name: 'Relevance', score: 0.75 }]);
  });

  test('several judgements of one span are a score each', async () => {
    const later = `${BigInt(testEpochMs + 5) * 1_000_000n}`;
    const { spanId, span } = evaluatedSpan(
      event({ ...judgement, ...explanation }),
      event({ ...judgement, 'gen_ai.evaluation.name': 'Tone' }),
      event({ ...judgement, 'gen_ai.evaluation.score.value': 1 }, later),
    );
    await gateway.ingest(aRequest([span]));
    expect((await scoresOf(spanId)).map(({ name, score }) => [name, score])).toEqual([
      ['Relevance', 1],
      ['Tone', 0.75],
      ['Relevance', 0.75],
    ]);
  });

  test.each(['before', 'after'])('as a log record that arrives %s its span is the same score', async (when) => {
    const { spanId, traceId, span } = evaluatedSpan();
    if (when === 'after') await gateway.ingest(aRequest([span]));
    const record = aRecord({ traceId, spanId }, { ...judgement, ...explanation });
    for (let round = 0; round < 2; round++) expect((await sendLogs([record])).status).toBe(200);
    if (when === 'before') await gateway.ingest(aRequest([span]));
    expect(await scoresOf(spanId)).toEqual([{ id: expect.any(String), resource_id: spanId, ...expectedScore }]);
  });

  test('a record may carry it in its body', async () => {
    const { spanId, traceId } = evaluatedSpan();
    await sendLogs([aRecord({ traceId, spanId }, {}, { body: anyValue({ ...judgement, ...explanation }) })]);
    expect(await scoresOf(spanId)).toMatchObject([expectedScore]);
  });

  test('a label that says pass or fail stands for a number', async () => {
    const { spanId, span } = evaluatedSpan(
      event({ 'gen_ai.evaluation.name': 'A', 'gen_ai.evaluation.score.label': 'Pass' }),
      event({ 'gen_ai.evaluation.name': 'B', 'gen_ai.evaluation.score.label': 'not_relevant' }),
    );
    await gateway.ingest(aRequest([span]));
    expect((await scoresOf(spanId)).map(({ name, score, label }) => [name, score, label]).toSorted()).toEqual([
      ['A', 1, 'Pass'],
      ['B', 0, 'not_relevant'],
    ]);
  });

  test('one that cannot be a score is reported to its sender, and its span is stored', async () => {
    const { spanId, traceId, span } = evaluatedSpan(event({ 'gen_ai.evaluation.name': 'Tone', 'gen_ai.evaluation.score.label': 'warm' }));
    const response = await gateway.ingest(aRequest([span]));
    expect(await response.json()).toMatchObject({
      partialSuccess: { rejectedSpans: '0', errorMessage: expect.stringContaining('evaluation Tone has no gen_ai.evaluation.score.value') },
    });
    expect(await scoresOf(spanId)).toEqual([]);
    expect((await gateway.client.traces.get({ params: { traceId }, query: {} })).data.spans).toHaveLength(1);
    expect((await sendLogs([aRecord({ traceId, spanId }, { 'gen_ai.evaluation.score.value': 1 })])).body).toMatchObject({
      partialSuccess: { rejectedLogRecords: '0', errorMessage: expect.stringContaining('without gen_ai.evaluation.name') },
    });
  });

  test('an evaluator that failed produces no score', async () => {
    const { spanId, span } = evaluatedSpan(event({ 'gen_ai.evaluation.name': 'Tone', 'error.type': 'timeout' }));
    expect(await (await gateway.ingest(aRequest([span]))).json()).toEqual({ data: { requestId: expect.any(String) } });
    expect(await scoresOf(spanId)).toEqual([]);
  });

  test('a span that is refused because another has its ids produces no score', async () => {
    const { spanId, traceId, span } = evaluatedSpan();
    await gateway.ingest(aRequest([span]));
    const other = { ...aSpan({ traceId, spanId, name: randomUUID() }), events: [event(judgement)] };
    expect(await (await gateway.ingest(aRequest([other]))).json()).toMatchObject({ partialSuccess: { rejectedSpans: '1' } });
    expect(await scoresOf(spanId)).toEqual([]);
  });

  test('a score survives a restart of the gateway', async () => {
    const { spanId, span } = evaluatedSpan(event({ ...judgement, ...explanation }));
    await gateway.ingest(aRequest([span]));
    await gateway.restart();
    await gateway.ingest(aRequest([span]));
    expect(await scoresOf(spanId)).toMatchObject([expectedScore]);
  });
});
