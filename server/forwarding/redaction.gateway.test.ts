/** A thousand secrets in every field of a real store: none is in the bytes that would be sent. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hiddenKinds, noRedaction, type RedactionPolicy } from '../../shared/contract/operations/redaction.ts';
import { type AttributeInput, aChat, aSpanId, aTraceId } from '../../shared/fixtures/otlp.ts';
import { type SeededSecret, seededSecrets } from '../fixtures/seeded-secrets.ts';
import { decodeJson } from '../ingest/otlp/decode-json.ts';
import type { RawLog, RawValue } from '../ingest/otlp/raw-span.ts';
import { systemClock } from '../platform/clock.ts';
import { batchOf } from '../telemetry/conformance/batch-of.ts';
import type { LocalTelemetryStore } from '../telemetry/local-telemetry-store.ts';
import { openSqliteTelemetry, telemetryFile } from '../telemetry/sqlite/store.ts';
import { StoreOutbox } from './forwarder.ts';
import { Redaction } from './redaction.ts';
import type { RedactionSetting } from './redaction-thread.ts';

const scope = { tenant_id: 'local', app_id: 'local' };
const worker = new URL('../entry/thread.ts', import.meta.url);
const token_key = new Uint8Array(32).fill(3);
const hidden = (policy: Partial<RedactionPolicy>): RedactionSetting => ({ policy: { ...noRedaction, ...policy }, token_key });

let folder: string;
let store: LocalTelemetryStore;
let redaction: Redaction;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-redaction-'));
  store = await openSqliteTelemetry(folder, worker);
  redaction = new Redaction(worker);
});
afterEach(async () => {
  await redaction.stop();
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
});

const outbox = (setting: RedactionSetting) =>
  new StoreOutbox({ telemetry: store, redaction, scope, name: 'cloud', setting, clock: systemClock });

/** Empties the outbox. Returns the text that would be sent. */
async function drained(setting: RedactionSetting): Promise<{ text: string; kinds: string[]; retainedCount: number; spans: number }> {
  const all = { text: '', kinds: [] as string[], retainedCount: 0, spans: 0 };
  for (;;) {
    const batch = await outbox(setting).next(512);
    if (!batch) return all;
    all.text += gunzipSync(batch.body).toString();
    all.kinds.push(batch.kind);
    all.retainedCount += batch.retained.length;
    all.spans += batch.kind === 'spans' ? batch.count : 0;
    await outbox(setting).ack(batch, { count: 0, message: '' });
  }
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const isPlain = (text: string) => !/\s/.test(text);

/** Every place of a text in a span. Each secret gets a span of its own, so that a finding belongs to it. */
const places: readonly [
  string,
  (seed: SeededSecret) => { span?: object; attribute?: AttributeInput; resource?: true; log?: Partial<RawLog> },
][] = [
  ['a text', ({ text }) => ({ attribute: `Please use ${text} from now on.` })],
  ['a list', ({ text }) => ({ attribute: ['one', [text, 2]] })],
  ['a map', ({ text }) => ({ attribute: { a: { b: ['x', { c: text }] } } })],
  ['the key of a map', ({ text }) => ({ attribute: { [`k ${text} `]: 1 } })],
  ['messages', ({ text }) => ({ attribute: JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `Hi\n${text}\n"bye"` }] }]) })],
  ['JSON in JSON', ({ text }) => ({ attribute: JSON.stringify({ body: JSON.stringify({ note: `\t${text}\n` }) }) })],
  ['code', ({ text }) => ({ attribute: `Try:\n\`\`\`sh\nexport A=1\n${text}\n\`\`\`\n` })],
  [
    'an address',
    ({ kind, text, value }) => ({
      attribute: `https://x.example/a?q=${kind === 'email' || (isPlain(text) && encodeURIComponent(value) === value) ? encodeURIComponent(text) : text}&z=1`,
    }),
  ],
  ['a header', ({ text }) => ({ attribute: `GET / HTTP/1.1\r\nX-Note: ${text}\r\nHost: x` })],
  ['the name of a span', ({ text }) => ({ span: { name: `call ${text}` } })],
  ['the status', ({ text }) => ({ span: { status: { code: 2, message: `failed: ${text}` } } })],
  ['the state of the trace', ({ text }) => ({ span: { traceState: `a=1,b= ${text} ` } })],
  [
    'an event',
    ({ text }) => ({
      span: {
        events: [
          { name: `got ${text}`, timeUnixNano: '1', attributes: [{ key: 'exception.message', value: { stringValue: `bad ${text}` } }] },
        ],
      },
    }),
  ],
  [
    'a link',
    ({ text }) => ({
      span: {
        links: [
          { traceId: aTraceId(), spanId: aSpanId(), traceState: ` ${text} `, attributes: [{ key: 'a', value: { stringValue: text } }] },
        ],
      },
    }),
  ],
  ['bytes', ({ text }) => ({ span: { attributes: [{ key: 'raw', value: { bytesValue: Buffer.from(text).toString('base64') } }] } })],
  ['the body of a log record', ({ text }) => ({ log: { body: `it reported ${text}` } })],
  [
    'a map in a log record',
    ({ text }) => ({ log: { body: { map: [['deep', [{ map: [['x', text] as [string, RawValue]] }]]] }, attributes: [['a', text]] } }),
  ],
  ['the name of a log record', ({ text }) => ({ log: { name: `e ${text}`, severity_text: `W ${text}`, body: null } })],
];

const aLog = (trace_id: string, span_id: string, log: Partial<RawLog>): RawLog => ({
  ...{ trace_id, span_id, name: 'note', time_ns: '1768471200000000000', observed_ns: '0', severity_number: 9, severity_text: '' },
  ...{ body: 'x', attributes: [], dropped: 0, ...log },
});

describe('a thousand secrets', () => {
  const seeds = seededSecrets(1_000, 20_26);
  /** The spans to read locally. */
  let homes: { seed: SeededSecret; place: string; traceId: string; spanId: string }[];

  beforeEach(async () => {
    const spans: object[] = [];
    const logs: RawLog[] = [];
    homes = seeds.map((seed, at) => {
      const [place, make] = places[(at * 7 + Math.floor(at / 51)) % places.length] as (typeof places)[number];
      const { span = {}, attribute, log } = make(seed);
      const ids = { traceId: aTraceId(), spanId: aSpanId() };
      spans.push({ ...aChat({ ...ids, attributes: { 'input.note': attribute ?? '' } }), ...span });
      if (log) logs.push(aLog(ids.traceId, ids.spanId, log));
      return { seed, place, ...ids };
    });
    await store.forwarding.begin(scope, 'cloud', true);
    for (let at = 0; at < spans.length; at += 100) await store.writer.write(scope, batchOf(spans.slice(at, at + 100), Date.now()));
    await store.writer.write(scope, batchOf([], Date.now(), logs));
    const scores = seeds.slice(0, 100).map(({ text }, at) => ({
      ...{ id: randomUUID(), resource_id: homes[at]?.traceId ?? '', name: `n ${text}`, score: 0.5, label: text },
      ...{ reason: `because of ${text}`, source: 'api', created_at: new Date(0).toISOString(), user_id: text, session_id: `s ${text}` },
    }));
    await store.scores.insert(scope, scores);
  });

  it('are sent as tokens, stay readable here, and are found by their tokens', async () => {
    const { text, kinds, spans } = await drained(hidden({ hide: [...hiddenKinds] }));
    expect([new Set(kinds), spans]).toEqual([new Set(['spans', 'logs', 'scores']), 1_000]);
    const decoded = text.replace(/"bytesValue":"([^"]*)"/g, (_, bytes: string) => Buffer.from(bytes, 'base64').toString());
    const leaked = homes.filter(({ seed }) =>
      seed.forms.some((form) => [form, inJson(form), inJson(inJson(form)), encodeURIComponent(form)].some((way) => decoded.includes(way))),
    );
    expect(leaked.map(({ seed, place }) => `${seed.shape} in ${place}: ${seed.text}`)).toEqual([]);

    const tokens = new Set(decoded.match(/‹[a-z_]+-[a-z2-7]{16}›/g));
    const values = new Set<string>();
    for (const token of tokens) {
      const stored = (await store.redaction.token(scope, token))?.decode();
      expect(stored).toMatchObject({ token, kind: token.slice(1, token.lastIndexOf('-')) });
      values.add(stored?.value ?? '');
    }
    const lost = homes.filter(
      ({ seed: { value } }) => ![value, inJson(value), inJson(inJson(value)), encodeURIComponent(value)].some((way) => values.has(way)),
    );
    expect(lost.map(({ seed, place }) => `${seed.shape} in ${place}: ${seed.text}`)).toEqual([]);

    for (const { seed, traceId, spanId } of homes) {
      const raw = Buffer.from((await store.spans.raw(scope, traceId, spanId))?.json ?? '').toString();
      const here = raw.replace(/"bytesValue":"([^"]*)"/g, (_, bytes: string) => Buffer.from(bytes, 'base64').toString());
      const { value } = seed;
      const ways = [value, inJson(value), inJson(inJson(value)), inJson(inJson(inJson(value))), encodeURIComponent(value)];
      expect(ways.some((way) => here.includes(way))).toBe(true);
    }
  });

  it('are sent unchanged where nothing is hidden', async () => {
    const { text } = await drained(hidden({}));
    expect(seeds.filter(({ value }) => text.includes(value)).length).toBeGreaterThan(700);
    expect(text).not.toContain('‹');
  });
});

it('a token is in the token map of its scope, once, before it can be sent', async () => {
  await store.forwarding.begin(scope, 'cloud', true);
  await store.writer.write(scope, batchOf([aChat({ ask: 'mail ann@example.com' })], Date.now()));
  const setting = hidden({ hide: ['email'] });
  const found = await outbox(setting).next(512);
  const [token = ''] =
    gunzipSync(found?.body ?? '')
      .toString()
      .match(/‹email-[a-z2-7]{16}›/) ?? [];
  const stored = (await store.redaction.token(scope, token))?.decode();
  expect(stored).toMatchObject({ kind: 'email', value: 'ann@example.com' });
  await outbox(setting).next(512);
  expect((await store.redaction.token(scope, token))?.decode()).toEqual(stored);
  expect(await store.redaction.token({ ...scope, app_id: 'another' }, token)).toBeNull();
  expect(await store.redaction.token(scope, '‹email-aaaaaaaaaaaaaaaa›')).toBeNull();
});

it('reading the outbox changes nothing: no token is stored, and a damaged record stays in it', async () => {
  await store.forwarding.begin(scope, 'cloud', true);
  for (const ask of ['mail ann@example.com', 'damaged']) await store.writer.write(scope, batchOf([aChat({ ask })], Date.now()));
  const db = new Database(telemetryFile(folder));
  db.exec('UPDATE block SET data = zeroblob(length(data)) WHERE id = 2');
  const before = db.pragma('data_version', { simple: true });
  const read = async () => (await store.forwarding.next(scope, 'cloud', 512, false))?.decode();
  const found = await read();
  expect(found).toMatchObject({ kind: 'spans', messages: 2, items: [{ sent: {} }, { damage: expect.stringMatching(/./) }] });
  expect(await read()).toEqual(found);
  expect(db.pragma('data_version', { simple: true })).toBe(before);
  db.close();
  // Forwarding writes the results of redaction.
  expect(await outbox(hidden({ hide: ['email'] })).next(512)).toMatchObject({ count: 1, messages: 2 });
  expect((await store.forwarding.waiting(scope, 'cloud')).decode()).toMatchObject({ spans: 1, dead_letters: 1 });
});

it('redacting a batch does not block the event loop', async () => {
  await store.forwarding.begin(scope, 'cloud', true);
  const ask = 'ann@example.com 4111 1111 1111 1111 password=Hunter2Hunter2 '.repeat(1_000);
  for (let written = 0; written < 40; written++) await store.writer.write(scope, batchOf([aChat({ ask })], Date.now()));
  const setting = hidden({ hide: [...hiddenKinds] });
  const found = await store.forwarding.next(scope, 'cloud', 512, false);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const { batch } = await redaction.batch('cloud', found as NonNullable<typeof found>, setting);
  clearInterval(timer);
  expect(batch.count).toBe(40);
  // Redaction in this thread would allow no turn, or one.
  expect(turns).toBeGreaterThan(10);
});

it('a span of the largest size, full of secrets, is a batch of its own', async () => {
  await store.forwarding.begin(scope, 'cloud', true);
  const ask = 'дом ann@example.com '.repeat(900_000);
  await store.writer.write(scope, batchOf([aChat({ ask }), aChat()], Date.now()));
  expect(await outbox(hidden({ hide: [...hiddenKinds] })).next(512)).toMatchObject({ kind: 'spans', messages: 1, count: 1 });
});

describe('a retained span', () => {
  const spanIdsOf = async (setting: RedactionSetting) => {
    const found = await outbox(setting).next(512);
    const spans = found ? decodeJson(gunzipSync(found.body)).spans.map(({ span }) => span.span_id) : [];
    return { spans, retainedCount: found?.retained.length, count: found?.count };
  };

  it('is selected by the stored environment, and by the tags of the whole trace', async () => {
    await store.forwarding.begin(scope, 'cloud', true);
    const ids = Array.from({ length: 4 }, () => ({ traceId: aTraceId(), spanId: aSpanId() }));
    const [reported, attributed, tagged, other] = ids as [(typeof ids)[0], (typeof ids)[0], (typeof ids)[0], (typeof ids)[0]];
    await store.writer.write(
      scope,
      batchOf([aChat({ ...reported, attributes: { 'deployment.environment.name': 'production' } })], Date.now()),
    );
    await store.writer.write(
      scope,
      batchOf([aChat({ ...attributed, attributes: { 'deployment.environment.name': 'dev' } })], Date.now(), [], {
        name: 'production',
        version: 1,
      }),
    );
    await store.writer.write(scope, batchOf([aChat(tagged), aChat(other)], Date.now()));
    // A later span of the trace has the tag.
    const later = { traceId: tagged.traceId, spanId: aSpanId() };
    await store.writer.write(scope, batchOf([aChat({ ...later, attributes: { 'agentmark.tags': ['share'] } })], Date.now()));
    const production = hidden({ only: { environments: ['production'], tags: [] } });
    expect(await spanIdsOf(production)).toEqual({ spans: [reported.spanId, attributed.spanId], retainedCount: 3, count: 2 });
    expect(await spanIdsOf(hidden({ only: { environments: [], tags: ['share'] } }))).toEqual({
      spans: [tagged.spanId, later.spanId],
      retainedCount: 3,
      count: 2,
    });
    expect(await spanIdsOf(hidden({ only: { environments: ['nowhere'], tags: [] } }))).toEqual({ spans: [], retainedCount: 5, count: 0 });
  });

  it('retains its log records and scores too', async () => {
    await store.forwarding.begin(scope, 'cloud', true);
    const [shared, stored] = [
      { traceId: aTraceId(), spanId: aSpanId() },
      { traceId: aTraceId(), spanId: aSpanId() },
    ];
    await store.writer.write(
      scope,
      batchOf([aChat({ ...shared, attributes: { 'agentmark.environment': 'x' } }), aChat(stored)], Date.now()),
    );
    const bodies = [shared, stored].map(({ traceId, spanId }, at) => aLog(traceId, spanId, { body: `log ${at}` }));
    await store.writer.write(scope, batchOf([], Date.now(), bodies));
    const aScore = (resource_id: string, label: string) => ({
      id: randomUUID(),
      resource_id,
      name: 'q',
      score: 1,
      label,
      reason: '',
      source: 'api',
      created_at: new Date(0).toISOString(),
    });
    await store.scores.insert(scope, [
      aScore(shared.traceId, 'of its trace'),
      aScore(shared.spanId, 'of its span'),
      aScore(stored.traceId, 'none'),
      aScore(stored.spanId, 'none'),
      aScore('s', 'none'),
    ]);
    const { text, retainedCount } = await drained(hidden({ only: { environments: ['x'], tags: [] } }));
    expect([text.match(/log \d/g), text.match(/of its \w+|none/g), retainedCount]).toEqual([['log 0'], ['of its trace', 'of its span'], 5]);
  });
});
