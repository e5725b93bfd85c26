/** docs/reference/ingest.md#cases, the rows about times, values and names: 11 to 13, 19 to 22, 24 to 27. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type AttributeInput, aChat, aRequest, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import { bytesField, concat, hexBytes, requestOfSpanBytes, textField } from '../../../shared/fixtures/otlp-protobuf.ts';
import { accepted, bareForms, type IngestAnswer, json, sendAs, sendBytes } from '../../fixtures/otlp-forms.ts';
import { rawSpan, type SpanKey, spansOf, trace } from '../../fixtures/read-back.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const asProtobuf = { 'Content-Type': 'application/x-protobuf' };
const newIds = (): SpanKey => ({ traceId: aTraceId(), spanId: aSpanId() });
const ns = (ms: number) => `${ms}000000`;
/** Accepted, with a message about what was adjusted or is doubtful. */
const acceptedWith = (words: string): Partial<IngestAnswer> => ({
  status: 200,
  partial: { rejected: 0, message: expect.stringContaining(words) },
});

async function stored(ids: SpanKey) {
  const raw = await rawSpan(gateway, ids);
  const [item] = await spansOf(gateway, ids.traceId);
  if (!raw || !item) throw new Error(`span ${ids.spanId} is not stored`);
  return { raw, item };
}

describe('row 11: an end before the start', () => {
  it.each(bareForms)('is kept as sent in $name, shown as a duration of 0, and flagged', async (form) => {
    const ids = newIds();
    const times = { startTimeUnixNano: ns(testEpochMs), endTimeUnixNano: ns(testEpochMs - 5000) };
    expect((await sendAs(form, gateway, aRequest([{ ...aSpan(ids), ...times }]))).status).toBe(200);
    const { raw, item } = await stored(ids);
    expect(raw.span).toMatchObject(times);
    expect(item.duration_ms).toBe(0);
    expect(raw.warnings).toEqual([expect.stringContaining('ends before it starts')]);
  });
});

describe('row 12: a start that cannot be right', () => {
  const day = 24 * 3600 * 1000;
  const cases: [what: string, fields: object][] = [
    ['0', { startTimeUnixNano: '0' }],
    ['missing', { startTimeUnixNano: undefined }],
    ['before the year 2000', { startTimeUnixNano: ns(Date.UTC(1999, 11, 31)) }],
  ];

  it.each(cases)('is kept as sent and flagged: %s', async (_, fields) => {
    const ids = newIds();
    expect((await sendAs(json, gateway, aRequest([{ ...aSpan(ids), ...fields }]))).status).toBe(200);
    const { raw } = await stored(ids);
    const { startTimeUnixNano = '0' } = fields as { startTimeUnixNano?: string };
    expect(raw.span['startTimeUnixNano']).toBe(startTimeUnixNano);
    expect(raw.warnings).toEqual([expect.stringContaining('start time is missing or before the year 2000')]);
  });

  it('is the time of arrival where none was sent', async () => {
    const ids = newIds();
    const before = Date.now();
    await sendAs(json, gateway, aRequest([{ ...aSpan(ids), startTimeUnixNano: '0' }]));
    const timestamp = Date.parse((await stored(ids)).item.timestamp);
    expect(timestamp).toBeGreaterThanOrEqual(before - 1);
    expect(timestamp).toBeLessThanOrEqual(Date.now());
  });

  it('does not push other traces from the head of the list, however far ahead it is', async () => {
    const [future, now] = [newIds(), newIds()];
    const ahead = { startTimeUnixNano: ns(Date.now() + 400 * day), endTimeUnixNano: ns(Date.now() + 400 * day) };
    await sendAs(json, gateway, aRequest([{ ...aSpan(future), ...ahead }]));
    await sendAs(json, gateway, aRequest([aSpan({ ...now, startMs: Date.now() + 60_000 })]));
    const { data } = await gateway.client.traces.list({ query: { limit: 2 } });
    expect(data.map(({ id }) => id)).toEqual([now.traceId, future.traceId]);
    expect((await stored(future)).raw.span).toMatchObject(ahead);
  });
});

describe('row 13: nanoseconds', () => {
  test.each<[what: string, sent: string, read: string]>([
    ['text', '"1768471200123456789"', '1768471200123456789'],
    ['a bare number past 2^53', '1768471200123456789', '1768471200123456789'],
    ['the largest of 64 bits', '"18446744073709551615"', '18446744073709551615'],
    ['an ISO date', '"2026-01-15T10:00:00.123456789Z"', '1768471200123456789'],
  ])('are exact when they come as %s', async (_, sent, read) => {
    const ids = newIds();
    const body = JSON.stringify(aRequest([{ ...aSpan(ids), startTimeUnixNano: '@' }])).replace('"@"', sent);
    expect((await sendBytes(gateway, body)).status).toBe(200);
    expect((await rawSpan(gateway, ids))?.span['startTimeUnixNano']).toBe(read);
  });

  it.each(['18446744073709551616', '-1', '1.5', 'soon', '1e400'])('reject the span when they are not uint64: %s', async (time) => {
    for (const field of ['startTimeUnixNano', 'endTimeUnixNano']) {
      const { status, partial } = await sendAs(json, gateway, aRequest([{ ...aSpan(), [field]: time }, aSpan()]));
      expect([status, partial]).toEqual([200, { rejected: 1, message: expect.stringContaining(field) }]);
    }
  });

  it('order the spans of a trace, though they differ by one', async () => {
    const traceId = aTraceId();
    const at = (rest: number) => ({ ...aSpan({ traceId, name: `${rest}` }), startTimeUnixNano: `17684712000000000${10 + rest}` });
    await sendAs(json, gateway, aRequest([3, 1, 2, 0].map(at)));
    expect((await spansOf(gateway, traceId)).map(({ name }) => name)).toEqual(['0', '1', '2', '3']);
  });
});

describe('row 19: unknown fields and snake_case', () => {
  it('are ignored or read', async () => {
    const ids = newIds();
    const span = { trace_id: ids.traceId, span_id: ids.spanId, name: 'snake', start_time_unix_nano: ns(testEpochMs), nobody: { knows: 1 } };
    const request = { resource_spans: [{ scope_spans: [{ spans: [span], more: 1 }], more: [] }], more: null };
    expect(await sendAs(json, gateway, request)).toMatchObject(accepted);
    expect((await stored(ids)).item.name).toBe('snake');
  });
});

describe('row 20: an enum sent as its name', () => {
  it.each([
    ['SPAN_KIND_SERVER', 'STATUS_CODE_ERROR'],
    ['server', 'error'],
    ['Server', 'ERROR'],
  ])('is mapped and reported: %s, %s', async (kind, code) => {
    const ids = newIds();
    expect(await sendAs(json, gateway, aRequest([{ ...aSpan(ids), kind, status: { code } }]))).toMatchObject(
      acceptedWith('sent as a name'),
    );
    const { raw, item } = await stored(ids);
    expect(raw.span['kind']).toBe(2);
    expect(item.status).toBe('ERROR');
  });
});

describe('row 21: NaN and infinities', () => {
  const doubles = ['NaN', 'Infinity', '-Infinity'];
  it.each(bareForms.flatMap((form) => doubles.map((double) => ({ form, name: form.name, double }))))(
    'are not counted, stay readable and are reported: $double in $name',
    async ({ form, double }) => {
      const ids = newIds();
      const span = aChat({ ...ids, inputTokens: 10, outputTokens: 5 });
      const attributes = [
        ...(span['attributes'] as object[]),
        { key: 'agentmark.usage.cost_usd', value: { doubleValue: double } },
        { key: 'gen_ai.usage.total_tokens', value: { doubleValue: double } },
        { key: 'agentmark.metadata.odd', value: { doubleValue: double } },
      ];
      expect(await sendAs(form, gateway, aRequest([{ ...span, attributes }]))).toMatchObject(acceptedWith('NaN or infinite'));
      const { raw, item } = await stored(ids);
      expect(item).toMatchObject({ tokens: 15, cost_source: 'computed', metadata: { odd: double } });
      expect(raw.span['attributes']).toContainEqual({ key: 'agentmark.usage.cost_usd', value: { doubleValue: double } });
    },
  );
});

describe('row 22: impossible tokens and costs', () => {
  test.each<[what: string, attributes: Record<string, AttributeInput>]>([
    ['negative tokens', { 'gen_ai.usage.input_tokens': -5 }],
    ['fractional tokens', { 'gen_ai.usage.input_tokens': 1.5 }],
    ['tokens in words', { 'gen_ai.usage.input_tokens': 'many' }],
    ['a negative cost', { 'gen_ai.usage.cost': -1 }],
    ['a cost in words', { 'gen_ai.usage.cost': 'cheap' }],
  ])('are left out of totals and flagged: %s', async (_, attributes) => {
    const [odd, traceId] = [aSpanId(), aTraceId()];
    const spans = [aSpan({ traceId, spanId: odd, attributes: { ...attributes } }), aChat({ traceId, inputTokens: 10, outputTokens: 5 })];
    expect((await sendAs(json, gateway, aRequest(spans))).status).toBe(200);
    const result = await trace(gateway, traceId);
    expect(result).toMatchObject({ tokens: 15 });
    expect(result?.cost).toBeGreaterThan(0);
    const raw = await rawSpan(gateway, { traceId, spanId: odd });
    expect(raw?.warnings).toEqual([expect.stringContaining(': ignored.')]);
  });
});

describe('row 24: text that is not quite text', () => {
  it('keeps NUL in values, from name to attribute', async () => {
    for (const form of bareForms) {
      const ids = newIds();
      const span = aSpan({ ...ids, name: 'a\0b', attributes: { 'session.id': 's\0t', value: '\0' }, statusMessage: 'x\0y' });
      expect(await sendAs(form, gateway, aRequest([span]))).toMatchObject(accepted);
      const { raw, item } = await stored(ids);
      expect([item.name, item.status_message]).toEqual(['a\0b', 'x\0y']);
      expect(raw.span['attributes']).toEqual(span['attributes']);
    }
  });

  it('rejects the span when a key contains NUL', async () => {
    for (const form of bareForms) {
      const { partial } = await sendAs(form, gateway, aRequest([aSpan({ attributes: { 'a\0b': 1 } }), aSpan()]));
      expect(partial).toEqual({ rejected: 1, message: expect.stringContaining('a key with a NUL character') });
    }
  });

  it('replaces unpaired surrogates in JSON, and reports it', async () => {
    const ids = newIds();
    const body = JSON.stringify(aRequest([aSpan({ ...ids, name: '@', attributes: { k: '@' } })])).replaceAll('@', '\\ud800');
    expect(await sendBytes(gateway, body)).toMatchObject(acceptedWith('unpaired surrogates'));
    const { raw, item } = await stored(ids);
    expect(item.name).toBe('\ufffd');
    expect(raw.span['attributes']).toEqual([{ key: 'k', value: { stringValue: '\ufffd' } }]);
  });

  it('replaces invalid UTF-8 in protobuf, and reports it', async () => {
    const ids = newIds();
    const bad = Uint8Array.of(0x61, 0xff, 0xfe);
    const attribute = bytesField(9, concat([textField(1, 'k'), bytesField(2, bytesField(1, bad))]));
    const span = concat([bytesField(1, hexBytes(ids.traceId)), bytesField(2, hexBytes(ids.spanId)), bytesField(5, bad), attribute]);
    expect(await sendBytes(gateway, requestOfSpanBytes([span]), asProtobuf)).toMatchObject(acceptedWith('invalid UTF-8'));
    const { raw, item } = await stored(ids);
    expect(item.name).toBe('a\ufffd\ufffd');
    expect(raw.span['attributes']).toEqual([{ key: 'k', value: { stringValue: 'a\ufffd\ufffd' } }]);
  });
});

describe('row 25: keys that are dangerous in JavaScript', () => {
  const keys = [
    '__proto__',
    'constructor',
    'prototype',
    'a.__proto__.polluted',
    'constructor.prototype.polluted',
    'toString',
    'hasOwnProperty',
  ];
  it.each(bareForms)('are plain text in $name, at every level, and pollute nothing', async (form) => {
    const ids = newIds();
    const nested = { list: keys.map((key) => ({ kvlistValue: { values: [{ key, value: { boolValue: true } }] } })) };
    const attributes = [
      ...keys.flatMap((key) => [key, `agentmark.metadata.${key}`]).map((key) => ({ key, value: { stringValue: 'polluted' } })),
      { key: 'nested', value: { arrayValue: { values: nested.list } } },
    ];
    expect(await sendAs(form, gateway, aRequest([{ ...aSpan(ids), attributes }]))).toMatchObject(accepted);
    const { raw } = await stored(ids);
    expect(raw.span['attributes']).toEqual(attributes);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const clean = newIds();
    await sendAs(form, gateway, aRequest([aSpan(clean)]));
    expect((await stored(clean)).item.metadata).toEqual({});
  });
});

describe('row 26: a key that repeats', () => {
  it.each(bareForms)('counts by its last value in $name, and is reported', async (form) => {
    const ids = newIds();
    const attributes = ['first', 'last'].map((text) => ({ key: 'session.id', value: { stringValue: text } }));
    expect(await sendAs(form, gateway, aRequest([{ ...aSpan(ids), attributes }]))).toMatchObject(acceptedWith('repeats'));
    const sessions = await gateway.client.traces.list({ query: { session_id: 'last' } });
    expect(sessions.data.map(({ id }) => id)).toContain(ids.traceId);
    expect((await stored(ids)).raw.span['attributes']).toEqual(attributes);
  });
});

describe('row 27: a very large value', () => {
  it.each([1, 14])('of %d MiB is read back completely, and lists show a part of it', async (MiB) => {
    const ids = newIds();
    const media = randomBytes((MiB * 1024 * 1024 * 3) / 4).toString('base64');
    const span = aSpan({ ...ids, attributes: { 'output.value': media } });
    expect(await sendAs(json, gateway, aRequest([span]))).toMatchObject(accepted);
    const { output } = (await gateway.client.spans.io({ params: ids })).data;
    expect(output === media).toBe(true);
    const text = await (await gateway.fetch(`/v1/traces/${ids.traceId}`)).text();
    expect(text.length).toBeLessThan(64 * 1024);
    expect(text).toContain('truncated_fields');
    expect((await (await gateway.fetch('/v1/traces?limit=5')).text()).length).toBeLessThan(64 * 1024);
  });
});
