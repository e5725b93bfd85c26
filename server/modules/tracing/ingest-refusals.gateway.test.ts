/** docs/reference/ingest.md#cases, the rows about what is refused as a whole: 17, 18, 23, 28 to 31. */
import { gzipSync } from 'node:zlib';
import { ProtobufLogsSerializer, ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { errorStatus } from '../../../shared/contract/core/errors.ts';
import { ingest as ingestRoutes } from '../../../shared/contract/tracing/ingest.ts';
import { aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import {
  bytesField,
  concat,
  readFields,
  requestBytes,
  requestOfSpanBytes,
  spanBytes,
  textField,
  varintField,
} from '../../../shared/fixtures/otlp-protobuf.ts';
import { accepted, type IngestAnswer, json, sendAs, sendBytes } from '../../fixtures/otlp-forms.ts';
import { longestTurn, processTime } from '../../fixtures/processor-time.ts';
import { ingestLog, rawSpan, traceCount } from '../../fixtures/read-back.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { otlpLimits } from '../../ingest/otlp/limits.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  // Warms up the threads and their code, so that the timings below measure only the work itself.
  for (let warm = 0; warm < 3; warm++) await sendAs(json, gateway, aRequest([aSpan()]));
});
afterAll(() => gateway.stop());

const asJson = { 'Content-Type': 'application/json' };
const asProtobuf = { 'Content-Type': 'application/x-protobuf' };
const gzipped = { 'Content-Encoding': 'gzip' };
const good = JSON.stringify(aRequest([aSpan()]));

const codes = new Set<string>();

/** Sends what must be refused as a whole: in the encoding of the request, with nothing stored, and with an entry in the log. */
async function sendRefused(bytes: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}): Promise<IngestAnswer> {
  const before = await traceCount(gateway);
  const response = await sendBytes(gateway, bytes, headers);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBe(errorStatus[response.code as keyof typeof errorStatus]);
  expect(response.type).toBe((headers['Content-Type'] ?? '').includes('protobuf') ? 'application/x-protobuf' : 'application/json');
  expect(await traceCount(gateway)).toBe(before);
  const [entry] = await ingestLog(gateway);
  expect(entry).toMatchObject({ status: response.status, code: response.code, spans_accepted: 0 });
  codes.add(response.code);
  return response;
}

describe('row 17: another signal', () => {
  const owner = { resource: { attributes: {} }, instrumentationScope: { name: 's' } };
  const record = { ...owner, hrTime: [1, 2], hrTimeObserved: [1, 2], body: 'hello', attributes: {}, droppedAttributesCount: 0 };
  const point = { startTime: [1, 2], endTime: [1, 3], attributes: {}, value: 5 };
  const metric = {
    descriptor: { name: 'requests', description: '', unit: '', valueType: 0, type: 'COUNTER' },
    ...{ aggregationTemporality: 0, dataPointType: 3, isMonotonic: true, dataPoints: [point] },
  };
  const logs = ProtobufLogsSerializer.serializeRequest([record as never]) as Uint8Array;
  const metrics = ProtobufMetricsSerializer.serializeRequest({
    resource: owner.resource,
    scopeMetrics: [{ scope: owner.instrumentationScope, metrics: [metric] }],
  } as never) as Uint8Array;

  test.each<[what: string, body: Uint8Array | string, headers: Record<string, string>]>([
    ['logs in JSON', '{"resourceLogs":[{"scopeLogs":[]}]}', asJson],
    ['metrics in JSON', '{"resource_metrics":[]}', asJson],
    ['logs in protobuf', logs, asProtobuf],
    ['metrics in protobuf', metrics, asProtobuf],
  ])('is 400 and names the likely mistake: %s', async (_, body, headers) => {
    const { status, message } = await sendRefused(typeof body === 'string' ? body : new Uint8Array(body), headers);
    expect([status, message]).toEqual([400, expect.stringMatching(/logs|metrics/)]);
  });

  it('has its own route: metrics are accepted and dropped, so that exporters log no errors', async () => {
    const send = (body: BodyInit, headers: Record<string, string>) => gateway.fetch('/v1/metrics', { method: 'POST', headers, body });
    expect((await send('{"resourceMetrics":[]}', asJson)).status).toBe(200);
    const binary = await send(new Uint8Array(metrics), asProtobuf);
    expect([binary.status, binary.headers.get('content-type')]).toEqual([200, 'application/x-protobuf']);
    expect((await binary.arrayBuffer()).byteLength).toBe(0);
  });
});

describe('row 18: the wrong shape', () => {
  test.each<[what: string, spans: unknown]>([
    ['attributes as an object', [{ ...aSpan(), attributes: { k: 'v' } }]],
    ['spans that are not a list', { 0: aSpan() }],
    ['a span that is a string', ['span']],
  ])('rejects the span or the scope, and nothing else: %s', async (_, spans) => {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    const request = { resourceSpans: [{ scopeSpans: [{ spans }, { spans: [aSpan(ids)] }] }] };
    expect(await sendAs(json, gateway, request)).toMatchObject({ status: 200, partial: { rejected: 1 } });
    expect(await rawSpan(gateway, ids)).not.toBeNull();
  });

  it.each(['{"resourceSpans":{}}', '{"resourceSpans":"x"}', '[]', 'null', '7', '"x"', '{"spans":[]}'])(
    'is 400 where it is the envelope: %s',
    async (body) => {
      expect(await sendRefused(body)).toMatchObject({ status: 400, code: 'invalid_otlp_payload' });
    },
  );

  it.each([
    ['JSON', new TextEncoder().encode(good), 'protobuf_decode_failed'],
    ['random', Uint8Array.from({ length: 500 }, (_, index) => (index * 197 + 13) % 256), 'protobuf_decode_failed'],
    ['cut short', requestBytes(aRequest([aSpan()])).slice(0, -1), 'protobuf_decode_failed'],
  ])('is 400 where the bytes are not protobuf: %s', async (_, bytes, code) => {
    expect(await sendRefused(bytes, asProtobuf)).toMatchObject({ status: 400, code });
  });

  it('is reported to a protobuf sender in a google.rpc.Status', async () => {
    const response = await gateway.ingest(Uint8Array.of(0xff), asProtobuf);
    const fields = readFields(new Uint8Array(await response.arrayBuffer()));
    expect(fields.map(({ field }) => field)).toEqual([1, 2]);
    expect(fields[0]?.value).toBe(3n);
    expect(Buffer.from(fields[1]?.value as Uint8Array).toString()).toMatch(/^protobuf_decode_failed: /);
  });
});

describe('row 23: JSON that is not UTF-8', () => {
  test.each<[what: string, bytes: number[]]>([
    ['a stray byte', [0xff]],
    ['a cut sequence', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
  ])('is 400: %s', async (_, bytes) => {
    const [before, after] = JSON.stringify(aRequest([aSpan({ name: '@' })])).split('@') as [string, string];
    const body = new Uint8Array(Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]));
    expect(await sendRefused(body)).toMatchObject({ status: 400, code: 'invalid_otlp_payload', message: expect.stringContaining('UTF-8') });
  });
});

/** The quickest of a few attempts: garbage collection can make any single one slow, but only the work itself makes all of them slow. */
async function quickest(attempts: number, run: () => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt++) best = Math.min(best, await run());
  return best;
}

describe('row 28: a body over the limit', () => {
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(128 * 1024 * 1024, ' '), { level: 9 }));

  it('is 413 after less than 200 ms of work, compressed or not', async () => {
    const plain = new Uint8Array(otlpLimits.bodyBytesMax + 1);
    const tooLarge = { status: 413, code: 'payload_too_large' };
    expect(await sendRefused(plain)).toMatchObject(tooLarge);
    expect(await sendRefused(bomb, gzipped)).toMatchObject(tooLarge);
    expect(await sendRefused(bomb, { ...gzipped, ...asProtobuf })).toMatchObject(tooLarge);
    expect(await quickest(5, () => processTime(() => sendBytes(gateway, bomb, gzipped)))).toBeLessThan(200);
  });

  it('costs less memory than twice the limit, however many are sent', async () => {
    const growth: number[] = [];
    // The garbage collector frees memory at any time; only a leak grows in every round.
    for (let round = 0; round < 4; round++) {
      const before = process.memoryUsage.rss();
      for (let sent = 0; sent < 8; sent++) expect((await sendBytes(gateway, bomb, gzipped)).status).toBe(413);
      growth.push(process.memoryUsage.rss() - before);
    }
    expect(Math.min(...growth)).toBeLessThan(2 * otlpLimits.bodyBytesMax);
  });

  it('is 413 when it holds more spans than one request may', async () => {
    const spans = `${'{},'.repeat(otlpLimits.spansMax)}{}`;
    expect(await sendRefused(`{"resourceSpans":[{"scopeSpans":[{"spans":[${spans}]}]}]}`)).toMatchObject({
      status: 413,
      code: 'payload_too_large',
    });
  });
});

describe('row 29: invalid gzip', () => {
  const compressed = gzipSync(good);
  it.each([
    ['cut short', compressed.subarray(0, -5)],
    ['followed by more', Buffer.concat([compressed, Buffer.from('{}')])],
    ['plain JSON', Buffer.from(good)],
    ['with a wrong checksum', Buffer.from(compressed.map((byte, at) => (at === compressed.length - 6 ? byte ^ 1 : byte)))],
    ['compressed twice, which does not inflate to JSON', gzipSync(compressed)],
  ])('is 400: %s', async (what, bytes) => {
    const code = what.startsWith('compressed twice') ? 'invalid_otlp_payload' : 'invalid_content_encoding';
    expect(await sendRefused(new Uint8Array(bytes), gzipped)).toMatchObject({ status: 400, code });
  });
});

describe('row 30: a media type or an encoding that is not served', () => {
  test.each<[what: string, headers: Record<string, string>]>([
    ['brotli', { 'Content-Encoding': 'br' }],
    ['snappy', { 'Content-Encoding': 'snappy' }],
    ['gzip twice', { 'Content-Encoding': 'gzip, gzip' }],
    ['text', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['gRPC', { 'Content-Type': 'application/grpc' }],
    ['Latin-1', { 'Content-Type': 'application/json; charset=iso-8859-1' }],
    ['brotli of protobuf', { ...asProtobuf, 'Content-Encoding': 'br' }],
  ])('is 415: %s', async (_, headers) => {
    expect(await sendRefused(good, { ...headers })).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  it.each(['/v1/traces', '/v1/logs', '/v1/metrics'])('says at %s which encodings are accepted', async (path) => {
    const headers = { ...asJson, 'Content-Encoding': 'br' };
    const response = await gateway.fetch(path, { method: 'POST', headers, body: new TextEncoder().encode(good) });
    expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'gzip, deflate, zstd, identity']);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toBe('Content-Encoding must be gzip, deflate, zstd or identity, not br');
  });

  it('is JSON where none is given, as the contract has it, and charset=utf-8 is accepted', async () => {
    const withoutType = await gateway.fetch('/v1/traces', { method: 'POST', body: new TextEncoder().encode(good) });
    expect(withoutType.status).toBe(200);
    expect(
      await sendBytes(gateway, good, { 'Content-Type': 'application/json; charset=UTF-8', 'Content-Encoding': 'identity' }),
    ).toMatchObject(accepted);
  });
});

describe('row 31: a body that is a trap for its parser', () => {
  const traps: [what: string, body: string][] = [
    ['five million brackets', '['.repeat(5_000_000)],
    ['brackets that close', `{"resourceSpans":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['a million keys', `{${Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
    ['a million equal keys', `{"resourceSpans":[{${'"a":1,'.repeat(1_000_000)}"b":1}]}`],
  ];

  it.each(traps)('is 400 before it is parsed: %s', async (_, body) => {
    expect(await sendRefused(body)).toMatchObject({
      status: 400,
      code: 'invalid_otlp_payload',
      message: expect.stringContaining('before it is parsed'),
    });
  });

  it('is refused quickly when it is millions of empty values, which would become as many errors or objects', async () => {
    const compress = (text: string) => new Uint8Array(gzipSync(text, { level: 1 }));
    const bodies = (items: string) => [
      ['/v1/traces', `{"resourceSpans":[${items}]}`],
      ['/v1/traces', `{"resourceSpans":[{"scopeSpans":[${items}]}]}`],
      ['/v1/logs', `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${items}]}]}]}`],
    ];
    const answers = async (items: string) => {
      const messages: string[] = [];
      for (const [path, text] of bodies(items) as [string, string][]) {
        const response = await gateway.fetch(path, { method: 'POST', headers: { ...asJson, ...gzipped }, body: compress(text) });
        messages.push(`${response.status} ${((await response.json()) as { error: { message: string } }).error.message}`);
      }
      return messages;
    };
    const tooMany = expect.stringContaining('413 More than');
    expect(await answers(`${'1,'.repeat(1_000_000)}1`)).toEqual([tooMany, tooMany, tooMany]);
    const [values, containers] = ['values and keys', 'arrays and objects'].map((what) => expect.stringMatching(`^400 .*${what}`));
    expect(await answers(`${'1,'.repeat(10_000_000)}1`)).toEqual([values, values, values]);
    expect(await answers(`${'{},'.repeat(6_900_000)}{}`)).toEqual([containers, containers, containers]);
  });

  it.each(traps)('never blocks the gateway for 50 ms: %s', async (_, body) => {
    const compressed = new Uint8Array(gzipSync(body, { level: 1 }));
    expect(await quickest(5, () => longestTurn(() => sendBytes(gateway, compressed, gzipped)))).toBeLessThan(50);
  });

  it('nested deep inside protobuf rejects its span alone', async () => {
    // Built in a loop: a recursive builder would run out of stack before the gateway does.
    let deep = varintField(3, 1n);
    for (let level = 0; level < 10_000; level++) deep = bytesField(5, bytesField(1, deep));
    const attribute = bytesField(9, concat([textField(1, 'deep'), bytesField(2, deep)]));
    const body = requestOfSpanBytes([concat([spanBytes(aSpan()), attribute]), spanBytes(aSpan())]);
    expect(await sendBytes(gateway, body, asProtobuf)).toMatchObject({ status: 200, partial: { rejected: 1 } });
  });
});

describe('every refusal', () => {
  it('is one that the route declares', () => {
    expect(codes.size).toBeGreaterThan(3);
    expect([...codes].filter((code) => !(ingestRoutes.traces.errors as readonly string[]).includes(code))).toEqual([]);
  });
});
