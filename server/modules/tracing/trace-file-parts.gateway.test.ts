/** What arrived in many requests goes into one trace archive, and out of it again: no part of an archive may exceed the limits of a request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { bytesField, concat, requestOfSpanBytes, spanBytes, textField } from '../../../shared/fixtures/otlp-protobuf.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { otlpLimits } from '../../ingest/otlp/limits.ts';

let source: TestGateway;
let target: TestGateway;

beforeAll(async () => {
  [source, target] = await Promise.all([startTestGateway(), startTestGateway()]);
});
afterAll(() => Promise.all([source.stop(), target.stop()]));

const most = otlpLimits.jsonContainersMax;

/** `count` values, each an object and each null. */
const nulls = (count: number) => ({ arrayValue: { values: Array(count).fill({}) } });
/** As many values, none of them an object. */
const plainValues = (count: number) => ({ arrayValue: { values: Array(count).fill(0) } });

const aLog = (traceId: string, spanId: string, at: number, body: object) => ({
  ...{ traceId, spanId, timeUnixNano: String(1_768_471_200_000_000_000n + BigInt(at)) },
  ...{ eventName: 'gen_ai.user.message', body },
});
const logsOf = (logRecords: object[]) => ({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
const sendLogs = (logRecords: object[]) => source.client.ingest.logs({ body: logsOf(logRecords) });

async function send(...spans: object[]): Promise<void> {
  expect((await source.ingest(aRequest(spans))).status).toBe(200);
}

const file = (from: TestGateway, form: 'otlp' | 'capsule', traceId: string) => from.fetch(`/v1/viewer/export/${form}?trace_id=${traceId}`);

/** Transfers a trace to the other gateway, where it must be the same. Returns how many spans and log records were accepted. */
async function transfer(traceId: string): Promise<number> {
  const archive = await file(source, 'capsule', traceId);
  expect(archive.status).toBe(200);
  const { data } = await target.client.traceFiles.importArchive({ body: new Uint8Array(await archive.arrayBuffer()) });
  const [sent, exported] = await Promise.all([source, target].map(async (gateway) => (await file(gateway, 'otlp', traceId)).text()));
  expect(exported === sent).toBe(true);
  return data.spans_accepted;
}

describe('log records that arrived in several requests', () => {
  it('are transferred when together they are more records than one request may have', async () => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await send(aSpan(ids));
    const count = otlpLimits.spansMax / 2 + 1;
    for (const first of [0, count]) {
      await sendLogs(Array.from({ length: count }, (_, i) => aLog(ids.traceId, ids.spanId, first + i, {})));
    }
    expect(await transfer(ids.traceId)).toBe(1 + 2 * count);
  });

  it('are transferred when together they hold more arrays and objects than one request may', async () => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await send(aSpan(ids));
    for (const at of [1, 2, 3]) await sendLogs([aLog(ids.traceId, ids.spanId, at, nulls(most * 0.4))]);
    expect(await transfer(ids.traceId)).toBe(4);
  });
});

describe('a log record with dropped attributes', () => {
  it('is transferred with their number, and is a duplicate where it came from', async () => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await send(aSpan(ids));
    const attributes = Array.from({ length: otlpLimits.attributesMax + 2 }, (_, i) => ({ key: `k${i}`, value: { intValue: '1' } }));
    await sendLogs([{ ...aLog(ids.traceId, ids.spanId, 1, {}), attributes, droppedAttributesCount: 3 }]);
    expect(await transfer(ids.traceId)).toBe(2);
    const { data } = await target.client.viewer.rawSpan({ params: ids });
    expect(data.logs).toMatchObject([{ droppedAttributesCount: 5 }]);
    const archive = new Uint8Array(await (await file(target, 'capsule', ids.traceId)).arrayBuffer());
    expect((await source.client.traceFiles.importArchive({ body: archive })).data).toMatchObject({ spans_accepted: 0, spans_duplicate: 2 });
  });
});

describe('spans that arrived in several requests', () => {
  it('are transferred when together they hold more arrays and objects than one request may', async () => {
    const traceId = aTraceId();
    for (const _ of [1, 2, 3]) await send({ ...aSpan({ traceId }), attributes: [{ key: 'list', value: nulls(most * 0.4) }] });
    expect(await transfer(traceId)).toBe(3);
  });
});

describe('what almost exceeds one request by itself', () => {
  const list = [{ key: 'list', value: plainValues(most + 1) }];
  const empties = Array.from({ length: 1000 }, (_, i) => ({ key: `k${i}` }));

  it.each([
    ['a span', { spans: [{ ...aSpan({}), attributes: [...list, ...empties] }] }, {}],
    ['a resource', { spans: [aSpan({}), aSpan({})] }, { attributes: list }],
  ])('is transferred although it is larger when exported than when it was sent: %s', async (_, scopeSpans, resource) => {
    const traceId = aTraceId();
    const spans = scopeSpans.spans.map((span) => ({ ...span, traceId }));
    expect((await source.ingest({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })).status).toBe(200);
    expect(await transfer(traceId)).toBe(spans.length);
  });

  it('is transferred when it is a log record', async () => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await send(aSpan(ids));
    await sendLogs([aLog(ids.traceId, ids.spanId, 1, plainValues(most + 1)), aLog(ids.traceId, ids.spanId, 2, {})]);
    expect(await transfer(ids.traceId)).toBe(3);
  });

  it('is exported as OTLP only, when protobuf carried it and JSON could not', async () => {
    const traceId = aTraceId();
    const trueValue = Uint8Array.of(0x0a, 2, 0x10, 1);
    const values = new Uint8Array((most + 1) * trueValue.length);
    for (let at = 0; at < values.length; at += trueValue.length) values.set(trueValue, at);
    const attribute = concat([textField(1, 'list'), bytesField(2, bytesField(5, values))]);
    const span = concat([spanBytes({ traceId, spanId: aSpanId() }), bytesField(9, attribute)]);
    const type = { 'Content-Type': 'application/x-protobuf' };
    expect((await source.ingest(requestOfSpanBytes([span]), type)).status).toBe(200);
    expect((await file(source, 'otlp', traceId)).status).toBe(200);
    const refusal = await file(source, 'capsule', traceId);
    expect([refusal.status, await refusal.json()]).toMatchObject([413, { error: { code: 'payload_too_large' } }]);
  });
});
