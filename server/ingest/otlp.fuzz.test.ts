/**
 * Fuzz as a property, through real HTTP: no body is answered with a 5xx or takes a thread down, and a good span is never lost to
 * what stands beside it. `GLASSHOUSE_FUZZ=200000` makes the long run; `GLASSHOUSE_FUZZ_SEED` repeats one.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aSpan, aTraceId } from '../../shared/fixtures/otlp.ts';
import { type Body, bodyOf, plan } from '../fixtures/hostile-bodies.ts';
import { rawSpan, spansOf } from '../fixtures/read-back.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';

const bodiesMax = Number(process.env['GLASSHOUSE_FUZZ'] ?? 5000);
const seed = Number(process.env['GLASSHOUSE_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const roundSize = 250;
const together = 48;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

interface Sent {
  body: Body;
  good: { traceId: string; spanId: string; span: Record<string, unknown> };
  status: number;
  answer: string;
}

const wrong: string[] = [];
const counts = new Map<number, number>();

/** Notes what broke a promise, with what is needed to see it again. */
function complain(what: string, { body, status, answer }: Sent, round: number): void {
  const sent = `${JSON.stringify(body.headers)} ${Buffer.from(body.bytes).toString('base64').slice(0, 20_000)}`;
  wrong.push(`${what}: ${status} ${answer.slice(0, 300)}\n  seed ${seed}, round ${round}\n  ${sent}`);
}

async function send(body: Body, good: Sent['good']): Promise<Sent> {
  const response = await gateway.ingest(body.bytes, body.headers);
  return { body, good, status: response.status, answer: Buffer.from(await response.arrayBuffer()).toString() };
}

function goodSpan(traceId: string, index: number): Sent['good'] {
  const spanId = (index + 1).toString(16).padStart(16, 'f');
  return { traceId, spanId, span: aSpan({ traceId, spanId, attributes: { index, text: `good ${index}` } }) };
}

/** Sends one round, a few at a time, and checks each answer. */
async function sendRound(round: number): Promise<Sent[]> {
  const traceId = aTraceId();
  const plans = fc.sample(plan, { seed: seed + round, numRuns: Math.min(roundSize, bodiesMax - round * roundSize) }).entries();
  const done: Sent[] = [];
  const worker = async () => {
    for (const [index, one] of plans) {
      const good = goodSpan(traceId, index);
      done.push(await send(bodyOf(one, good.span), good));
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
  for (const sent of done) {
    counts.set(sent.status, (counts.get(sent.status) ?? 0) + 1);
    if (sent.status >= 500) complain('our fault', sent, round);
    else if (sent.body.sound && sent.status !== 200) complain('a sound envelope was refused', sent, round);
    else if (![200, 400, 413].includes(sent.status)) complain('an answer nobody knows', sent, round);
  }
  return done;
}

/** Every acknowledged good span is there, and some are compared whole. */
async function readBack(done: Sent[], round: number): Promise<void> {
  const [first] = done;
  if (!first) return;
  const stored = new Set((await spansOf(gateway, first.good.traceId)).map(({ id }) => id));
  for (const sent of done) if (sent.body.sound && !stored.has(sent.good.spanId)) complain('a good span was lost', sent, round);
  for (const sent of done.filter(({ body }) => body.sound).slice(0, 5)) {
    const raw = await rawSpan(gateway, sent.good);
    if (JSON.stringify(raw?.span['attributes']) !== JSON.stringify(sent.good.span['attributes']))
      complain('a good span was changed', sent, round);
  }
}

/** What the hostile ones left behind can be listed and opened. */
async function readEverything(round: number): Promise<void> {
  const lists = ['/v1/traces?limit=100', '/v1/spans?limit=100', '/v1/sessions?limit=100', '/v1/viewer/ingest-log?limit=100', '/health'];
  const newest = await gateway.client.traces.list({ query: { limit: 10 } });
  const opened = newest.data.flatMap(({ id }) => {
    const path = `/v1/traces/${encodeURIComponent(id)}`;
    return [path, `${path}?fields=graph`, `${path}/spans`];
  });
  for (const path of [...lists, ...opened]) {
    const response = await gateway.fetch(path);
    await response.arrayBuffer();
    // An id of one or two dots cannot stand in a path; browsers and clients take it out.
    if (response.status !== 200 && !/\/\.{1,2}(\/|\?|$)/.test(path))
      wrong.push(`${path} was answered with ${response.status}: seed ${seed}, round ${round}`);
  }
}

it(`answers ${bodiesMax} hostile bodies, loses no good span and no thread`, { timeout: 300_000 + bodiesMax * 60 }, async () => {
  process.stdout.write(`fuzz: ${bodiesMax} bodies, repeat with GLASSHOUSE_FUZZ_SEED=${seed}\n`);
  const { instance } = await gateway.client.platform.capabilities();
  for (let round = 0; round * roundSize < bodiesMax && wrong.length < 20; round++) {
    const done = await sendRound(round);
    await readBack(done, round);
    await readEverything(round);
  }
  process.stdout.write(`fuzz: answers ${JSON.stringify(Object.fromEntries(counts))}\n`);
  expect(wrong).toEqual([]);
  expect((await gateway.client.platform.capabilities()).instance).toBe(instance);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  await gateway.restart();
  expect((await gateway.fetch('/v1/traces')).status).toBe(200);
});
