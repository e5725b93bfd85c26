/** How large a body may be, and of what type. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openSocket, requestText } from '../fixtures/raw-socket.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import { otlpLimits } from '../ingest/otlp/limits.ts';
import { Failure } from './fail.ts';
import { readBytes, readMedia } from './read-body.ts';

const MiB = 1024 * 1024;

function incoming(body: string | Uint8Array | Uint8Array[], headers: Record<string, string> = {}): IncomingMessage {
  const chunks = Array.isArray(body) ? body : [Buffer.from(body as string)];
  return Object.assign(Readable.from(chunks.filter(({ length }) => length > 0)), { headers }) as unknown as IncomingMessage;
}

async function codeOf(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return 'read';
}

describe('bytes under a limit', () => {
  const parts = (...sizes: number[]) => sizes.map((size) => new Uint8Array(size).fill(7));

  it.each([
    [[], 0],
    [[100], 100],
    [[40, 60], 100],
  ])('in chunks of %j are read completely', async (sizes, size) => {
    const bytes = await readBytes(incoming(parts(...sizes)), 100);
    expect([bytes.length, bytes.every((byte) => byte === 7)]).toEqual([size, true]);
  });

  it('are refused the moment they pass it, before more is read', async () => {
    let read = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          read++;
          yield Buffer.alloc(10);
        }
      })(),
      { highWaterMark: 1 },
    );
    expect(await codeOf(readBytes(Object.assign(endless, { headers: {} }) as unknown as IncomingMessage, 100))).toBe('payload_too_large');
    expect(read).toBeLessThan(20);
  });

  it('are refused unread where their length is announced as too large', async () => {
    const untouched = Object.assign(
      new Readable({
        read() {
          throw new Error('the body was read');
        },
      }),
      { headers: { 'content-length': '101' } },
    );
    expect(await codeOf(readBytes(untouched as unknown as IncomingMessage, 100))).toBe('payload_too_large');
  });

  it('are counted, whatever their Content-Length says', async () => {
    for (const length of ['5', '-1', '1e1', 'few', ''])
      expect(await codeOf(readBytes(incoming(parts(101), { 'content-length': length }), 100))).toBe('payload_too_large');
  });
});

describe('a media type', () => {
  const served = ['application/json', 'application/x-protobuf'];
  const media = (headers: Record<string, string>) => codeOf(Promise.resolve().then(() => readMedia(incoming('', headers), served)));

  test.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['Application/JSON;Charset="UTF-8"'],
    ['application/json ; profile=x; charset=utf8'],
    ['application/x-protobuf'],
  ])('%j is served', async (type) => {
    expect(await media({ 'content-type': type })).toBe('read');
  });

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
    ['application/json, text/plain'],
    ['application/json; charset=latin1'],
    ['application/json; charset=utf-16'],
    ['application'],
    ['*/*'],
    [''],
  ])('%j is not', async (type) => {
    expect(await media({ 'content-type': type })).toBe('unsupported_media_type');
  });

  test.each<[encoding: string, code: string]>([
    ['gzip', 'read'],
    ['GZIP', 'read'],
    ['identity', 'read'],
    ['deflate', 'read'],
    ['zstd', 'read'],
    ['br', 'unsupported_media_type'],
    ['zlib', 'unsupported_media_type'],
    ['zstd, gzip', 'unsupported_media_type'],
    ['gzip, gzip', 'unsupported_media_type'],
    ['gzip;q=1', 'unsupported_media_type'],
  ])('with the encoding %j is %s', async (encoding, code) => {
    expect(await media({ 'content-encoding': encoding })).toBe(code);
  });
});

describe('an oversized body on the wire', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const limit = otlpLimits.bodyBytesMax;
  const head = (header: string) =>
    requestText('POST /v1/traces', [`Host: localhost:${gateway.port}`, 'Content-Type: application/json', header]);

  it('is refused by its Content-Length, before a byte of it was sent', async () => {
    const socket = openSocket(gateway.port);
    socket.write(head(`Content-Length: ${limit + 1}`));
    const answer = await socket.answer();
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([413, 'close']);
    expect(JSON.parse(answer?.body ?? '')).toEqual({ error: { code: 'payload_too_large', message: expect.any(String), limit } });
    await socket.closed;
  });

  it('is refused as soon as it passes the limit where its length was not announced', async () => {
    const socket = openSocket(gateway.port);
    socket.write(head('Transfer-Encoding: chunked'));
    const chunk = Buffer.concat([Buffer.from(`${MiB.toString(16)}\r\n`), Buffer.alloc(MiB, ' '), Buffer.from('\r\n')]);
    for (let sent = 0; sent <= limit; sent += MiB) socket.write(chunk);
    const answer = await socket.answer();
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([413, 'close']);
    await socket.closed;
  });

  it.each([
    ['whose length was announced', `Content-Length: ${limit + MiB}`, Buffer.alloc(MiB, ' ')],
    [
      'whose length was not',
      'Transfer-Encoding: chunked',
      Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MiB, ' '), Buffer.from('\r\n')]),
    ],
  ])('%s is read to its end after the answer: a proxy that is cut off while it sends reports a bad gateway', async (_, header, chunk) => {
    const socket = openSocket(gateway.port);
    socket.write(head(header));
    for (let sent = 0; sent <= limit; sent += MiB) socket.write(chunk);
    expect((await socket.answer())?.status).toBe(413);
    // More than the buffers of two sockets hold while nobody reads.
    for (let sent = 0; sent < 64 && header.startsWith('Transfer'); sent++) socket.write(chunk);
    if (header.startsWith('Transfer')) socket.write('0\r\n\r\n');
    await socket.written();
    await socket.closed;
    expect(socket.failure()).toBe(null);
  });

  it('is refused in protobuf where protobuf was sent', async () => {
    const socket = openSocket(gateway.port);
    socket.write(head(`Content-Length: ${limit + 1}`).replace('application/json', 'application/x-protobuf'));
    const answer = await socket.answer();
    expect([answer?.status, answer?.headers.get('content-type')]).toEqual([413, 'application/x-protobuf']);
    expect(answer?.body).toContain('payload_too_large: ');
    socket.cut();
  });

  it('may be as large as the limit, compressed or not, and not a byte more', async () => {
    const body = (size: number) => Buffer.concat([Buffer.from('{}'), Buffer.alloc(size - 2, ' ')]);
    const gzip = { 'Content-Encoding': 'gzip' };
    for (const [size, status] of [
      [limit, 200],
      [limit + 1, 413],
    ] as const) {
      expect((await gateway.ingest(body(size))).status).toBe(status);
      expect((await gateway.ingest(gzipSync(body(size)), gzip)).status).toBe(status);
    }
  });
});
