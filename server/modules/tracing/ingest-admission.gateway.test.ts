/** Bodies without an announced length, as most exporters send them: all are accepted while there is room, and refused with Retry-After when not. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { openSocket, type RawSocket, requestText } from '../../fixtures/raw-socket.ts';
import { spansOf, traceCount } from '../../fixtures/read-back.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.stop());

const MiB = 1024 * 1024;
const newIds = () => ({ traceId: aTraceId(), spanId: aSpanId() });
const padded = (body: object, length: number) => JSON.stringify(body).padStart(length, ' ');
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** A chunked request that was admitted, before any of its body is sent. */
async function openRequest(): Promise<RawSocket> {
  const socket = openSocket(gateway.port);
  const headers = [
    `Host: localhost:${gateway.port}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    'Expect: 100-continue',
  ];
  socket.write(requestText('POST /v1/traces', headers));
  expect((await socket.answer())?.status).toBe(100);
  return socket;
}

it('accepts sixty bodies of 100 kB at once', async () => {
  const sockets = await Promise.all(Array.from({ length: 60 }, openRequest));
  for (const socket of sockets) socket.write(chunk(padded(aRequest([aSpan(newIds())]), 100_000)));
  await Promise.all(sockets.map((socket) => socket.written()));
  for (const socket of sockets) socket.write('0\r\n\r\n');
  const answers = await Promise.all(sockets.map((socket) => socket.answer()));
  expect(answers.map((answer) => answer?.status)).toEqual(sockets.map(() => 200));
  expect(await traceCount(gateway)).toBe(60);
  for (const socket of sockets) socket.cut();
});

it('refuses a body when there is no room for all of it, keeps its connection open, and accepts it later', async () => {
  const bodies = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const ids = newIds();
      return { ids, socket: await openRequest(), text: padded(aRequest([aSpan(ids)]), 19 * MiB) };
    }),
  );
  // Ten times 19 MiB have left this process before any of them ends: connections buffer far less than the gateway refuses.
  for (const { socket, text } of bodies) for (let at = 0; at < text.length; at += MiB) socket.write(chunk(text.slice(at, at + MiB)));
  await Promise.all(bodies.map(({ socket }) => socket.written()));
  for (const { socket } of bodies) socket.write('0\r\n\r\n');
  const answers = await Promise.all(bodies.map(async ({ socket }) => await socket.answer()));
  const refused = bodies.filter((_, at) => answers[at]?.status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(10);
  for (const answer of answers) {
    if (answer?.status === 200) continue;
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([503, 'keep-alive']);
    expect(answer?.headers.get('retry-after')).toMatch(/^[1-5]$/);
  }
  for (const { socket, ids } of refused) {
    const body = JSON.stringify(aRequest([aSpan(ids)]));
    socket.write(requestText('POST /v1/traces', [`Host: localhost:${gateway.port}`, 'Content-Type: application/json'], body));
    expect((await socket.answer())?.status).toBe(200);
  }
  for (const { ids, socket } of bodies) {
    expect(await spansOf(gateway, ids.traceId)).toHaveLength(1);
    socket.cut();
  }
});
