/**
 * Property-based fuzzing over HTTP: no body is answered with a 5xx or stops a thread, and no valid span is lost because of the items beside
 * it. `GLASSHOUSE_FUZZ=200000` makes a long run; `GLASSHOUSE_FUZZ_SEED` repeats a run.
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
const concurrency = 48;

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

const violations: string[] = [];
const counts = new Map<number, number>();

/** Records a broken guarantee, with all that is needed to reproduce it. */
function report(what: string, { body, status, answer }: Sent, round: number): void {
  const sent = `${JSON.stringify(body.headers)} ${Buffer.from(body.bytes).toString('base64').slice(0, 20_000)}`;
  violations.push(`${what}: ${status} ${answer.slice(0, 300)}\n  seed ${seed}, round ${round}\n  ${sent}`);
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
  const exchanges: Sent[] = [];
  const sender = async () => {
    for (const [index, bodyPlan] of plans) {
      const good = goodSpan(traceId, index);
      exchanges.push(await send(bodyOf(bodyPlan, good.span), good));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sender));
  for (const sent of exchanges) {
    counts.set(sent.status, (counts.get(sent.status) ?? 0) + 1);
    if (sent.status >= 500) report('a server error', sent, round);
    else if (sent.body.sound && sent.status !== 200) report('a sound envelope was refused', sent, round);
    else if (![200, 400, 413].includes(sent.status)) report('an undocumented status', sent, round);
  }
  return exchanges;
}

/** Checks that every acknowledged good span is stored, and compares some in full. */
async function readBack(exchanges: Sent[], round: number): Promise<void> {
  const [first] = exchanges;
  if (!first) return;
  const stored = new Set((await spansOf(gateway, first.good.traceId)).map(({ id }) => id));
  for (const sent of exchanges) if (sent.body.sound && !stored.has(sent.good.spanId)) report('a good span was lost', sent, round);
  for (const sent of exchanges.filter(({ body }) => body.sound).slice(0, 5)) {
    const raw = await rawSpan(gateway, sent.good);
    if (JSON.stringify(raw?.span['attributes']) !== JSON.stringify(sent.good.span['attributes']))
      report('a good span was changed', sent, round);
  }
}

/** Checks that whatever the hostile bodies stored can be listed and opened. */
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
    // An id of one or two dots cannot be sent in a path: clients normalise it away.
    if (response.status !== 200 && !/\/\.{1,2}(\/|\?|$)/.test(path))
      violations.push(`${path} was answered with ${response.status}: seed ${seed}, round ${round}`);
  }
}

it(`answers ${bodiesMax} hostile bodies, loses no good span and no thread`, { timeout: 300_000 + bodiesMax * 60 }, async () => {
  process.stdout.write(`fuzz: ${bodiesMax} bodies, repeat with GLASSHOUSE_FUZZ_SEED=${seed}\n`);
  const { instance } = await gateway.client.platform.capabilities();
  for (let round = 0; round * roundSize < bodiesMax && violations.length < 20; round++) {
    const exchanges = await sendRound(round);
    await readBack(exchanges, round);
    await readEverything(round);
  }
  process.stdout.write(`fuzz: answers ${JSON.stringify(Object.fromEntries(counts))}\n`);
  expect(violations).toEqual([]);
  expect((await gateway.client.platform.capabilities()).instance).toBe(instance);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  await gateway.restart();
  expect((await gateway.fetch('/v1/traces')).status).toBe(200);
});
