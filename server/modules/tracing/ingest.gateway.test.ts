/** docs/reference/ingest.md#cases, the rows about what is accepted and what is one span: 1 to 7, 14 to 16, 48. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { aChat, aRequest, aSpan, aSpanId, aTraceId, attributeList } from '../../../shared/fixtures/otlp.ts';
import {
  bytesField,
  concat,
  hexBytes,
  requestBytes,
  requestOfSpanBytes,
  spanBytes,
  textField,
} from '../../../shared/fixtures/otlp-protobuf.ts';
import { accepted, bareForms, type Form, forms, json, sendAs, sendBytes } from '../../fixtures/otlp-forms.ts';
import { ingestLog, rawSpan, spansOf, trace, traceCount } from '../../fixtures/read-back.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { otlpLimits } from '../../ingest/otlp/limits.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const newIds = () => ({ traceId: aTraceId(), spanId: aSpanId() });
const asProtobuf = { 'Content-Type': 'application/x-protobuf' };

describe('row 1: a valid request', () => {
  it.each(forms)('in $name is answered in the same encoding, without a message, and can be read at once', async (form) => {
    const ids = newIds();
    const response = await sendAs(form, gateway, aRequest([aChat({ ...ids, ask: 'How deep?', reply: 'Very.' })]));
    expect(response).toEqual({ ...accepted, type: form.type });
    expect(await trace(gateway, ids.traceId)).toMatchObject({ tokens: 15, spans: [{ id: ids.spanId, output: 'Very.' }] });
  });

  it('is answered with the request id alone in JSON, and with an empty message in protobuf', async () => {
    const text = await gateway.ingest(aRequest([aSpan()]), { 'X-Request-Id': 'my-id' });
    expect(await text.text()).toBe('{"data":{"requestId":"my-id"}}');
    const binary = await gateway.ingest(requestBytes(aRequest([aSpan()])), asProtobuf);
    expect((await binary.arrayBuffer()).byteLength).toBe(0);
    expect(binary.headers.get('content-type')).toBe('application/x-protobuf');
  });

  it.each(['application/protobuf', 'application/vnd.google.protobuf', 'Application/X-Protobuf; charset=utf-8'])(
    'may call protobuf %s',
    async (type) => {
      const ids = newIds();
      expect(await sendBytes(gateway, requestBytes(aRequest([aSpan(ids)])), { 'Content-Type': type })).toMatchObject(accepted);
      expect(await rawSpan(gateway, ids)).not.toBeNull();
    },
  );

  it('is still there after a restart, exactly as it was sent', async () => {
    const ids = newIds();
    const span = aSpan({ ...ids, attributes: { text: 'Größe', list: [1, 'two', 3.5, true, null], map: { deep: { deeper: 'x' } } } });
    expect(await sendAs(json, gateway, aRequest([span]))).toMatchObject(accepted);
    const before = await rawSpan(gateway, ids);
    await gateway.restart();
    expect(await rawSpan(gateway, ids)).toEqual(before);
    expect(before?.span).toMatchObject({ traceId: ids.traceId, spanId: ids.spanId, attributes: span['attributes'] });
  });
});

describe('row 2: an empty request', () => {
  test.each<[what: string, body: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>]>([
    ['{}', '{}'],
    ['no bytes', ''],
    ['no resources', '{"resourceSpans":[]}'],
    ['a resource without scopes', '{"resourceSpans":[{}]}'],
    ['a scope without spans', '{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"x"}}]}]}'],
    ['no bytes of protobuf', new Uint8Array(0), asProtobuf],
    [
      'a protobuf resource without spans',
      requestBytes({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{}] }] }),
      asProtobuf,
    ],
    ['no bytes in gzip', new Uint8Array(0), { 'Content-Encoding': 'gzip' }],
  ])('of %s is a success and stores nothing', async (_, body, headers) => {
    const before = await traceCount(gateway);
    expect(await sendBytes(gateway, body, headers)).toMatchObject(accepted);
    expect(await traceCount(gateway)).toBe(before);
  });

  it('is answered with a request id, and nothing else', async () => {
    expect(await (await gateway.ingest({})).json()).toEqual({ data: { requestId: expect.any(String) } });
  });
});

describe('row 3: some spans are invalid', () => {
  const bad = (fields: object) => ({ ...aSpan(), ...fields });

  it('rejects those alone in JSON, and says which and why', async () => {
    const [first, second] = [newIds(), newIds()];
    const request = aRequest([aSpan(first), bad({ traceId: '' }), bad({ startTimeUnixNano: 'soon' }), aSpan(second)]);
    const { status, partial } = await sendAs(json, gateway, request);
    expect([status, partial?.rejected]).toEqual([200, 2]);
    expect(partial?.message).toMatch(/^spans\[1\]: traceId .*; spans\[2\]: startTimeUnixNano /);
    for (const ids of [first, second]) expect(await rawSpan(gateway, ids)).not.toBeNull();
  });

  it('rejects those alone in protobuf, and says which and why', async () => {
    const ids = newIds();
    const nameless = textField(5, 'nameless');
    const { status, partial } = await sendBytes(gateway, requestOfSpanBytes([nameless, spanBytes(aSpan(ids)), nameless]), asProtobuf);
    expect([status, partial?.rejected]).toEqual([200, 2]);
    expect(partial?.message).toMatch(/^spans\[0\]: trace_id .*; spans\[2\]: trace_id /);
    expect(await rawSpan(gateway, ids)).not.toBeNull();
  });

  it('names the first five, and counts all', async () => {
    const request = aRequest([aSpan(), ...Array.from({ length: 40 }, () => bad({ spanId: 0 }))]);
    const { partial } = await sendAs(json, gateway, request);
    expect([partial?.rejected, partial?.message.split('; ').length]).toEqual([40, 5]);
  });

  it('is noted in the ingest log', async () => {
    await sendAs(json, gateway, aRequest([aSpan(), bad({ traceId: 7 })]));
    const [entry] = await ingestLog(gateway);
    expect(entry).toMatchObject({
      status: 200,
      spans_accepted: 1,
      spans_rejected: 1,
      message: expect.stringContaining('spans[1]: traceId'),
    });
  });
});

describe('row 4: all spans are invalid', () => {
  it.each(bareForms)('is 200 with the full count in $name, and nothing is stored', async (form) => {
    const before = await traceCount(gateway);
    const request = aRequest([1, 2, 3].map(() => ({ ...aSpan(), spanId: '0'.repeat(16) })));
    const { status, partial } = await sendAs(form, gateway, request);
    expect([status, partial?.rejected]).toEqual([200, 3]);
    expect(await traceCount(gateway)).toBe(before);
  });
});

describe('row 5: a span that had to be adjusted', () => {
  const long = 'k'.repeat(otlpLimits.keyLengthMax + 1);
  it.each(bareForms)('is accepted, reported, and flagged: a key that is too long in $name', async (form) => {
    const ids = newIds();
    const { status, partial } = await sendAs(form, gateway, aRequest([aSpan({ ...ids, attributes: { [long]: 1 } })]));
    expect([status, partial?.rejected]).toEqual([200, 0]);
    expect(partial?.message).toContain(`span ${ids.spanId}: a key of ${long.length} characters was cut`);
    const stored = await rawSpan(gateway, ids);
    expect(stored?.span['attributes']).toEqual(attributeList({ [long.slice(1)]: 1 }));
    expect(stored?.warnings).toEqual([expect.stringContaining('was cut')]);
  });
});

describe('row 6: an exact duplicate', () => {
  it.each(forms)('of a batch in $name changes nothing, however often it comes', async (form) => {
    const traceId = aTraceId();
    const request = aRequest([aChat({ traceId }), aChat({ traceId }), aSpan({ traceId, attributes: { long: 'x'.repeat(5000) } })]);
    await sendAs(form, gateway, request);
    const before = await trace(gateway, traceId);
    for (let retry = 0; retry < 3; retry++) expect(await sendAs(form, gateway, request)).toEqual({ ...accepted, type: form.type });
    expect(await trace(gateway, traceId)).toEqual(before);
    expect(before).toMatchObject({ tokens: 30, spans: { length: 3 } });
  });

  it('may come in another form than the first', async () => {
    const ids = newIds();
    for (const form of forms) {
      const request = aRequest([aSpan({ ...ids, attributes: { a: 1, b: 1.5, c: { d: ['x'] } } })]);
      expect(await sendAs(form, gateway, request)).toMatchObject(accepted);
    }
    expect(await spansOf(gateway, ids.traceId)).toHaveLength(1);
  });

  it('may be in the same request', async () => {
    const ids = newIds();
    const span = aSpan({ ...ids, attributes: { long: 'y'.repeat(5000) } });
    expect(await sendAs(json, gateway, aRequest([span, span, span]))).toMatchObject(accepted);
    expect(await spansOf(gateway, ids.traceId)).toHaveLength(1);
  });

  it('may come from many senders at once', async () => {
    const traceId = aTraceId();
    const request = aRequest(Array.from({ length: 20 }, () => aChat({ traceId })));
    const responses = await Promise.all(Array.from({ length: 16 }, (_, index) => sendAs(forms[index % 4] as Form, gateway, request)));
    expect(responses.every(({ status, partial }) => status === 200 && partial === null)).toBe(true);
    expect(await trace(gateway, traceId)).toMatchObject({ tokens: 300, spans: { length: 20 } });
  });
});

describe('row 7: the same ids with different content', () => {
  it.each(bareForms)('are refused by name in $name, and the first stays as it was', async (form) => {
    const ids = newIds();
    await sendAs(form, gateway, aRequest([aSpan({ ...ids, name: 'first', attributes: { a: 1 } })]));
    const before = await rawSpan(gateway, ids);
    const { status, partial } = await sendAs(form, gateway, aRequest([aSpan({ ...ids, name: 'second', attributes: { a: 2 } }), aSpan()]));
    expect([status, partial?.rejected]).toEqual([200, 1]);
    expect(partial?.message).toContain('duplicate_span_conflict');
    expect(await rawSpan(gateway, ids)).toEqual(before);
  });

  it.each([
    ['a resource', (ids: object) => aRequest([aSpan(ids)], { service: 'another' })],
    ['a scope', (ids: object) => aRequest([aSpan(ids)], { scope: 'another' })],
    ['a long text', (ids: object) => aRequest([aSpan({ ...ids, attributes: { text: 'b'.repeat(3000) } })])],
  ])('differ when %s differs', async (_, another) => {
    const ids = newIds();
    await sendAs(json, gateway, aRequest([aSpan({ ...ids, attributes: { text: 'a'.repeat(3000) } })]));
    expect((await sendAs(json, gateway, another(ids))).partial?.rejected).toBe(1);
  });

  it('are refused within one request as well', async () => {
    const ids = newIds();
    const { partial } = await sendAs(json, gateway, aRequest([aSpan({ ...ids, name: 'a' }), aSpan({ ...ids, name: 'b' })]));
    expect(partial?.rejected).toBe(1);
    expect(await spansOf(gateway, ids.traceId)).toMatchObject([{ name: 'a' }]);
  });
});

describe('row 14: ids in other spellings', () => {
  test.each<[what: string, traceId: unknown, spanId: unknown, read: [string, string]]>([
    ['UUID', '5B8AA5A2-D2C8-72E8-321C-F37308D69DF2', 'b'.repeat(16), ['5b8aa5a2d2c872e8321cf37308d69df2', 'b'.repeat(16)]],
    ['base64', 'W4qlotLIcugyHPNzCNad8w==', 'BRWBvzy1XBM=', ['5b8aa5a2d2c872e8321cf37308d69df3', '051581bf3cb55c13']],
    ['bytes', { type: 'Buffer', data: new Array(16).fill(9) }, new Array(8).fill(9), ['09'.repeat(16), '09'.repeat(8)]],
    ['readable', 'run-42:step.1', 'step→1', ['run-42:step.1', 'step→1']],
  ])('are recognised: %s', async (_, traceId, spanId, [readTrace, readSpan]) => {
    expect(await sendAs(json, gateway, aRequest([{ ...aSpan(), traceId, spanId }]))).toMatchObject(accepted);
    expect(await rawSpan(gateway, { traceId: readTrace, spanId: readSpan })).toMatchObject({
      span: { traceId: readTrace, spanId: readSpan },
    });
  });

  test.each([[''], ['0'.repeat(32)], [null], [7], ['has space'], ['a/b'], ['x'.repeat(129)], [{}], [new Array(15).fill(1)], ['a\0b']])(
    'reject the span when they are %j',
    async (id) => {
      for (const field of ['traceId', 'spanId']) {
        const { partial } = await sendAs(json, gateway, aRequest([{ ...aSpan(), [field]: id }, aSpan()]));
        expect(partial).toEqual({ rejected: 1, message: expect.stringContaining(field) });
      }
    },
  );

  it('reject the span in protobuf when they have another length', async () => {
    const odd = (bytes: number) => concat([bytesField(1, new Uint8Array(bytes).fill(200)), bytesField(2, hexBytes('b'.repeat(16)))]);
    const spans = [0, 1, 15, 17, 32].map(odd);
    expect((await sendBytes(gateway, requestOfSpanBytes([...spans, spanBytes(aSpan())]), asProtobuf)).partial?.rejected).toBe(5);
  });
});

describe('row 15: upper-case hex ids', () => {
  it('are the same as their lower case, when stored and when requested', async () => {
    const ids = { traceId: 'ABCDEF'.padEnd(32, '7'), spanId: 'FEDCBA'.padEnd(16, '7') };
    const lower = { traceId: ids.traceId.toLowerCase(), spanId: ids.spanId.toLowerCase() };
    await sendAs(json, gateway, aRequest([aSpan(ids)]));
    expect(await sendAs(json, gateway, aRequest([aSpan(lower)]))).toMatchObject(accepted);
    for (const requested of [ids, lower]) expect(await rawSpan(gateway, requested)).toMatchObject({ span: lower });
    for (const traceId of [ids.traceId, lower.traceId]) expect(await trace(gateway, traceId)).toMatchObject({ id: lower.traceId });
  });
});

describe('row 16: an empty parent id', () => {
  it.each(bareForms.flatMap((form) => ['', '0'.repeat(16)].map((parentSpanId) => ({ form, name: form.name, parentSpanId }))))(
    'makes a root in $name: "$parentSpanId"',
    async ({ form, parentSpanId }) => {
      const ids = newIds();
      expect(await sendAs(form, gateway, aRequest([aSpan({ ...ids, parentSpanId })]))).toMatchObject(accepted);
      expect(await spansOf(gateway, ids.traceId)).toMatchObject([{ parent_id: null }]);
    },
  );
});

describe('row 48: credentials at a local gateway', () => {
  it.each(['sk_service_abc', 'Bearer sk_service_abc', 'Bearer eyJhbGciOiJub25lIn0.e30.', 'Basic Zm9vOmJhcg==', 'nonsense'])(
    'are ignored: %s',
    async (authorization) => {
      const ids = newIds();
      const headers = { Authorization: authorization, 'X-Service-App-Id': 'no-uuid', 'X-Agentmark-App-Id': 'another' };
      expect((await gateway.ingest(aRequest([aSpan(ids)]), headers)).status).toBe(200);
      expect(await rawSpan(gateway, ids)).not.toBeNull();
    },
  );
});
