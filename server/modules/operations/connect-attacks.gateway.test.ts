/** Malicious workers on bare sockets: each is disconnected, whatever it sends or does not read, and the gateway's memory stays small. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyPermissions } from '../../../shared/contract/identity/permissions.ts';
import { connectWorker, upgradeHeaders } from '../../fixtures/a-worker.ts';
import { times } from '../../fixtures/full-numbers.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { systemClock } from '../../platform/clock.ts';

const mebibyte = 1024 * 1024;
let cloud: TestCloud;
let skippedMs = 0;

beforeAll(async () => {
  cloud = await startTestCloud({ clock: testClock(() => systemClock.now() + skippedMs) });
});
afterAll(() => cloud.stop());

/** A frame from the client's side (RFC 6455, 5.2): masked with zeros, which changes nothing of the payload. */
function frame(first: number, payload: Buffer, { masked = true, announced = payload.length } = {}): Buffer {
  const length = announced < 126 ? Buffer.from([announced]) : announced < 65_536 ? Buffer.alloc(3) : Buffer.alloc(9);
  if (length.length === 3) {
    length[0] = 126;
    length.writeUInt16BE(announced, 1);
  } else if (length.length === 9) {
    length[0] = 127;
    length.writeBigUInt64BE(BigInt(announced), 1);
  }
  if (masked) length[0] = (length[0] ?? 0) | 0x80;
  return Buffer.concat([Buffer.from([first]), length, ...(masked ? [Buffer.alloc(4)] : []), payload]);
}

const text = 0x81;
const heartbeat = frame(text, Buffer.from('{"type":"heartbeat"}'));

async function openWorkerSocket(key = cloud.tenant.api_key): Promise<Socket> {
  const socket = connect({ port: Number(new URL(cloud.url).port), host: '127.0.0.1' });
  socket.on('error', () => {});
  const headers = { host: new URL(cloud.url).host, ...upgradeHeaders, authorization: `Bearer ${key}` };
  socket.write(
    `GET /v1/connect HTTP/1.1\r\n${Object.entries(headers)
      .map((pair) => `${pair.join(': ')}\r\n`)
      .join('')}\r\n`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.toString().startsWith('HTTP/1.1 101')) throw new Error(head.toString());
  return socket;
}

/** The code that the gateway closes with, once the connection has ended; 1006 without a close frame. */
async function closeCodeOf(socket: Socket): Promise<number> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  const bytes = Buffer.concat(chunks);
  for (let at = 0; at + 1 < bytes.length; at += 2 + ((bytes[at + 1] ?? 0) & 0x7f))
    if (bytes[at] === 0x88) return (bytes[at + 1] ?? 0) >= 2 ? bytes.readUInt16BE(at + 2) : 1005;
  return 1006;
}

describe('invalid frames', () => {
  const bomb = deflateRawSync(Buffer.alloc(64 * mebibyte));

  it.each<[what: string, bytes: () => Buffer, code: number]>([
    ['a frame of 100 MiB', () => frame(text, Buffer.alloc(10), { announced: 100 * mebibyte }), 1009],
    ['a frame one byte over the limit', () => frame(text, Buffer.alloc(mebibyte + 1, 'x')), 1009],
    [
      'a message over the limit, in pieces',
      () => Buffer.concat([frame(0x01, Buffer.alloc(mebibyte, 'x')), frame(0x00, Buffer.from('x'))]),
      1009,
    ],
    ['a frame without a mask', () => frame(text, Buffer.from('{}'), { masked: false }), 1002],
    ['an unknown opcode', () => frame(0x83, Buffer.from('x')), 1002],
    ['an unknown control opcode', () => frame(0x8b, Buffer.alloc(0)), 1002],
    ['a long ping', () => frame(0x89, Buffer.alloc(126)), 1002],
    ['a ping in pieces', () => frame(0x09, Buffer.alloc(1)), 1002],
    ['a continuation of nothing', () => frame(0x80, Buffer.from('x')), 1002],
    ['a new message within another', () => Buffer.concat([frame(0x01, Buffer.from('x')), frame(0x01, Buffer.from('y'))]), 1002],
    ['a close of one byte', () => frame(0x88, Buffer.alloc(1)), 1002],
    ['a close with an invalid code', () => frame(0x88, Buffer.from([0x03, 0xed])), 1002],
    ['text that is not UTF-8', () => frame(text, Buffer.from([0xff, 0xfe])), 1007],
    ['half a character', () => frame(text, Buffer.from([0xe2, 0x82])), 1007],
    ['a compressed bomb, without negotiated compression', () => frame(0xc1, bomb), 1002],
    [
      'endless pieces of one byte',
      () => Buffer.concat([frame(0x01, Buffer.from('x')), ...Array(1100).fill(frame(0x00, Buffer.from('x')))]),
      1008,
    ],
    [
      'endless pieces of nothing',
      () => Buffer.concat([frame(0x01, Buffer.alloc(0)), ...Array(1100).fill(frame(0x00, Buffer.alloc(0)))]),
      1008,
    ],
    ['a flood of pings', () => Buffer.concat(Array(20_000).fill(frame(0x89, Buffer.from('x')))), 1008],
  ])('%s: closed', async (_, bytes, code) => {
    const socket = await openWorkerSocket();
    socket.write(bytes());
    expect(await closeCodeOf(socket)).toBe(code);
  });

  it('a message that is never finished does not keep the connection alive: closed after 90 s', async () => {
    const socket = await openWorkerSocket();
    socket.write(frame(0x01, Buffer.from('{"type":')));
    socket.write(frame(0x00, Buffer.from('"heart')));
    skippedMs += 90_001;
    expect(await closeCodeOf(socket)).toBe(1000);
  });
});

/** Memory of the whole gateway, which is this process, after a garbage collection. */
const memoryBytes = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

it(`${times(40, 200)} workers that send without end and read nothing leave memory as it was`, async () => {
  const count = times(40, 200);
  const keys: string[] = [];
  const apps: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = (await cloud.tenant.owner.apps.create({ body: { name: `deaf-${n}` } })).data;
    const { data } = await cloud.as(cloud.tenant.token, id).apiKeys.create({ body: { name: 'deaf', permissions: [...keyPermissions] } });
    keys.push(data.plaintext_key);
    apps.push(id);
  }
  const sockets = await Promise.all(keys.map((key) => openWorkerSocket(key)));
  for (const socket of sockets) socket.pause();
  const before = memoryBytes();
  const rssBefore = process.memoryUsage.rss();
  const flood = Buffer.concat(Array(500).fill(heartbeat));
  let peak = 0;
  const rounds = times(20, 160);
  for (let round = 0; round < rounds; round++) {
    await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.write(flood, () => resolve()))));
    peak = Math.max(peak, memoryBytes() - before);
  }
  const sent = count * rounds * 500;
  const isDisconnected = async (app: string) => (await cloud.as(cloud.tenant.token, app).experimentRuns.worker()).data === null;
  const disconnected = (await Promise.all(apps.map(isDisconnected))).filter(Boolean).length;
  const rss = (process.memoryUsage.rss() - rssBefore) / mebibyte;
  const inMiB = `${(peak / mebibyte).toFixed(1)} MiB held at most, ${rss.toFixed(1)} MiB of RSS`;
  process.stdout.write(
    `deaf: ${count} workers sent ${sent} frames and read nothing; ${inMiB} beyond before; ${disconnected} were disconnected\n`,
  );
  // Unread answers wait in the kernel and, for each connection, in at most 4 KiB and one frame of ours.
  expect(peak).toBeLessThan(count * 128 * 1024 + 48 * mebibyte);
  // Everybody else is served meanwhile.
  const worker = await connectWorker(cloud.url, cloud.tenant.api_key);
  worker.say({ type: 'heartbeat' });
  await worker.next('heartbeat-ack');
  worker.socket.terminate();
  for (const socket of sockets) socket.destroy();
});
