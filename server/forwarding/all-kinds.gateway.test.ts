/** Forwards all kinds of telemetry from one gateway to another over HTTP, as SDKs send it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyValue, aRequest, aSpan, aSpanId, aTraceId, attributeList, testEpochMs } from '../../shared/fixtures/otlp.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';

let cloud: TestCloud;
let local: TestGateway;

beforeAll(async () => {
  cloud = await startTestCloud();
  local = await startTestGateway();
});
afterAll(async () => {
  await local.stop();
  await cloud.stop();
});

it('spans, log records and scores of a trace are in the cloud', async () => {
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  const { app_id, api_key: key, client } = cloud.tenant;
  await local.client.forwarding.create({ body: { name: 'cloud', url: cloud.url, app_id, key } });
  const judgement = {
    name: 'gen_ai.evaluation.result',
    timeUnixNano: String(BigInt(testEpochMs) * 1_000_000n),
    attributes: attributeList({ 'gen_ai.evaluation.name': 'truth', 'gen_ai.evaluation.score.value': 1 }),
  };
  const span = aSpan({ ...ids, name: 'chat gpt-4o', attributes: { 'gen_ai.operation.name': 'chat' } });
  await local.ingest(aRequest([{ ...span, events: [judgement] }]));
  const record = {
    ...ids,
    timeUnixNano: String(BigInt(testEpochMs) * 1_000_000n),
    body: anyValue({ content: 'Is it raining?' }),
    attributes: attributeList({ 'event.name': 'gen_ai.user.message' }),
  };
  const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] };
  const sent = await local.fetch('/v1/logs', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(logs),
  });
  expect(sent.status).toBe(200);
  await local.client.scores.create({ body: { resource_id: ids.spanId, name: 'tone', score: 0.5, reason: 'polite' } });

  const destination = async () => (await local.client.forwarding.list()).data[0];
  await expect
    .poll(destination)
    .toMatchObject({ state: { is: 'up_to_date' }, waiting: { spans: 0, logs: 0, scores: 0 }, sent: 1, refused: 0, dead_letters: 0 });
  const there = (await client.viewer.rawSpan({ params: ids })).data;
  expect(there.logs).toMatchObject([{ body: record.body }]);
  // An evaluation in an event is sent with its span and as a score, and is stored once.
  expect((await client.scores.list({ query: { resource_id: ids.spanId } })).data).toMatchObject([
    { name: 'tone', score: 0.5, reason: 'polite' },
    { name: 'truth', score: 1 },
  ]);
});
