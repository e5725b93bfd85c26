/** What came in many requests goes into one trace archive, and out of it again: no part of a trace archive may be more than one request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { bytesField, concat, requestOfSpanBytes, spanBytes, textField } from '../../../shared/fixtures/otlp-protobuf.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { otlpLimits } from '../../ingest/otlp/limits.ts';

let here: TestGateway;
let there: TestGateway;

beforeAll(async () => {
  [here, there] = await Promise.all([startTestGateway(), startTestGateway()]);
});
afterAll(() => Promise.all([here.stop(), there.stop()]));

const most = otlpLimits.jsonContainersMax;

/** Written by hand: `count` values, each an object and each null. */
const nulls = (count: number) => ({ arrayValue: { values: Array(count).fill({}) } });
/** The same values, and no object is one of them. */
const barely = (count: number) => ({ arrayValue: { values: Array(count).fill(0) } });

const aLog = (traceId: string, spanId: string, at: number, body: object) => ({
  ...{ traceId, spanId, timeUnixNano: String(1_768_471_200_000_000_000n + BigInt(at)) },
  ...{ eventName: 'gen_ai.user.message', body },
});
const logsOf = (logRecords: object[]) => ({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
const sendLogs = (logRecords: object[]) => here.client.ingest.logs({ body: logsOf(logRecords) });

async function send(...spans: object[]): Promise<void> {
  expect((await here.ingest(aRequest(spans))).status).toBe(200);
}

const file = (from: TestGateway, form: 'otlp' | 'capsule', traceId: string) => from.fetch(`/v1/viewer/export/${form}?trace_id=${traceId}`);

/** Takes a trace over and says what that brought; what is there then is what is here. */
async function takenOver(traceId: string): Promise<number> {
  const archive = await file(here, 'capsule', traceId);
  expect(archive.status).toBe(200);
  const { data } = await there.client.traceFiles.importArchive({ body: new Uint8Array(await archive.arrayBuffer()) });
  const [sent, got] = await Promise.all([here, there].map(async (gateway) => (await file(gateway, 'otlp', traceId)).text()));
  expect(got === sent).toBe(true);
  return data.spans_accepted;
}

describe('log records that came in several requests', () => {
  it('go over when together they are more records than one request may have', async () => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await send(aSpan(ids));
    const count = otlpLimits.spansMax / 2 + 1;
    for (const first of [0, count]) {
      await sendLogs(Array.from({ length: count }, (_, i) => aLog(ids.traceId, ids.spanId, first + i, {})));
    }
    expect(await takenOver(ids.traceId)).toBe(1 + 2 * count);
  });

  it('go over when together they hold more arrays and objects than one request may', async () => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await send(aSpan(ids));
    for (const at of [1, 2, 3]) await sendLogs([aLog(ids.traceId, ids.spanId, at, nulls(most * 0.4))]);
    expect(await takenOver(ids.traceId)).toBe(4);
  });
});

describe('a log record of which attributes were left out', () => {
  it('goes over with their number, and is known where it came from', async () => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await send(aSpan(ids));
    const attributes = Array.from({ length: otlpLimits.attributesMax + 2 }, (_, i) => ({ key: `k${i}`, value: { intValue: '1' } }));
    await sendLogs([{ ...aLog(ids.traceId, ids.spanId, 1, {}), attributes, droppedAttributesCount: 3 }]);
    expect(await takenOver(ids.traceId)).toBe(2);
    const { data } = await there.client.viewer.rawSpan({ params: ids });
    expect(data.logs).toMatchObject([{ droppedAttributesCount: 5 }]);
    const back = new Uint8Array(await (await file(there, 'capsule', ids.traceId)).arrayBuffer());
    expect((await here.client.traceFiles.importArchive({ body: back })).data).toMatchObject({ spans_accepted: 0, spans_duplicate: 2 });
  });
});

describe('spans that came in several requests', () => {
  it('go over when together they hold more arrays and objects than one request may', async () => {
    const traceId = aTraceId();
    for (const _ of [1, 2, 3]) await send({ ...aSpan({ traceId }), attributes: [{ key: 'list', value: nulls(most * 0.4) }] });
    expect(await takenOver(traceId)).toBe(3);
  });
});

describe('what is almost more than one request by itself', () => {
  const list = [{ key: 'list', value: barely(most + 1) }];
  const empties = Array.from({ length: 1000 }, (_, i) => ({ key: `k${i}` }));

  it.each([
    ['a span', { spans: [{ ...aSpan({}), attributes: [...list, ...empties] }] }, {}],
    ['a resource', { spans: [aSpan({}), aSpan({})] }, { attributes: list }],
  ])(
    'goes over though it is written with more than it was sent with: %s',
    async (_, scopeSpans, resource) => {
      const traceId = aTraceId();
      const spans = scopeSpans.spans.map((span) => ({ ...span, traceId }));
      expect((await here.ingest({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })).status).toBe(200);
      expect(await takenOver(traceId)).toBe(spans.length);
    },
    60_000,
  );

  it('goes over when it is a log record', async () => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await send(aSpan(ids));
    await sendLogs([aLog(ids.traceId, ids.spanId, 1, barely(most + 1)), aLog(ids.traceId, ids.spanId, 2, {})]);
    expect(await takenOver(ids.traceId)).toBe(3);
  });

  it('is exported as OTLP only, when JSON could not bring it and protobuf did', async () => {
    const traceId = aTraceId();
    const yes = Uint8Array.of(0x0a, 2, 0x10, 1);
    const values = new Uint8Array((most + 1) * yes.length);
    for (let at = 0; at < values.length; at += yes.length) values.set(yes, at);
    const attribute = concat([textField(1, 'list'), bytesField(2, bytesField(5, values))]);
    const span = concat([spanBytes({ traceId, spanId: aSpanId() }), bytesField(9, attribute)]);
    const type = { 'Content-Type': 'application/x-protobuf' };
    expect((await here.ingest(requestOfSpanBytes([span]), type)).status).toBe(200);
    expect((await file(here, 'otlp', traceId)).status).toBe(200);
    const refused = await file(here, 'capsule', traceId);
    expect([refused.status, await refused.json()]).toMatchObject([413, { error: { code: 'payload_too_large' } }]);
  });
});
