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

interface LogInput {
  name: string;
  traceId: string;
  spanId: string;
  body?: AttributeInput;
  attributes?: Record<string, AttributeInput>;
  atMs?: number;
}

const aLog = ({ name, traceId, spanId, body = null, attributes = {}, atMs = testEpochMs }: LogInput) => ({
  traceId,
  spanId,
  timeUnixNano: String(BigInt(atMs) * 1_000_000n),
  body: anyValue(body),
  attributes: attributeList({ 'event.name': name, ...attributes }),
});

const logsOf = (logs: object[]) => ({ resourceLogs: [{ scopeLogs: [{ scope: { name: 'test' }, logRecords: logs }] }] });

const sendLogs = (body: object) =>
  gateway.fetch('/v1/logs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/** A call whose content is in logs only, as newer instrumentations send it. */
function aCall() {
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  const span = aSpan({ ...ids, name: 'chat gpt-4o', attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' } });
  const logs = [
    aLog({ ...ids, name: 'gen_ai.user.message', body: { content: 'Is it raining?' } }),
    aLog({
      ...ids,
      name: 'gen_ai.choice',
      body: { index: 0, finish_reason: 'stop', message: { content: 'It is.' } },
      atMs: testEpochMs + 50,
    }),
  ];
  return { ...ids, span, logs };
}

async function viewOf(traceId: string) {
  const { data } = await gateway.client.traces.get({ params: { traceId }, query: {} });
  const list = await gateway.client.traces.list({ query: { limit: 1000 } });
  return { span: data.spans[0], item: list.data.find(({ id }) => id === traceId) };
}

describe('POST /v1/logs', () => {
  test.each(['after', 'before'])('content that arrives %s its span is shown in the span', async (when) => {
    const { traceId, span, logs } = aCall();
    if (when === 'before') expect((await sendLogs(logsOf(logs))).status).toBe(200);
    expect((await gateway.ingest(aRequest([span]))).status).toBe(200);
    if (when === 'after') expect((await sendLogs(logsOf(logs))).status).toBe(200);
    const { span: read, item } = await viewOf(traceId);
    expect(JSON.parse(read?.input ?? '')).toEqual([{ role: 'user', content: 'Is it raining?' }]);
    expect(read).toMatchObject({ output: 'It is.', finish_reason: 'stop' });
    expect(item).toMatchObject({ input_preview: 'Is it raining?', output_preview: 'It is.', span_count: 1 });
  });

  test('log records alone make no trace', async () => {
    const { traceId, logs } = aCall();
    await sendLogs(logsOf(logs));
    expect((await gateway.fetch(`/v1/traces/${traceId}`)).status).toBe(404);
    expect((await viewOf(await ingestedTrace())).item).toBeDefined();
    expect((await gateway.client.traces.list({ query: { limit: 1000 } })).data.some(({ id }) => id === traceId)).toBe(false);
  });

  test('the same record sent twice is one', async () => {
    const { traceId, spanId, span, logs } = aCall();
    await gateway.ingest(aRequest([span]));
    for (let round = 0; round < 3; round++) await sendLogs(logsOf(logs));
    const { data } = await gateway.client.viewer.rawSpan({ params: { traceId, spanId } });
    expect(data.logs).toHaveLength(2);
    expect(data.span['events'] ?? []).toEqual([]);
  });

  test('records of other kinds, and those without a span, are accepted and dropped', async () => {
    const { traceId, spanId, span } = aCall();
    await gateway.ingest(aRequest([span]));
    const other = [
      aLog({ traceId, spanId, name: 'app.started', body: 'hello' }),
      aLog({ traceId: '', spanId: '', name: 'gen_ai.user.message', body: { content: 'nobody' } }),
    ];
    const response = await sendLogs(logsOf(other));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { requestId: expect.any(String) } });
    expect((await gateway.client.viewer.rawSpan({ params: { traceId, spanId } })).data.logs).toEqual([]);
  });

  test('a record that cannot be read is rejected alone', async () => {
    const { traceId, spanId, span, logs } = aCall();
    await gateway.ingest(aRequest([span]));
    const response = await sendLogs(logsOf([...logs, { traceId, spanId, timeUnixNano: 'soon' }]));
    expect(await response.json()).toMatchObject({
      partialSuccess: { rejectedLogRecords: '1', errorMessage: expect.stringContaining('timeUnixNano') },
    });
    expect((await gateway.client.viewer.rawSpan({ params: { traceId, spanId } })).data.logs).toHaveLength(2);
  });

  test.each([
    ['a resource', { resourceLogs: [[]] }],
    ['a scope', { resourceLogs: [{ scopeLogs: ['x'] }] }],
    ['a list of scopes', { resourceLogs: [{ scopeLogs: {} }] }],
    ['a list of records', { resourceLogs: [{ scopeLogs: [{ logRecords: 7 }] }] }],
  ])('%s that cannot be read is counted, not lost silently', async (_, body) => {
    expect(await (await sendLogs(body)).json()).toMatchObject({
      partialSuccess: { rejectedLogRecords: '1', errorMessage: expect.stringContaining('is not an object') },
    });
  });

  test('traces sent here are refused', async () => {
    const response = await sendLogs(aRequest([aSpan()]));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_otlp_payload' } });
  });

  test('attached content survives a restart', async () => {
    const { traceId, span, logs } = aCall();
    await sendLogs(logsOf(logs));
    await gateway.restart();
    await gateway.ingest(aRequest([span]));
    await gateway.restart();
    expect((await viewOf(traceId)).span).toMatchObject({ output: 'It is.' });
  });
});

async function ingestedTrace(): Promise<string> {
  const traceId = aTraceId();
  await gateway.ingest(aRequest([aSpan({ traceId })]));
  return traceId;
}
