/** OTLP/gRPC against a real gateway: the same decisions as for HTTP, in gRPC statuses. */
import { gzipSync } from 'node:zlib';
import { ProtobufLogsSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { aRequest, aSpan, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { bytesField, requestBytes, textField } from '../../../shared/fixtures/otlp-protobuf.ts';
import { framed, GrpcConnection, method } from '../../fixtures/grpc-call.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { otlpLimits } from '../../ingest/otlp/limits.ts';

let gateway: TestGateway;
let connection: GrpcConnection;

beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.gateway.listenForOtlp({ grpc: 0, http: null });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  connection = new GrpcConnection(gateway.gateway.otlpPorts.grpc);
});
afterEach(() => connection.close());

const aMessage = (traceId: string): Uint8Array => requestBytes(aRequest([aSpan({ traceId })]));
const isStored = async (traceId: string) => (await gateway.fetch(`/v1/traces/${traceId}`)).status === 200;

test.each([
  ['plain', (message: Uint8Array) => connection.call(message)],
  ['gzip', (message: Uint8Array) => connection.call(gzipSync(message), { 'grpc-encoding': 'gzip' }, { flag: 1 })],
  ['plain where gzip was announced', (message: Uint8Array) => connection.call(message, { 'grpc-encoding': 'gzip' })],
  ['application/grpc+proto', (message: Uint8Array) => connection.call(message, { 'content-type': 'application/grpc+proto' })],
])('spans are stored when the call is answered: %s', async (_, send) => {
  const traceId = aTraceId();
  expect(await send(aMessage(traceId))).toMatchObject({ http: 200, status: 0, reply: Buffer.alloc(0) });
  expect(await isStored(traceId)).toBe(true);
});

test('a message may arrive byte by byte, and calls on one connection run concurrently', async () => {
  const ids = [aTraceId(), aTraceId()] as const;
  const [slow, quick] = [connection.open(), connection.open()];
  const bytes = framed(aMessage(ids[0]));
  for (const byte of bytes.subarray(0, 9)) slow.write(Uint8Array.of(byte));
  quick.end(framed(aMessage(ids[1])));
  expect((await quick.ended).status).toBe(0);
  slow.end(bytes.subarray(9));
  expect((await slow.ended).status).toBe(0);
  expect(await Promise.all(ids.map(isStored))).toEqual([true, true]);
});

test('rejected spans of a request are reported as a partial success', async () => {
  const [good, bad] = [aTraceId(), 'ff'];
  const message = requestBytes(aRequest([aSpan({ traceId: good }), aSpan({ traceId: bad, spanId: '' })]));
  const { status, reply } = await connection.call(message);
  expect(status).toBe(0);
  const { partialSuccess } = ProtobufTraceSerializer.deserializeResponse(reply as Buffer);
  expect(Number(partialSuccess?.rejectedSpans)).toBe(1);
  expect(partialSuccess?.errorMessage).toContain('span');
  expect(await isStored(good)).toBe(true);
});

test('logs are accepted, metrics are answered, and other methods are unimplemented', async () => {
  const logs = bytesField(1, bytesField(2, bytesField(2, textField(3, 'INFO'))));
  const logsReply = await connection.call(logs, { ':path': method('Logs') });
  expect(logsReply.status).toBe(0);
  expect(ProtobufLogsSerializer.deserializeResponse(logsReply.reply as Buffer)).toBeDefined();
  expect(await connection.call(new Uint8Array(0), { ':path': method('Metrics') })).toMatchObject({ status: 0, reply: Buffer.alloc(0) });
  const unknown = await connection.call(new Uint8Array(0), { ':path': '/grpc.health.v1.Health/Check' });
  expect(unknown).toMatchObject({ status: 12, message: 'This port takes OTLP and has no /grpc.health.v1.Health/Check' });
});

const message = aMessage(aTraceId());
const { bodyBytesMax } = otlpLimits;
const bomb = () => gzipSync(Buffer.alloc(bodyBytesMax + 1));

test.each([
  ['bytes that are not OTLP', () => connection.call(Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f)), 3, 'protobuf_decode_failed'],
  ['broken gzip', () => connection.call(message, { 'grpc-encoding': 'gzip' }, { flag: 1 }), 3, 'invalid_content_encoding'],
  ['a message that ends early', () => connection.call(message, {}, { length: message.length + 1 }), 3, 'invalid_request_body'],
  ['more than was announced', () => connection.call(message, {}, { length: message.length - 1 }), 3, 'invalid_request_body'],
  ['an unknown encoding', () => connection.call(message, { 'grpc-encoding': 'snappy' }, { flag: 1 }), 12, 'gzip or identity, not snappy'],
  ['compression without its name', () => connection.call(message, {}, { flag: 1 }), 13, 'grpc-encoding is missing'],
  ['an unknown flag', () => connection.call(message, {}, { flag: 7 }), 13, 'Not a valid gRPC message'],
  ['an invalid timeout', () => connection.call(message, { 'grpc-timeout': 'soon' }), 13, 'grpc-timeout is not a valid duration'],
  ['too long a message', () => connection.call(Buffer.alloc(9), {}, { length: bodyBytesMax + 1 }), 8, 'payload_too_large'],
  ['a message too long when decompressed', () => connection.call(bomb(), { 'grpc-encoding': 'gzip' }, { flag: 1 }), 8, 'payload_too_large'],
  ['an announced message that never comes', () => connection.call(new Uint8Array(0), {}, { length: 1 }), 3, 'invalid_request_body'],
])('%s ends its call with a status that is not retried, and no other call', async (_, send, status, text) => {
  const { [0]: ended, [1]: other } = await Promise.all([send(), connection.call(aMessage(aTraceId()))]);
  expect(ended).toMatchObject({ http: 200, status, retrySeconds: null });
  expect(ended.message).toContain(text);
  expect(ended.headers['grpc-accept-encoding']).toBe('identity,gzip');
  expect(other.status).toBe(0);
});

test('a request that is not a gRPC call gets an HTTP error status', async () => {
  expect(await connection.call(message, { 'content-type': 'application/json' })).toMatchObject({ http: 415, status: null });
  expect(await connection.call(message, { ':method': 'PUT' })).toMatchObject({ http: 405, status: null });
});

test('a deadline ends the call, and the rest of its message is not awaited', async () => {
  const partial = connection.open({ 'grpc-timeout': '50m' });
  partial.write(framed(message).subarray(0, 20));
  expect(await partial.ended).toMatchObject({ status: 4, message: 'Deadline exceeded' });
  await vi.waitFor(() => expect(gateway.gateway.working()).toBe(0), { timeout: 120_000 });
});

test('while receiving is paused, calls are answered with a retry delay', async () => {
  gateway.gateway.pause(true);
  expect(await connection.call(message)).toMatchObject({
    status: 14,
    retrySeconds: 5,
    message: 'service_unavailable: Receiving is paused',
  });
  gateway.gateway.pause(false);
  expect((await connection.call(message)).status).toBe(0);
});

test('a host name that is not of this machine, and pages of other origins, are refused', async () => {
  const port = gateway.gateway.otlpPorts.grpc;
  for (const authority of ['rebound.example', `rebound.example:${port}`, 'localhost', `localhost:${gateway.port}`]) {
    const rebound = new GrpcConnection(port, authority);
    expect((await rebound.call(message)).message, authority).toContain('host_not_allowed');
    rebound.close();
  }
  for (const headers of [{ origin: 'http://localhost:3000' }, { origin: 'https://a.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect(await connection.call(message, headers)).toMatchObject({ status: 7, message: expect.stringContaining('origin_not_allowed') });
  for (const name of ['127.0.0.1', '[::1]']) {
    const own = new GrpcConnection(port, `${name}:${port}`);
    expect((await own.call(message)).status, name).toBe(0);
    own.close();
  }
});

test('the ingest log lists gRPC calls, including refused ones', async () => {
  const gzipped = gzipSync(aMessage(aTraceId()));
  await connection.call(gzipped, { 'grpc-encoding': 'gzip', 'user-agent': 'an exporter', 'x-request-id': 'call-1' }, { flag: 1 });
  await connection.call(Uint8Array.of(0xff), { 'x-request-id': 'call-2' });
  const { data } = await gateway.client.viewer.ingestLog();
  expect(data.find(({ id }) => id === 'call-1')).toMatchObject({
    ...{ path: method('Trace'), status: 200, encoding: 'gzip', user_agent: 'an exporter', spans_accepted: 1, bytes: gzipped.length },
  });
  expect(data.find(({ id }) => id === 'call-2')).toMatchObject({ status: 400, code: 'protobuf_decode_failed' });
});
