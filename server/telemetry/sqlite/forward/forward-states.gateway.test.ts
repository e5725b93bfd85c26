/** Forwarding states of traces, and records of destinations, in a store of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aChat, aSpanId, aTraceId, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import type { LocalTelemetryStore } from '../../local-telemetry-store.ts';
import { openSqliteTelemetry } from '../store.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
const worker = new URL('../../../entry/thread.ts', import.meta.url);
const none = { count: 0, message: '' };

let folder: string;
let store: LocalTelemetryStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-forward-states-'));
  store = await openSqliteTelemetry(folder, worker);
});
afterEach(async () => {
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
});

const send = async (count = 1, traceId = aTraceId()) => {
  await store.writer.write(
    scope,
    batchOf(
      Array.from({ length: count }, () => aChat({ traceId, spanId: aSpanId() })),
      testEpochMs,
    ),
  );
  return traceId;
};
const state = async (...traceIds: string[]) => (await store.forwarding.traces(scope, traceIds)).decode();
const waiting = async () => (await store.forwarding.waiting(scope, 'cloud')).decode();
const record = async () => (await store.forwarding.list(scope)).decode()[0];
const next = async (most = 512) => (await store.forwarding.next(scope, 'cloud', most, false))?.decode().to ?? 0;

it('a trace is queued, then sent, and shows what was refused and why', async () => {
  await store.forwarding.begin(scope, 'cloud', false);
  const [plain, refused] = [await send(2), await send(3)];
  expect(await state(plain, aTraceId())).toEqual([[expect.objectContaining({ name: 'cloud', waiting: 2, sent: 0 })], null]);
  await store.forwarding.ack(scope, 'cloud', await next(2), { ...none, receipt: 'request 7' });
  await store.forwarding.ack(scope, 'cloud', await next(), { count: 1, message: 'too old' });
  expect(await state(plain, refused)).toMatchObject([
    [{ waiting: 0, sent: 2, refused: 0, sent_ms: expect.any(Number) }],
    [{ waiting: 0, sent: 3, refused: 1, refusal: 'too old' }],
  ]);
  expect(await record()).toMatchObject({ sent: 4, refused: 1, receipt: '', success_ms: expect.any(Number) });
});

it('a trace of which nothing was sent does not count as sent', async () => {
  await store.forwarding.begin(scope, 'cloud', false);
  const [left, stayed] = [await send(), await send()];
  await store.forwarding.ack(scope, 'cloud', await next(1), { ...none, sent: 1 });
  const retained = await next(1);
  await store.forwarding.ack(scope, 'cloud', retained, { ...none, sent: 0, retained: [retained] });
  expect(await state(left, stayed)).toMatchObject([[{ sent: 1 }], []]);
  // Beside a trace that was sent.
  const [other, again] = [await send(), await send()];
  const to = await next(2);
  await store.forwarding.ack(scope, 'cloud', to, { ...none, sent: 1, retained: [to] });
  expect(await state(other, again)).toMatchObject([[{ sent: 1 }], []]);
});

it('without automatic forwarding, a trace is queued only on request, whole and once, and its state is reset', async () => {
  await store.forwarding.begin(scope, 'cloud', true, { automatic: false });
  const [chosen, left] = [await send(2), await send()];
  expect(await waiting()).toMatchObject({ spans: 0, oldest_ms: null });
  for (let asked = 0; asked < 2; asked++) await store.forwarding.queueTraces(scope, 'cloud', [chosen, aTraceId()]);
  expect(await waiting()).toMatchObject({ spans: 2, oldest_ms: testEpochMs });
  await store.forwarding.deadLetter(scope, 'cloud', await next(1), 'no');
  expect(await state(chosen, left)).toMatchObject([[{ waiting: 1, dead_letters: 1, dead_letter_reason: 'no' }], []]);
  await store.forwarding.queueTraces(scope, 'cloud', [chosen]);
  expect(await state(chosen)).toMatchObject([[{ waiting: 2, dead_letters: 0 }]]);
});

it('a failure is cleared by the next accepted batch; the last error stays', async () => {
  await store.forwarding.begin(scope, 'cloud', false, { about: '{"url":"x"}' });
  await send();
  await store.forwarding.recordFailure(scope, 'cloud', '{"state":1}', '{"code":"401"}');
  await store.forwarding.set(scope, 'cloud', { automatic: false });
  expect(await record()).toMatchObject({ automatic: false, about: '{"url":"x"}', failure: '{"state":1}', last_error: '{"code":"401"}' });
  await store.forwarding.ack(scope, 'cloud', await next(), none);
  expect(await record()).toMatchObject({ failure: '', last_error: '{"code":"401"}' });
});

it('dead letters are listed with kind and name, and can be read as valid requests', async () => {
  await store.forwarding.begin(scope, 'cloud', false);
  const traceId = await send(2);
  for (const reason of ['first', 'second']) await store.forwarding.deadLetter(scope, 'cloud', await next(1), reason);
  const { data, total } = await store.forwarding.deadLetters(scope, 'cloud', { limit: 1, offset: 0 });
  expect([total, data.decode().length, data.decode()[0]?.trace_id]).toEqual([2, 1, traceId]);
  const lines = Buffer.from(await store.forwarding.deadLetterLines(scope, 'cloud', 10))
    .toString()
    .trim()
    .split('\n');
  expect(lines.map((line) => Object.keys(JSON.parse(line) as object))).toEqual([['resourceSpans'], ['resourceSpans']]);
});

it('the id of a store never changes', async () => {
  const name = (await store.forwarding.installation(scope)).decode();
  await store.stop();
  store = await openSqliteTelemetry(folder, worker);
  expect((await store.forwarding.installation(scope)).decode()).toBe(name);
  expect(name).toMatch(/^[0-9a-f]{32}$/);
});
