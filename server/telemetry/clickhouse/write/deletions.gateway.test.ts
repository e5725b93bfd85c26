import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChat, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { type ClickHouseDatabase, ClickHouseServer, withClickHouse } from '../../../fixtures/clickhouse.ts';
import { conversationOf, promptTraceId, turnRecordOf } from '../../../ingest/agent-records/turn-record.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import type { RawLog } from '../../../ingest/otlp/raw-span.ts';
import { BatchBuilder } from '../../../ingest/prepare/prepare.ts';
import type { PreparedBatch } from '../../../ingest/prepare/prepared.ts';
import type { Scope } from '../../../platform/scope.ts';
import { arrivalMs, batchOf } from '../../conformance/batch-of.ts';
import { Tenant } from '../../conformance/tenant.ts';
import type { TelemetryStore } from '../../store.ts';
import { connectClickHouse } from '../connect.ts';
import { openClickHouseTelemetry } from '../store.ts';
import { fenceOf } from './fence.ts';
import { FencedDeletes } from './fenced-deletes.ts';

const entry = new URL('../../../entry/thread.ts', import.meta.url);
const hangMs = 120_000;
const shared = 'a system prompt that every trace has '.repeat(300);

let server: ClickHouseServer;
let database: ClickHouseDatabase;
let store: TelemetryStore;

const open = () => openClickHouseTelemetry({ address: { url: database.url, connections: 10 }, entry });

beforeAll(async () => {
  server = await ClickHouseServer.start();
  database = await server.createDatabase();
  store = await open();
}, hangMs);
afterAll(async () => {
  await store.stop();
  await database.drop();
  await server.stop();
}, hangMs);

/** Rows of an app in a table, with those that are only marked as deleted. */
const countIn = (table: string, { tenant_id, app_id }: Scope, traceId?: string) =>
  withClickHouse(database.url, async (client) => {
    const ofTrace = traceId === undefined ? '' : 'AND trace_id = {traceId:String}';
    const result = await client.query({
      query: `SELECT count() AS rows FROM ${table} WHERE tenant_id = {tenant_id:String} AND app_id = {app_id:String} ${ofTrace}`,
      query_params: { tenant_id, app_id, traceId },
      format: 'JSONEachRow',
      clickhouse_settings: { apply_deleted_mask: 0 },
    });
    return Number((await result.json<{ rows: string }>())[0]?.rows);
  });

async function send(app: Tenant): Promise<{ traceId: string; spanId: string }> {
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  await app.write([aChat({ ...ids, ask: shared, reply: `${ids.traceId} `.repeat(200) })]);
  const score = { id: randomUUID(), name: 'tone', score: 1, label: '', reason: '', source: 'api' as const };
  await app.store.scores.insert(app.scope, [{ ...score, resource_id: ids.spanId, created_at: new Date(arrivalMs).toISOString() }]);
  return ids;
}

async function deleted({ store: of, scope }: Tenant, traceId: string): Promise<void> {
  const id = randomUUID();
  const done = Promise.withResolvers<void>();
  const unfollow = of.deletions.follow((change) => {
    if (change.id === id && change.state === 'done') done.resolve();
  });
  await of.deletions.begin(scope, id, { trace_ids: [traceId] });
  await done.promise;
  unfollow();
}

it('a deletion that is done leaves no row of the trace, not even a marked one, and all of the others', { timeout: hangMs }, async () => {
  const app = new Tenant(store);
  const [kept, gone] = [await send(app), await send(app)];
  expect(await countIn('text', app.scope)).toBe(3);
  await deleted(app, gone.traceId);
  for (const table of ['record', 'span', 'trace', 'place'])
    expect([table, await countIn(table, app.scope, gone.traceId), (await countIn(table, app.scope, kept.traceId)) > 0]).toEqual([
      table,
      0,
      true,
    ]);
  expect([await countIn('text', app.scope), await countIn('score', app.scope)]).toEqual([2, 1]);
});

it('what arrives while the removal of its trace waits makes a new trace', { timeout: hangMs }, async () => {
  const app = new Tenant(store);
  const ids = await send(app);
  const begun = await app.store.deletions.begin(app.scope, randomUUID(), { trace_ids: [ids.traceId] });
  await app.write([aSpan({ ...ids, name: 'again' })]);
  expect(begun).toMatchObject({ traces: 1, spans: 1 });
  expect(await app.detail(ids.traceId)).toMatchObject({ name: 'again', spans: [{ id: ids.spanId }], scores: [] });
});

it('nothing is deleted by a writer after a later one of its tenants has begun', { timeout: hangMs }, async () => {
  const app = new Tenant(store);
  const { traceId } = await send(app);
  const client = connectClickHouse({ url: database.url, connections: 2 });
  try {
    const writer = (epoch: number, part: number) => new FencedDeletes(client, fenceOf(epoch, part));
    const [first, later, other] = [writer(5, 1), writer(6, 1), writer(7, 11)];
    for (const deletes of [first, other, later]) await deletes.begin();
    const remove = (deletes: FencedDeletes) => deletes.delete('trace', 'trace_id = {traceId:String}', { traceId });
    await remove(first);
    expect((await app.traces()).total).toBe(1);
    for (const refused of [first.check(), first.begin()]) await expect(refused).rejects.toMatchObject({ errorKind: 'stopping' });
    await client.command({ query: 'SYSTEM STOP MERGES trace' });
    const removed = remove(later);
    const last = writer(7, 1);
    await expect.poll(() => last.begin().catch((error: unknown) => error)).toMatchObject({ errorKind: 'busy' });
    await client.command({ query: 'SYSTEM START MERGES trace' });
    await removed;
    // It is over, and removed nothing, because it was executed later.
    await last.begin();
    expect((await app.traces()).total).toBe(1);
    await remove(last);
    expect((await app.traces()).total).toBe(0);
  } finally {
    await client.close();
  }
});

it('a deletion that was accepted is finished by the next writer, without a write, and one that is done is left alone', {
  timeout: hangMs,
}, async () => {
  const app = new Tenant(store);
  const [kept, gone] = [await send(app), await send(app)];
  await store.stop();
  // As another gateway left them: accepted, and a list whose deletion is done.
  const { tenant_id, app_id } = app.scope;
  const ids = [randomUUID(), randomUUID()];
  const deletion = { tenant_id, app_id, created_ms: arrivalMs, traces: 1, spans: 1, removed_traces: 0, ver: 1 };
  await withClickHouse(database.url, async (client) => {
    const insert = (table: string, values: object[]) => client.insert({ table, values, format: 'JSONEachRow' });
    await insert('deletion', [
      { ...deletion, id: ids[0], state: 'removing' },
      { ...deletion, id: ids[1], state: 'done' },
    ]);
    await insert('deletion_trace', [
      { tenant_id, app_id, id: ids[0], trace_id: gone.traceId, ver: 1 },
      { tenant_id, app_id, id: ids[1], trace_id: kept.traceId, ver: 1 },
    ]);
  });
  store = await open();
  const next = new Tenant(store, app.scope);
  const states = () => Promise.all(ids.map(async (id) => (await store.deletions.find(app.scope, id))?.decode().state));
  await expect.poll(states, { timeout: 60_000 }).toEqual(['done', 'done']);
  expect((await next.traces()).data.map(({ id }) => id)).toEqual([kept.traceId]);
});

/** The prompt of a coding agent: its trace is that of the prompt. */
function aPrompt(prompt: string, words: string): PreparedBatch {
  const attributes: RawLog['attributes'] = [
    ['session.id', 'a conversation'],
    ['prompt.id', prompt],
    ['prompt', words],
  ];
  const ids = { trace_id: '', span_id: '', name: 'claude_code.user_prompt', time_ns: `${testEpochMs}000000`, observed_ns: '0' };
  const log: RawLog = { ...ids, severity_number: 9, severity_text: 'INFO', body: null, attributes, dropped: 0 };
  const builder = new BatchBuilder(createPricing(), arrivalMs, null);
  builder.addLog({ log, turn: turnRecordOf(log), resource: { attributes: [['service.name', 'claude-code']], dropped: 0, schema_url: '' } });
  return builder.finish();
}

it('log records without a trace go with the trace of their prompt, and those of other prompts stay', { timeout: hangMs }, async () => {
  const app = new Tenant(store);
  const traceOf = (prompt: string) => promptTraceId(conversationOf('claude-code', 'a conversation'), prompt);
  for (const prompt of ['wren', 'robin']) await store.writer.write(app.scope, aPrompt(prompt, `${prompt} `.repeat(2000)));
  expect((await app.traces()).data.map(({ id }) => id).sort()).toEqual([traceOf('wren'), traceOf('robin')].sort());
  // As an earlier try leaves them that was interrupted after it had deleted the texts.
  const query = `DELETE FROM text WHERE position(text, 'wren') > 0 AND tenant_id = '${app.scope.tenant_id}'`;
  await withClickHouse(database.url, async (client) => void (await client.command({ query })));
  await deleted(app, traceOf('wren'));
  expect((await app.traces()).data.map(({ id }) => id)).toEqual([traceOf('robin')]);
  expect((await app.detail(traceOf('robin'))).spans).toHaveLength(1);
  expect([await countIn('log', app.scope), await countIn('text', app.scope)]).toEqual([1, 1]);
});

it('what arrives for an erased app is not stored', { timeout: hangMs }, async () => {
  const app = new Tenant(store);
  await send(app);
  await app.store.erase(app.scope);
  expect((await app.traces()).total).toBe(0);
  expect(await app.write([aSpan()])).toMatchObject({ accepted: 1 });
  const rows = async () => (await countIn('record', app.scope)) + (await countIn('trace', app.scope)) + (await countIn('score', app.scope));
  await expect.poll(rows, { timeout: 60_000 }).toBe(0);
});

it('a text that is stored is not counted again, also after the store is opened again', { timeout: hangMs }, async () => {
  const { scope } = new Tenant(store);
  const write = (text: string) =>
    store.writer.write(scope, batchOf([aSpan({ attributes: { 'gen_ai.prompt': text } })], arrivalMs), {
      monthly_spans: null,
      storage_bytes: null,
    });
  const bytes = async () => (await store.usage.of(scope, arrivalMs)).decode().bytes;
  await write(shared);
  const first = await bytes();
  await store.stop();
  store = await open();
  await write(shared);
  const second = await bytes();
  expect(first).toBeGreaterThan(shared.length);
  expect(second - first).toBeLessThan(first - shared.length + 100);
});

it('usage counts what was stored once, whatever part of a commit failed, and gives back what is deleted', { timeout: hangMs }, async () => {
  const noLimit = { monthly_spans: null, storage_bytes: null };
  const used = async ({ scope }: Tenant) => (await store.usage.of(scope, arrivalMs)).decode();
  const [app, plain] = [new Tenant(store), new Tenant(store)];
  const traceId = aTraceId();
  const sent = [aChat({ traceId, ask: shared })];
  const write = ({ scope }: Tenant) => store.writer.write(scope, batchOf(sent, arrivalMs), noLimit);
  const command = (query: string) => withClickHouse(database.url, (client) => client.command({ query }));
  await write(plain);
  for (const table of ['text', 'record', 'span', 'place', 'trace']) {
    await command(`ALTER TABLE ${table} ADD CONSTRAINT broken CHECK 0`);
    await expect(write(app)).rejects.toMatchObject({ errorKind: 'io' });
    await command(`ALTER TABLE ${table} DROP CONSTRAINT broken`);
  }
  await write(app);
  const [ofApp, ofPlain] = [await used(app), await used(plain)];
  expect(ofApp.spans).toBe(ofPlain.spans);
  // Records in copies have heads of some bytes.
  expect(Math.abs(ofApp.bytes - ofPlain.bytes)).toBeLessThan(10);
  await deleted(app, traceId);
  const { spans, bytes } = await used(app);
  expect(spans).toBe(1);
  expect(bytes).toBeLessThan(100);
  await store.erase(plain.scope);
  await expect.poll(async () => (await used(plain)).bytes, { timeout: 60_000 }).toBeLessThan(100);
});
