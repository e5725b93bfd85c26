/** Frames that wear HTTP/2 out, or are none: each costs its own connection, and everybody else's spans are stored. */
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
  await store();
  hostile = await rawConnection(port);
});
afterEach(async () => {
  await store();
  expect((await gateway.fetch('/health')).status).toBe(200);
  other.close();
  hostile.socket.destroy();
});

async function store(): Promise<void> {
  const traceId = aTraceId();
  expect((await other.call(requestBytes(aRequest([aSpan({ traceId })])))).status).toBe(0);
  expect((await gateway.fetch(`/v1/traces/${traceId}`)).status).toBe(200);
}

const begin = () => hostile.send(Buffer.concat([preface, frame('settings', 0)]));
const call = (stream: number, flags = endHeaders) => frame('headers', stream, flags, headerBlock(callHeaders(port)));
const clientHello = Buffer.from('16030100c8010000c40303', 'hex');

test.each([
  ['the beginning of TLS', clientHello],
  ['bytes that are nothing', Buffer.from([0, 1, 2, 3, 255])],
  ['a preface that goes wrong', Buffer.from('PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n')],
  ['a frame beyond all sizes', Buffer.concat([preface, Buffer.from([255, 255, 255, 0, 0, 0, 0, 0, 1])])],
  ['a frame of a stream that never was', Buffer.concat([preface, frame('settings', 0), frame('data', 7, 0, Buffer.alloc(9))])],
])('%s', async (_, bytes) => {
  await hostile.send(bytes);
  await hostile.closed;
});

test('HTTP/1.1 is told what the port is for', async () => {
  await hostile.send(Buffer.from(`POST /v1/traces HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 0\r\n\r\n`));
  const said = (await hostile.closed).toString();
  expect(said).toMatch(/^HTTP\/1\.1 400 /);
  expect(said).toContain(`Port ${port} takes OTLP/gRPC only.`);
});

test('changes of settings without end', async () => {
  await begin();
  await hostile.send(frame('settings', 0, 0, setting(4, 65_535)), 100_000);
  await hostile.closed;
});

test('pings without end', async () => {
  await begin();
  await hostile.send(frame('ping', 0, 0, Buffer.alloc(8)), 100_000);
  const said = (await hostile.closed).toString('latin1');
  expect(said).toContain('too_many_pings');
});

test('calls that are begun and taken back without end', async () => {
  await begin();
  for (let stream = 1; stream < 20_000 && !hostile.socket.destroyed; stream += 2)
    await hostile.send(Buffer.concat([call(stream), frame('reset', stream, 0, number32(8))]));
  await hostile.closed;
  expect(gateway.gateway.working()).toBe(0);
});

test('headers that are continued without end', async () => {
  await begin();
  await hostile.send(frame('headers', 1, 0, headerBlock(callHeaders(port))));
  await hostile.send(frame('continuation', 1, 0, headerBlock({ 'x-more': 'x'.repeat(100) })), 100_000);
  await hostile.closed;
});

test('more headers than there may be end the call, and its connection lives', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`x-${n}`, 'y']));
  const long = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`x-long-${n}`, 'y'.repeat(4000)]));
  for (const headers of [many, long]) expect(await other.call(new Uint8Array(0), headers)).toMatchObject({ status: null });
});

test('a table for headers that is larger than the gateway offers', async () => {
  await begin();
  // Dynamic table size update to 2^28.
  const update = Buffer.from('3fe1ffff7f', 'hex');
  await hostile.send(frame('headers', 1, endHeaders, Buffer.concat([update, headerBlock(callHeaders(port))])));
  await hostile.closed;
});

test('more calls at a time than there may be are refused alone', async () => {
  const open = Array.from({ length: 150 }, () => other.open());
  for (const each of open) each.end(framed(requestBytes(aRequest([aSpan()]))));
  const ended = await Promise.all(open.map(({ ended }) => ended));
  expect(ended.filter(({ status }) => status === 0).length).toBeGreaterThanOrEqual(100);
});

test('large messages that are announced and never sent hold no room', async () => {
  const more = await Promise.all(Array.from({ length: 3 }, () => rawConnection(port)));
  const announced = Buffer.from([0, 1, 0, 0, 0, 7, 7, 7]);
  for (const { send } of [hostile, ...more]) {
    await send(Buffer.concat([preface, frame('settings', 0)]));
    for (let stream = 1; stream < 200; stream += 2) await send(Buffer.concat([call(stream), frame('data', stream, 0, announced)]));
  }
  await expect.poll(() => gateway.gateway.working(), { timeout: 20_000 }).toBe(400);
  await store();
  for (const { socket } of more) socket.destroy();
});

test('data that goes on after the end of its message, and of its stream', async () => {
  await begin();
  await hostile.send(Buffer.concat([call(1), frame('data', 1, endStream, framed(new Uint8Array(0)))]));
  await hostile.send(frame('data', 1, 0, Buffer.alloc(1000)), 100_000);
  await hostile.closed;
});
