import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aChat, aSpan, aSpanId, aTraceId, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import type { BlobStore } from '../../../blobs/blob-store.ts';
import { folderOfApp } from '../../../blobs/contents.ts';
import { S3Blobs } from '../../../blobs/s3-blobs.ts';
import { type ClickHouseDatabase, ClickHouseServer, withClickHouse } from '../../../fixtures/clickhouse.ts';
import { startS3, type TestS3 } from '../../../fixtures/s3.ts';
import type { RawLog } from '../../../ingest/otlp/raw-span.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { describeTelemetryStore } from '../../conformance/describe-telemetry-store.ts';
import { Tenant } from '../../conformance/tenant.ts';
import type { TelemetryStore } from '../../store.ts';
import { openClickHouseTelemetry } from '../store.ts';

const entry = new URL('../../../entry/thread.ts', import.meta.url);
const hangMs = 120_000;

let server: ClickHouseServer;
let s3: TestS3;
beforeAll(async () => {
  [server, s3] = await Promise.all([ClickHouseServer.start(), startS3()]);
}, hangMs);
afterAll(async () => {
  await s3.stop();
  await server.stop();
}, hangMs);

const opened = (url: string, bytesMin?: number) =>
  openClickHouseTelemetry({
    address: { url, connections: 10 },
    blobs: { place: { s3: s3.server.place }, ...(bytesMin !== undefined && { bytesMin }) },
    entry,
  });

// Every long text is a blob.
describeTelemetryStore(
  'clickhouse with blobs',
  () => {
    let database: ClickHouseDatabase | null = null;
    return {
      open: async () => {
        database ??= await server.createDatabase();
        return opened(database.url, 1);
      },
      sizeBytes: async () => 0,
      remove: async () => database?.drop(),
    };
  },
  { share: 0.05, only: ['payloads', 'places of words'] },
);

describe('blobs of texts', () => {
  let database: ClickHouseDatabase;
  let store: TelemetryStore;
  let blobs: BlobStore;
  beforeAll(async () => {
    database = await server.createDatabase();
    store = await opened(database.url);
    blobs = new S3Blobs(s3.server.place);
  }, hangMs);
  afterAll(async () => {
    await store.stop();
    await database.drop();
  }, hangMs);
  beforeEach(() => {
    s3.server.fault = null;
  });

  /** A value of 300 kB that is the only one with its word. */
  const large = (word: string) => `${word} ${'and so on, '.repeat(27_000)}`;
  const keysOf = ({ scope }: Tenant) => blobs.list(folderOfApp(scope));
  const gets = () => s3.server.requests.filter((request) => request.startsWith('GET')).length;

  async function send(app: Tenant, ask: string) {
    const ids = { traceId: aTraceId(), spanId: aSpanId() };
    await app.write([aChat({ ...ids, ask, reply: 'yes' }), aSpan({ traceId: ids.traceId, name: 'beside it' })]);
    return ids;
  }

  const logOf = (trace_id: string, span_id: string, content: string): RawLog => ({
    ...{ trace_id, span_id, name: 'gen_ai.user.message', body: { map: [['content', content]] } },
    ...{ time_ns: String(BigInt(testEpochMs) * 1_000_000n), observed_ns: '0', severity_number: 0, severity_text: '' },
    ...{ attributes: [], dropped: 0 },
  });

  /** The writer throws the copy away in which it has the traces. */
  const scored = ({ scope }: Tenant, resource_id: string) => {
    const score = { id: randomUUID(), name: 'tone', score: 1, label: '', reason: '', source: 'api' as const };
    return store.scores.insert(scope, [{ ...score, resource_id, created_at: new Date().toISOString() }]);
  };

  async function deleted({ scope }: Tenant, traceId: string): Promise<void> {
    const { id } = await store.deletions.begin(scope, randomUUID(), { trace_ids: [traceId] });
    await expect.poll(async () => (await store.deletions.find(scope, id))?.decode().state, { timeout: hangMs }).toBe('done');
  }

  it('a value of 256 KiB and more is in a blob, not in the database, and is read back as it was sent', { timeout: hangMs }, async () => {
    const app = new Tenant(store);
    const ask = large('marmalade');
    const { traceId, spanId } = await send(app, ask);
    expect(await keysOf(app)).toHaveLength(1);
    const rows = await withClickHouse(database.url, async (client) => {
      const query = 'SELECT length(text) AS length, blob_bytes FROM text WHERE tenant_id = {tenant_id:String}';
      const result = await client.query({ query, query_params: { ...app.scope }, format: 'JSONEachRow' });
      return result.json<{ length: string; blob_bytes: string }>();
    });
    expect(rows.map(({ length, blob_bytes }) => [Number(length), Number(blob_bytes) > 256 * 1024])).toEqual([[0, true]]);
    expect((await app.io(traceId, spanId))?.input).toContain(ask);
  });

  it('a search finds a word of such a value, and reads no value without it', { timeout: hangMs }, async () => {
    const app = new Tenant(store);
    const { traceId } = await send(app, large('persimmon'));
    await send(app, large('quince'));
    const before = gets();
    const found = await app.listed({ filter: 'input contains "persimmon"' });
    expect(found.rows.map((row) => row.id)).toEqual([traceId]);
    expect(gets() - before).toBe(1);
    expect((await app.listed({ filter: 'input contains "medlar"' })).rows).toEqual([]);
    expect(gets() - before).toBe(1);
  });

  it('a search finds a word that such a value has in encoded media', { timeout: hangMs }, async () => {
    const app = new Tenant(store);
    const media = await send(app, Array.from({ length: 40_000 }, (_, at) => (at === 9 ? 'cloudberry' : `k${at}x`)).join('/'));
    const found = async (word: string) => (await app.listed({ filter: `input contains "${word}"` })).rows.map((row) => row.id);
    expect(await found('cloudberry')).toEqual([media.traceId]);
  });

  it('a missing blob is an error of its value alone', { timeout: hangMs }, async () => {
    const app = new Tenant(store);
    const { traceId, spanId } = await send(app, large('rhubarb'));
    for (const key of await keysOf(app)) await blobs.remove(key);
    const { spans } = await app.detail(traceId);
    expect(spans.map(({ name, damaged = false }) => [name, damaged]).sort()).toEqual([
      ['beside it', false],
      [expect.any(String), true],
    ]);
    await expect(app.io(traceId, spanId)).rejects.toMatchObject({
      errorKind: 'corrupt',
      message: expect.stringContaining('blob is missing'),
    });
    // What arrives later for the trace is stored.
    expect(await app.write([aSpan({ traceId, name: 'later' })])).toMatchObject({ accepted: 1 });
  });

  it('a missing blob of a span with log records, or of a record, damages its span alone', { timeout: hangMs }, async () => {
    const app = new Tenant(store);
    const [traceId, otherId, ofSpan, ofLog] = [aTraceId(), aTraceId(), aSpanId(), aSpanId()];
    const log = (span_id: string, content: string) => logOf(traceId, span_id, content);
    const spans = [
      aChat({ traceId, spanId: ofSpan, ask: large('salsify'), reply: 'yes' }),
      aSpan({ traceId, spanId: ofLog, name: 'logged' }),
      aSpan({ traceId, name: 'beside it' }),
    ];
    const logs = [log(ofSpan, 'short'), log(ofLog, large('scorzonera'))];
    await store.writer.write(app.scope, batchOf([...spans, aSpan({ traceId: otherId })], undefined, logs));
    const keys = await keysOf(app);
    expect(keys).toHaveLength(2);
    for (const key of keys) await blobs.remove(key);
    await scored(app, traceId);
    const damagedOf = async () => (await app.detail(traceId)).spans.filter(({ damaged }) => damaged).map(({ id }) => id);
    expect((await damagedOf()).toSorted()).toEqual([ofSpan, ofLog].toSorted());
    const later = batchOf([aSpan({ traceId, name: 'later' }), aSpan({ traceId: otherId })], undefined, [log(ofLog, 'later')]);
    expect(await store.writer.write(app.scope, later)).toEqual({ accepted: 3, duplicates: 0, conflicts: [] });
    const counts = (await app.traces()).data.map(({ id, span_count }) => [id, span_count]);
    expect(new Map(counts as [string, number][])).toEqual(
      new Map([
        [traceId, 4],
        [otherId, 2],
      ]),
    );
    expect((await damagedOf()).toSorted()).toEqual([ofSpan, ofLog].toSorted());
  });

  it.each(['hang', 'slow-down'] as const)(
    '%s: traces open without the value, which can be read afterwards',
    async (fault) => {
      const app = new Tenant(store);
      const { traceId, spanId } = await send(app, large('tamarind'));
      s3.server.fault = fault;
      expect((await app.detail(traceId)).spans.filter(({ damaged }) => damaged)).toHaveLength(1);
      await expect(app.io(traceId, spanId)).rejects.toMatchObject({ errorKind: 'corrupt' });
      expect((await app.listed()).rows).toHaveLength(1);
      s3.server.fault = null;
      await expect.poll(() => app.io(traceId, spanId).then((io) => io?.input, String), { timeout: hangMs }).toContain('tamarind');
    },
    hangMs,
  );

  it(
    'while S3 is away what needs it is refused as a whole, other writes of the moment go on, and a retry stores it',
    async () => {
      const app = new Tenant(store);
      s3.server.fault = 'slow-down';
      const traceId = aTraceId();
      const sent = aChat({ traceId, ask: large('ugli'), reply: 'yes' });
      const [refused, small] = await Promise.allSettled([app.write([sent]), app.write([aSpan({ name: 'small' })])]);
      expect([refused, small]).toMatchObject([{ status: 'rejected', reason: { errorKind: 'io' } }, { status: 'fulfilled' }]);
      expect((await app.traces()).data.map(({ name }) => name)).toEqual(['small']);
      s3.server.fault = null;
      await expect.poll(() => app.write([sent]).then(({ accepted }) => accepted, String), { timeout: hangMs }).toBe(1);
      expect(await keysOf(app)).toHaveLength(1);
    },
    hangMs,
  );

  it('a write to a trace reads its large values only when it makes the trace show them', { timeout: hangMs }, async () => {
    const app = new Tenant(store);
    const [traceId, spanId, parentSpanId] = [aTraceId(), aSpanId(), aSpanId()];
    const call = (startMs: number, ask?: string) =>
      aSpan({
        ...{ traceId, parentSpanId, startMs: testEpochMs + startMs },
        attributes: { 'gen_ai.request.model': 'gpt-4o', ...(ask !== undefined && { 'input.value': ask }) },
      });
    const first = { ...call(1, 'short'), spanId };
    const preview = async () => (await app.onlyTrace()).input_preview?.slice(0, 6);
    const readBy = async (span: object) => {
      await scored(app, traceId);
      const before = gets();
      await app.write([span]);
      return gets() - before;
    };
    await app.write([aSpan({ traceId, spanId: parentSpanId }), { ...first, endTimeUnixNano: '0' }, call(2, large('loquat'))]);
    expect([await readBy(call(3)), await preview()]).toEqual([0, 'short']);
    expect([await readBy({ ...call(1), spanId }), await preview()]).toEqual([1, 'loquat']);
  });

  it('deletions remove blobs that nothing else uses, and no other ones', { timeout: hangMs }, async () => {
    const [app, other] = [new Tenant(store), new Tenant(store)];
    const [shared, own] = [large('vanilla'), large('wasabi')];
    const [first, second] = [await send(app, shared), await send(app, shared)];
    const third = await send(app, own);
    await send(other, own);
    const before = await keysOf(app);
    expect(before).toHaveLength(2);
    await deleted(app, third.traceId);
    await deleted(app, first.traceId);
    expect(await keysOf(app)).toHaveLength(1);
    expect((await app.io(second.traceId, second.spanId))?.input).toContain('vanilla');
    await deleted(app, second.traceId);
    expect(await keysOf(app)).toEqual([]);
    expect(await keysOf(other)).toHaveLength(1);
    // Stored again it has another key, so that a removal that comes late cannot take it.
    await send(app, own);
    expect(before).not.toContain((await keysOf(app))[0]);
  });

  it('a deletion is not done before its blobs are gone', { timeout: hangMs }, async () => {
    const app = new Tenant(store);
    const { traceId } = await send(app, large('yuzu'));
    s3.server.fault = 'slow-down';
    const { id } = await store.deletions.begin(app.scope, randomUUID(), { trace_ids: [traceId] });
    const state = async () => (await store.deletions.find(app.scope, id))?.decode().state;
    await expect.poll(state, { timeout: hangMs }).toBe('erasing');
    await expect.poll(() => s3.server.requests.at(-1), { timeout: hangMs }).toMatch(/^GET \?list-type/);
    expect(await state()).toBe('erasing');
    s3.server.fault = null;
    await expect.poll(state, { timeout: hangMs }).toBe('done');
    expect(await keysOf(app)).toEqual([]);
  });

  it('an erased app leaves no blob, and the others theirs', { timeout: hangMs }, async () => {
    const app = new Tenant(store);
    const other = new Tenant(store, { ...app.scope, app_id: 'other' });
    for (const each of [app, other]) await send(each, large('zest'));
    await blobs.put(`${folderOfApp(app.scope)}agent/image`, Buffer.from('of another kind'));
    await store.erase(app.scope);
    await expect.poll(() => keysOf(app), { timeout: hangMs }).toEqual([]);
    expect(await keysOf(other)).toHaveLength(1);
  });

  it('a gateway without the settings neither writes nor erases what needs them, and says so', { timeout: hangMs }, async () => {
    const app = new Tenant(store);
    const { traceId, spanId } = await send(app, large('zucchini'));
    await store.stop();
    const without = await openClickHouseTelemetry({ address: { url: database.url, connections: 10 }, entry });
    const missing = { message: expect.stringContaining('GLASSHOUSE_S3_URL') };
    await expect(new Tenant(without, app.scope).io(traceId, spanId)).rejects.toMatchObject(missing);
    const later = batchOf([aSpan({ traceId, name: 'later' })], undefined, [logOf(traceId, spanId, 'later')]);
    await expect(without.writer.write(app.scope, later)).rejects.toMatchObject({ errorKind: 'io', ...missing });
    await without.erase(app.scope);
    await without.stop();
    store = await opened(database.url);
    await expect.poll(() => keysOf(app), { timeout: hangMs }).toEqual([]);
  });
});
