/** Commits that end halfway, commits of a writer whose tenants another one has taken over, and requests that cannot be written. */
import { randomUUID } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aChat, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { ARun } from '../../../fixtures/a-run.ts';
import { type ClickHouseDatabase, ClickHouseServer, withClickHouse } from '../../../fixtures/clickhouse.ts';
import { type ExportedSession, exportedSession } from '../../../fixtures/exported-sessions.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { decodeJson } from '../../../ingest/otlp/decode-json.ts';
import { decodeLogsJson } from '../../../ingest/otlp/decode-logs-json.ts';
import { pack } from '../../../ingest/prepare/pack.ts';
import { BatchBuilder } from '../../../ingest/prepare/prepare.ts';
import type { PreparedBatch } from '../../../ingest/prepare/prepared.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { Tenant } from '../../conformance/tenant.ts';
import { flag } from '../../sqlite/file/codes.ts';
import type { OwningWriter } from '../../store-requests.ts';
import { connectClickHouse } from '../connect.ts';
import { ClickHouseTelemetry } from '../store.ts';
import { fenceOf } from './fence.ts';
import { FencedDeletes } from './fenced-deletes.ts';

const entry = new URL('../../../entry/thread.ts', import.meta.url);
const hangMs = 120_000;
const timeout = hangMs;

let server: ClickHouseServer;
let database: ClickHouseDatabase;
let telemetry: ClickHouseTelemetry;
const writers: OwningWriter[] = [];

beforeAll(async () => {
  server = await ClickHouseServer.start();
}, hangMs);
afterAll(() => server.stop(), hangMs);
beforeEach(async () => {
  database = await server.createDatabase();
  telemetry = await ClickHouseTelemetry.connect({ address: { url: database.url, connections: 10 }, entry });
}, hangMs);
afterEach(async () => {
  await Promise.all(writers.splice(0).map((writer) => writer.stop()));
  await telemetry.close();
  await database.drop();
}, hangMs);

/** The tenant as a writer sees it. @param epoch of the writer */
function writerOf(epoch: number, scope?: Tenant['scope']): Tenant {
  const writer = telemetry.openWriter(epoch, null);
  writers.push(writer);
  return new Tenant(telemetry.store(writer), ...(scope ? [scope] : []));
}

const run = (query: string) => withClickHouse(database.url, async (client) => void (await client.command({ query })));

/** Every insert into a table fails while the work runs; others of the same commit are stored. */
async function withoutInserts(table: string, work: () => Promise<unknown>): Promise<void> {
  await run(`ALTER TABLE ${table} ADD CONSTRAINT never CHECK tenant_id = ''`);
  await work();
  await run(`ALTER TABLE ${table} DROP CONSTRAINT never`);
}

const fullHour = testEpochMs;

it.each(['place', 'trace', 'span'])(
  'a trace that moves to another hour is listed once, after a commit without its rows in %s',
  { timeout },
  async (table) => {
    const app = writerOf(1);
    const [traceId, root, begun] = [aTraceId(), aSpanId(), aSpanId()];
    const child = aSpan({ traceId, parentSpanId: root, startMs: fullHour + 5_000 });
    const pending = { ...aSpan({ traceId, spanId: begun, parentSpanId: root, startMs: fullHour + 6_000 }), endTimeUnixNano: '0' };
    await withoutInserts(table, () => expect(app.write([child, pending])).rejects.toThrow());
    // Repeated together with what came meanwhile: the trace begins in the hour before, and so does the span that is complete now.
    const complete = aSpan({ traceId, spanId: begun, parentSpanId: root, startMs: fullHour - 1_000 });
    await app.write([child, complete, aSpan({ traceId, spanId: root, startMs: fullHour - 2_000 })]);
    const earlier = aSpan({ traceId, parentSpanId: root, startMs: fullHour - 3_700_000 });
    await withoutInserts(table, () => expect(app.write([earlier])).rejects.toThrow());
    await app.write([earlier]);
    expect((await app.traces()).data.map(({ id, span_count }) => [id, span_count])).toEqual([[traceId, 4]]);
    const spans = [root, begun, child['spanId'], earlier['spanId']];
    expect((await app.spans()).data.map(({ id }) => id).toSorted()).toEqual(spans.toSorted());
  },
);

it.each(['text', 'span', 'place'])(
  'usage counts every span once when the next owner stores a commit that ended without its rows in %s',
  { timeout },
  async (table) => {
    const used = async ({ store, scope }: Tenant) => (await store.usage.of(scope, fullHour)).decode();
    const textsOf = async ({ scope }: Tenant) => {
      const query = `SELECT count() AS texts FROM text WHERE tenant_id = '${scope.tenant_id}'`;
      const read = async (client: ClickHouseClient) => (await client.query({ query, format: 'JSONEachRow' })).json<{ texts: number }>();
      return Number((await withClickHouse(database.url, read))[0]?.texts);
    };
    const [traceId, spanId] = [aTraceId(), aSpanId()];
    const ask = 'A long question. '.repeat(1000);
    const begun = { ...aSpan({ traceId, spanId, startMs: fullHour }), endTimeUnixNano: '0' };
    const ended = aSpan({ traceId, spanId, startMs: fullHour });
    const sent = [ended, aChat({ traceId, parentSpanId: spanId, ask }), aSpan()];
    const noLimit = { monthly_spans: null, storage_bytes: null };
    const send = ({ store, scope }: Tenant, spans: object[]) => store.writer.write(scope, batchOf(spans, fullHour), noLimit);
    const plain = writerOf(1);
    await send(plain, [begun]);
    await send(plain, sent);
    const app = writerOf(2);
    await send(app, [begun]);
    await withoutInserts(table, () => expect(send(app, sent)).rejects.toThrow());
    const next = writerOf(3, app.scope);
    // Another request first: it must not hide what was stored.
    await send(next, [aSpan({ traceId })]);
    expect(await textsOf(next)).toBe(0);
    await send(next, sent);
    expect(await textsOf(next)).toBe(1);
    const [before, after] = [await used(plain), await used(next)];
    expect(after.spans).toBe(before.spans + 1);
    expect(after.bytes - before.bytes).toBeLessThan(2000);
    expect(after.bytes).toBeGreaterThan(before.bytes);
    expect((await next.spans()).total).toBe(4);
  },
);

describe('a turn of a coding agent, from spans, log records and its session file', () => {
  const recordedMs = 1_796_000_000_000;
  const rowsOf = async ({ scope }: Tenant) => {
    const select = (columns: string, table: string) =>
      `SELECT ${columns} FROM ${table} FINAL WHERE tenant_id = '${scope.tenant_id}' ORDER BY ALL`;
    const queries = [
      select('* EXCEPT (tenant_id, app_id, arrival, ver, input_preview, output_preview)', 'trace'),
      // Whether a span has an input and an output may be computed later.
      select(`* EXCEPT (tenant_id, app_id, arrival, ver, flags), bitAnd(flags, ${flag.placeholder | flag.bookkeeping}) AS flags`, 'span'),
      select("* EXCEPT (tenant_id, app_id, arrival, ver, spans, bytes), app_id = '' AS of_tenant", 'place'),
      select('trace_id, span_id, record', 'record'),
      select('trace_id, span_id, conversation, hash', 'log'),
    ];
    return withClickHouse(database.url, async (client) =>
      Promise.all(queries.map(async (query) => (await client.query({ query, format: 'JSONEachRow' })).json())),
    );
  };
  /** Three batches, each with spans of all kinds and log records. */
  const batchesOf = ({ traces, logs, history }: ExportedSession): PreparedBatch[] =>
    [0, 1, 2].map((part) => {
      const ofPart = (bodies: string[]) => bodies.filter((_, at) => at % 3 === part).map((body) => Buffer.from(body));
      const builder = new BatchBuilder(createPricing(), recordedMs + part, null);
      for (const body of [...ofPart(traces), ...ofPart(history)]) for (const span of decodeJson(body).spans) builder.add(span);
      for (const body of ofPart(logs)) for (const log of decodeLogsJson(body).logs) builder.addLog(log);
      return builder.finish();
    });

  it.each(['record', 'log', 'span', 'place', 'trace'])(
    'is the same after commits without their rows in %s were repeated, one by one and together',
    { timeout },
    async (table) => {
      const session = await exportedSession('claude-code', 1);
      const plain = writerOf(1);
      for (const batch of batchesOf(session)) await plain.store.writer.write(plain.scope, batch);
      for (const [at, isTogether] of [false, true].entries()) {
        const interrupted = writerOf(2 + at * 2);
        const writeAll = async ({ store, scope }: Tenant) => {
          const write = (batch: PreparedBatch) => store.writer.write(scope, batch).catch(() => {});
          if (isTogether) await Promise.all(batchesOf(session).map(write));
          else for (const batch of batchesOf(session)) await write(batch);
        };
        await withoutInserts(table, () => writeAll(interrupted));
        const next = writerOf(3 + at * 2, interrupted.scope);
        await writeAll(next);
        expect(await rowsOf(next)).toEqual(await rowsOf(plain));
      }
    },
  );
});

it('nothing is inserted by a writer after a later one has begun', { timeout }, async () => {
  const first = writerOf(1);
  await first.write([aSpan({ name: 'first' })]);
  const later = writerOf(2, first.scope);
  await later.write([aSpan({ name: 'later' })]);
  await expect(first.write([aSpan({ name: 'late' })])).rejects.toMatchObject({ errorKind: 'stopping' });
  expect((await later.traces()).data.map(({ name }) => name).toSorted()).toEqual(['first', 'later']);
});

it('a writer does not begin before the inserts of an earlier one have ended', { timeout }, async () => {
  const client = connectClickHouse({ url: database.url, connections: 3 });
  try {
    const query_id = `writer/3/${randomUUID()}`;
    const query = "INSERT INTO setting SELECT 'slow', toString(sleepEachRow(1)), number FROM numbers(100) SETTINGS max_block_size = 1";
    const insert = client.command({ query, query_id }).catch(() => {});
    const [writer, other] = [new FencedDeletes(client, fenceOf(2, 3)), new FencedDeletes(client, fenceOf(2, 31))];
    await expect.poll(() => writer.begin().catch((error: unknown) => error)).toMatchObject({ errorKind: 'busy' });
    await other.begin();
    await client.command({ query: 'KILL QUERY WHERE query_id = {query_id:String} SYNC', query_params: { query_id } });
    await insert;
    await writer.begin();
  } finally {
    await client.close();
  }
});

it('steps of a run whose commit ended halfway are counted once when it is repeated', { timeout }, async () => {
  const app = writerOf(1);
  const looping = new ARun();
  const calls = (count: number) => Array.from({ length: count }, () => looping.tool('convert', { from: 'EUR' }, '1.08'));
  const found = async () => (await app.store.runaways.list(app.scope, { limit: 5 })).decode().map(({ value }) => value);
  await app.write(calls(4), Date.now());
  const repeated = calls(4);
  await withoutInserts('trace', () => expect(app.write(repeated, Date.now())).rejects.toThrow());
  await app.write(repeated, Date.now());
  await app.write(repeated, Date.now());
  await app.write(calls(2), Date.now());
  await expect.poll(found).toEqual([10]);
});

it('a span that the database cannot take keeps nothing else from being stored', { timeout }, async () => {
  const app = writerOf(1);
  // More than a text may have, which counts as too slow.
  await run("ALTER TABLE span ADD CONSTRAINT small CHECK if(name = 'large', length(repeat(name, 2000000000)) = 0, 1)");
  const names = ['first', 'large', 'a', 'b', 'c', 'large', 'd'];
  const written = await Promise.all(names.map((name) => app.write([aSpan({ name })]).catch((error: Error) => error)));
  expect(written.filter((each) => each instanceof Error)).toMatchObject([{ errorKind: 'slow' }, { errorKind: 'slow' }]);
  expect((await app.traces()).data.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c', 'd', 'first']);
});

it('a request that cannot be encoded is refused for good, and the next one is encoded', { timeout }, async () => {
  const { scope } = writerOf(1);
  const request = () => ({ kind: 'batch', scope, batch: pack(batchOf([aSpan()])), allowance: null }) as const;
  const broken = { ...request(), batch: { ...request().batch, texts: null } } as unknown as ReturnType<typeof request>;
  const unsendable = { ...request(), allowance: () => {} } as unknown as ReturnType<typeof request>;
  const answers = await Promise.allSettled([broken, unsendable, request()].map((each) => telemetry.encode(each)));
  expect(answers).toMatchObject([
    { status: 'rejected', reason: { errorKind: 'mistake' } },
    { status: 'rejected', reason: { errorKind: 'mistake' } },
    { status: 'fulfilled' },
  ]);
});
