/** Abusive and invalid HTTP/2 frames: each attack loses its own connection, and the spans of others are stored. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { aRequest, aSpan, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { requestBytes } from '../../../shared/fixtures/otlp-protobuf.ts';
import { framed, GrpcConnection } from '../../fixtures/grpc-call.ts';
import {
  callHeaders,
  endHeaders,
  endStream,
  frame,
  headerBlock,
  number32,
  preface,
  type RawConnection,
  rawConnection,
  setting,
} from '../../fixtures/raw-http2.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
let port: number | null;
let hostile: RawConnection;
/** Opened before the attack, and used after it. */
let other: GrpcConnection;

beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.gateway.listenForOtlp({ grpc: 0, http: null });
  port = gateway.gateway.otlpPorts.grpc;
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  other = new GrpcConnection(port);
  await storeSpan();
  hostile = await rawConnection(port);
});
afterEach(async () => {
  await storeSpan();
  expect((await gateway.fetch('/health')).status).toBe(200);
  other.close();
  hostile.socket.destroy();
});

async function storeSpan(): Promise<void> {
  const traceId = aTraceId();
  expect((await other.call(requestBytes(aRequest([aSpan({ traceId })])))).status).toBe(0);
  expect((await gateway.fetch(`/v1/traces/${traceId}`)).status).toBe(200);
}

const startConnection = () => hostile.send(Buffer.concat([preface, frame('settings', 0)]));
const call = (stream: number, flags = endHeaders) => frame('headers', stream, flags, headerBlock(callHeaders(port)));
const clientHello = Buffer.from('16030100c8010000c40303', 'hex');

test.each([
  ['the beginning of TLS', clientHello],
  ['meaningless bytes', Buffer.from([0, 1, 2, 3, 255])],
  ['a broken preface', Buffer.from('PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n')],
  ['a frame of excessive size', Buffer.concat([preface, Buffer.from([255, 255, 255, 0, 0, 0, 0, 0, 1])])],
  ['a frame of a stream that was never opened', Buffer.concat([preface, frame('settings', 0), frame('data', 7, 0, Buffer.alloc(9))])],
])('%s', async (_, bytes) => {
  await hostile.send(bytes);
  await hostile.closed;
});

test('HTTP/1.1 is answered with what the port is for', async () => {
  await hostile.send(Buffer.from(`POST /v1/traces HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 0\r\n\r\n`));
  const output = (await hostile.closed).toString();
  expect(output).toMatch(/^HTTP\/1\.1 400 /);
  expect(output).toContain(`Port ${port} takes OTLP/gRPC only.`);
});

test('endless changes of settings', async () => {
  await startConnection();
  await hostile.send(frame('settings', 0, 0, setting(4, 65_535)), 100_000);
  await hostile.closed;
});

test('endless pings', async () => {
  await startConnection();
  await hostile.send(frame('ping', 0, 0, Buffer.alloc(8)), 100_000);
  const output = (await hostile.closed).toString('latin1');
  expect(output).toContain('too_many_pings');
});

test('endless calls that are opened and reset', async () => {
  await startConnection();
  for (let stream = 1; stream < 20_000 && !hostile.socket.destroyed; stream += 2)
    await hostile.send(Buffer.concat([call(stream), frame('reset', stream, 0, number32(8))]));
  await hostile.closed;
  expect(gateway.gateway.working()).toBe(0);
});

test('endless continuations of headers', async () => {
  await startConnection();
  await hostile.send(frame('headers', 1, 0, headerBlock(callHeaders(port))));
  await hostile.send(frame('continuation', 1, 0, headerBlock({ 'x-more': 'x'.repeat(100) })), 100_000);
  await hostile.closed;
});

test('too many headers end their call but not its connection', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`x-${n}`, 'y']));
  const long = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`x-long-${n}`, 'y'.repeat(4000)]));
  for (const headers of [many, long]) expect(await other.call(new Uint8Array(0), headers)).toMatchObject({ status: null });
});

test('a header table larger than the gateway allows', async () => {
  await startConnection();
  // Dynamic table size update to 2^28.
  const update = Buffer.from('3fe1ffff7f', 'hex');
  await hostile.send(frame('headers', 1, endHeaders, Buffer.concat([update, headerBlock(callHeaders(port))])));
  await hostile.closed;
});

test('concurrent calls over the limit are refused, and no others', async () => {
  const open = Array.from({ length: 150 }, () => other.open());
  for (const client of open) client.end(framed(requestBytes(aRequest([aSpan()]))));
  const ended = await Promise.all(open.map(({ ended }) => ended));
  expect(ended.filter(({ status }) => status === 0).length).toBeGreaterThanOrEqual(100);
});

test('large messages that are announced and never sent take no capacity', async () => {
  const more = await Promise.all(Array.from({ length: 3 }, () => rawConnection(port)));
  const announced = Buffer.from([0, 1, 0, 0, 0, 7, 7, 7]);
  for (const { send } of [hostile, ...more]) {
    await send(Buffer.concat([preface, frame('settings', 0)]));
    for (let stream = 1; stream < 200; stream += 2) await send(Buffer.concat([call(stream), frame('data', stream, 0, announced)]));
  }
  await expect.poll(() => gateway.gateway.working()).toBe(400);
  await storeSpan();
  for (const { socket } of more) socket.destroy();
});

test('data after the end of its message and of its stream', async () => {
  await startConnection();
  await hostile.send(Buffer.concat([call(1), frame('data', 1, endStream, framed(new Uint8Array(0)))]));
  await hostile.send(frame('data', 1, 0, Buffer.alloc(1000)), 100_000);
  await hostile.closed;
});
