/** docs/reference/ingest.md#cases, the rows about connections, load and the end of the process: 32 to 34, 46, 47. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { readFields, requestBytes } from '../../../shared/fixtures/otlp-protobuf.ts';
import { accepted, json, sendAs } from '../../fixtures/otlp-forms.ts';
import { openSocket, type RawSocket, requestText } from '../../fixtures/raw-socket.ts';
import { ingestLog, rawSpan, spansOf, traceCount } from '../../fixtures/read-back.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { queueLimits } from '../../ingest/admission.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.stop());

const newIds = () => ({ traceId: aTraceId(), spanId: aSpanId() });
const MiB = 1024 * 1024;

/** The head of a POST whose body follows, in full or in part. */
const head = (length: number, ...more: string[]) =>
  requestText('POST /v1/traces', [
    `Host: localhost:${gateway.port}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...more,
  ]);

/** A request without an end. The server has confirmed that it has read the head. */
async function unfinished(length: number): Promise<RawSocket> {
  const socket = openSocket(gateway.port);
  socket.write(head(length, 'Expect: 100-continue'));
  expect((await socket.answer())?.status).toBe(100);
  return socket;
}

/** An unfinished request that takes up room: its body is complete but for the end. */
async function almostComplete(length: number): Promise<RawSocket> {
  const socket = await unfinished(length);
  socket.write(' '.repeat(length - 1));
  return socket;
}

/** Repeats a check until it holds. */
const eventually = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 120_000, interval: 10 });

describe('row 32: a sender that hangs up in the middle of its body', () => {
  it('stores nothing, affects nobody else, and is not logged as our fault', async () => {
    const body = JSON.stringify(aRequest([aSpan()]));
    const socket = await unfinished(body.length);
    socket.write(body.slice(0, -10));
    socket.cut();
    const [entry] = await eventually(async () => {
      const entries = await ingestLog(gateway);
      expect(entries).toHaveLength(1);
      return entries;
    });
    expect(entry).toMatchObject({ status: 400, message: expect.stringContaining('disconnected'), spans_accepted: 0 });
    expect(await traceCount(gateway)).toBe(0);
    expect(await sendAs(json, gateway, aRequest([aSpan()]))).toMatchObject(accepted);
  });
});

describe('row 33: a sender that hangs up before it receives the answer', () => {
  it('has its spans stored, and its retry changes nothing', async () => {
    const ids = newIds();
    const request = aRequest([aSpan(ids)]);
    const body = JSON.stringify(request);
    const socket = openSocket(gateway.port);
    socket.write(head(body.length) + body);
    await eventually(async () => expect(await rawSpan(gateway, ids)).not.toBeNull());
    socket.cut();
    expect(await sendAs(json, gateway, request)).toMatchObject(accepted);
    expect(await spansOf(gateway, ids.traceId)).toHaveLength(1);
  });
});

describe('row 34: more than may wait', () => {
  const overloaded = { status: 503, code: 'service_unavailable', retryAfter: expect.stringMatching(/^[1-5]$/) };

  it('by bytes is refused with Retry-After, before its body is read', async () => {
    const pending = await Promise.all([20, 20, 20].map((size) => almostComplete(size * MiB)));
    await eventually(async () => expect(await sendAs(json, gateway, aRequest([aSpan()]))).toMatchObject(overloaded));
    const refused = openSocket(gateway.port);
    refused.write(head(5 * MiB));
    const answer = await refused.answer();
    const seconds = answer?.headers.get('retry-after');
    expect([answer?.status, seconds, answer?.headers.get('connection')]).toEqual([503, overloaded.retryAfter, 'close']);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ error: { code: 'service_unavailable', retry_after_seconds: Number(seconds) } });
    for (const socket of pending) socket.cut();
    await eventually(async () =>
      expect(await sendAs(json, gateway, aRequest([aSpan({ attributes: { big: 'x'.repeat(6 * MiB) } })]))).toMatchObject(accepted),
    );
  });

  it('by number is refused too, and accepted again once they are gone', async () => {
    const pending = await Promise.all(Array.from({ length: queueLimits.requestsMax }, () => unfinished(10)));
    expect(await sendAs(json, gateway, aRequest([aSpan()]))).toMatchObject(overloaded);
    expect((await gateway.fetch('/health')).status).toBe(200);
    expect((await gateway.fetch('/v1/traces')).status).toBe(200);
    for (const socket of pending) socket.cut();
    await eventually(async () => expect(await sendAs(json, gateway, aRequest([aSpan()]))).toMatchObject(accepted));
  });

  it('loses nothing when everybody retries until they are accepted', async () => {
    const pending = await Promise.all([20, 20, 20].map((size) => almostComplete(size * MiB)));
    await eventually(async () => expect(await sendAs(json, gateway, aRequest([aSpan()]))).toMatchObject(overloaded));
    const spans = Array.from({ length: 60 }, newIds);
    const big = 'x'.repeat(MiB);
    let refusals = 0;
    await Promise.all(
      spans.map((ids) =>
        eventually(async () => {
          const { status } = await sendAs(json, gateway, aRequest([aSpan({ ...ids, attributes: { big } })]));
          if (status !== 200 && ++refusals === 20) for (const socket of pending) socket.cut();
          expect(status).toBe(200);
        }),
      ),
    );
    expect(refusals).toBeGreaterThanOrEqual(20);
    for (const ids of spans) expect(await spansOf(gateway, ids.traceId)).toHaveLength(1);
  });
});

describe('row 46: a clock that jumps', () => {
  it('back or ahead leaves every span readable, and later ones are stored as usual', async () => {
    const sent = [];
    try {
      for (const year of [2026, 2001, 2099, 2026]) {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(year, 0, 15) });
        const ids = newIds();
        expect(await sendAs(json, gateway, aRequest([aSpan(ids)]))).toMatchObject(accepted);
        sent.push(ids);
      }
    } finally {
      vi.useRealTimers();
    }
    for (const ids of sent) expect(await rawSpan(gateway, ids)).not.toBeNull();
    expect(await traceCount(gateway)).toBe(4);
  });
});

describe('row 47: shutdown', () => {
  it('answers running requests, refuses new ones, and leaves no write-ahead log behind', async () => {
    const ids = newIds();
    for (let sent = 0; sent < 20; sent++) await sendAs(json, gateway, aRequest([aSpan({ attributes: { text: `${sent}`.repeat(2000) } })]));
    const body = JSON.stringify(aRequest([aSpan(ids)]));
    const running = await unfinished(body.length);
    running.write(body.slice(0, 50));
    const stopping = gateway.gateway.stop();

    const late = openSocket(gateway.port);
    late.write(head(body.length) + body);
    const refusal = await late.answer();
    expect([refusal?.status, refusal?.headers.get('connection'), refusal?.headers.get('retry-after')]).toEqual([503, 'close', '1']);

    running.write(body.slice(50));
    expect(await running.answer()).toMatchObject({ status: 200, body: expect.stringContaining('requestId') });
    await stopping;
    await running.closed;
    for (const suffix of ['-wal', '-shm']) expect(existsSync(join(gateway.dataDir, `telemetry.db${suffix}`))).toBe(false);

    gateway = await startTestGateway({ dataDir: gateway.dataDir });
    expect(await rawSpan(gateway, ids)).not.toBeNull();
    expect(await traceCount(gateway)).toBe(21);
  });

  it('refuses protobuf in protobuf', async () => {
    const running = await unfinished(10);
    const stopping = gateway.gateway.stop();
    const response = await gateway.ingest(requestBytes(aRequest([aSpan()])), { 'Content-Type': 'application/x-protobuf' });
    expect([response.status, response.headers.get('content-type')]).toEqual([503, 'application/x-protobuf']);
    const message = readFields(new Uint8Array(await response.arrayBuffer())).find(({ field }) => field === 2)?.value as Uint8Array;
    expect(Buffer.from(message).toString()).toBe('service_unavailable: The gateway is shutting down');
    running.cut();
    await stopping;
    gateway = await startTestGateway({ dataDir: gateway.dataDir });
  });

  it('under load keeps every span it acknowledged', async () => {
    const acknowledged: { traceId: string; spanId: string }[] = [];
    let ended = false;
    const senders = Array.from({ length: 8 }, async () => {
      while (!ended) {
        const ids = newIds();
        const response = await sendAs(json, gateway, aRequest([aSpan(ids)])).catch(() => null);
        if (response?.status === 200) acknowledged.push(ids);
      }
    });
    await eventually(async () => expect(acknowledged.length).toBeGreaterThan(100));
    await gateway.gateway.stop();
    ended = true;
    await Promise.all(senders);
    gateway = await startTestGateway({ dataDir: gateway.dataDir });
    for (const ids of acknowledged) expect(await rawSpan(gateway, ids)).not.toBeNull();
  });

  it('does not wait for a live stream, nor for a body that never arrives', async () => {
    const stream = openSocket(gateway.port);
    stream.write(requestText('GET /v1/viewer/live', [`Host: localhost:${gateway.port}`]));
    expect((await stream.answer())?.status).toBe(200);
    await gateway.gateway.stop();
    await stream.closed;

    gateway = await startTestGateway({ dataDir: gateway.dataDir });
    const stuck = await unfinished(100);
    await gateway.gateway.stop();
    await stuck.closed;
    gateway = await startTestGateway({ dataDir: gateway.dataDir });
  });
});
