/** docs/reference/ingest.md#cases, the rows about the disk and the file on it: 38 to 40, 43 to 45. */
import { createHash, randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, test } from 'vitest';
import { aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { startLocalGateway } from '../../entry/local.ts';
import { faultyWriteThread, injectFault } from '../../fixtures/disk-faults.ts';
import { accepted, type IngestAnswer, json, sendAs } from '../../fixtures/otlp-forms.ts';
import { rawSpan, type SpanKey, spansOf } from '../../fixtures/read-back.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { silentLog } from '../../platform/log.ts';

let gateway: TestGateway;
afterEach(() => gateway.stop());

const fileOf = ({ dataDir }: TestGateway) => join(dataDir, 'telemetry.db');
const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Sends one span of the given size, with data that cannot be compressed. */
async function send(ids: SpanKey, bytes = 100): Promise<IngestAnswer> {
  return sendAs(json, gateway, aRequest([aSpan({ ...ids, attributes: { data: randomBytes(bytes).toString('base64') } })]));
}

async function sendSome(count: number, bytes?: number): Promise<SpanKey[]> {
  const sent = Array.from({ length: count }, () => ({ traceId: aTraceId(), spanId: aSpanId() }));
  for (const ids of sent) expect(await send(ids, bytes)).toMatchObject(accepted);
  return sent;
}

async function expectStored(sent: SpanKey[]): Promise<void> {
  for (const ids of sent) expect(await rawSpan(gateway, ids)).not.toBeNull();
}

const newIds = () => ({ traceId: aTraceId(), spanId: aSpanId() });

/** A refusal because of the store: retryable after a moment, and without internals. */
function refusal(code: string): Partial<IngestAnswer> {
  return { status: 503, code, retryAfter: expect.stringMatching(/^[1-5]$/), message: expect.not.stringMatching(/\n|node:|\.ts\b/) };
}

describe('row 38: a full disk', () => {
  it('is 503 storage_full, keeps what was acknowledged readable, and ends by itself when there is room again', async () => {
    gateway = await startTestGateway({ threadEntry: faultyWriteThread });
    const before = await sendSome(5, 20_000);
    await injectFault('no room', gateway);

    const refused = [newIds(), newIds(), newIds()];
    for (const ids of refused) expect(await send(ids, 200_000)).toMatchObject({ ...refusal('storage_full'), retryAfter: '5' });
    await expectStored(before);
    for (const ids of refused) expect(await rawSpan(gateway, ids)).toBeNull();
    expect((await gateway.fetch('/v1/traces')).status).toBe(200);

    await injectFault('room', gateway);
    for (const ids of refused) expect(await send(ids, 200_000)).toMatchObject(accepted);
    await gateway.restart();
    await expectStored([...before, ...refused]);
  });

  it('refuses every request of a group that did not fit, and stores none in part', async () => {
    gateway = await startTestGateway({ threadEntry: faultyWriteThread });
    await sendSome(1);
    await injectFault('no room', gateway);
    const sent = Array.from({ length: 24 }, newIds);
    const responses = await Promise.all(sent.map((ids) => send(ids, 300_000)));
    for (const [index, ids] of sent.entries()) {
      const stored = (await rawSpan(gateway, ids)) !== null;
      expect(stored).toBe(responses[index]?.status === 200);
    }
    expect(responses.some(({ status }) => status === 503)).toBe(true);
    await injectFault('room', gateway);
  });
});

describe('row 39: a database that another process holds', () => {
  it.each(['IMMEDIATE', 'EXCLUSIVE'])('is not waited for without end: 503, and spans are accepted after it: %s', async (kind) => {
    gateway = await startTestGateway();
    const before = await sendSome(3);
    const other = new Database(fileOf(gateway));
    other.exec(`BEGIN ${kind}`);
    const refused = newIds();
    expect(await send(refused)).toMatchObject({ ...refusal('service_unavailable'), retryAfter: '1' });
    await expectStored(before);
    other.exec('COMMIT');
    other.close();
    expect(await rawSpan(gateway, refused)).toBeNull();
    expect(await send(refused)).toMatchObject(accepted);
  });

  it('costs nothing when it is released in time', async () => {
    gateway = await startTestGateway();
    await sendSome(1);
    const other = new Database(fileOf(gateway));
    other.exec('BEGIN IMMEDIATE');
    const [ids, slow] = [newIds(), newIds()];
    const pending = Promise.all([send(ids), send(slow)]);
    // The lock is released once the gateway has answered other requests, while ours wait.
    for (let read = 0; read < 5; read++) expect((await gateway.fetch('/v1/traces')).status).toBe(200);
    other.exec('COMMIT');
    other.close();
    expect(await pending).toEqual([expect.objectContaining(accepted), expect.objectContaining(accepted)]);
    await expectStored([ids, slow]);
  });
});

describe('row 40: a sync that fails', () => {
  it('is 503, nothing of that group is acknowledged, and the writer reopens the store', async () => {
    gateway = await startTestGateway({ threadEntry: faultyWriteThread });
    const before = await sendSome(3);
    for (let failure = 0; failure < 3; failure++) {
      await injectFault('failing sync', gateway);
      const ids = newIds();
      expect(await send(ids)).toMatchObject(refusal('storage_unavailable'));
      expect(await rawSpan(gateway, ids)).toBeNull();
      expect(await send(ids)).toMatchObject(accepted);
      before.push(ids);
      await expectStored(before);
    }
    await gateway.restart();
    await expectStored(before);
  });
});

/** A closed store with spans in it, to be damaged and opened again. */
async function closedStore(): Promise<{ dataDir: string; file: string; sent: SpanKey[] }> {
  gateway = await startTestGateway();
  const sent = await sendSome(4, 30_000);
  await gateway.gateway.stop();
  return { dataDir: gateway.dataDir, file: fileOf(gateway), sent };
}

const pageSize = 4096;
const overwrite = (file: string, from: number, to: number) => {
  const bytes = readFileSync(file);
  bytes.fill(0xee, from, to);
  writeFileSync(file, bytes);
};

/** Damages the first page of every table and index but not the schema, so that opening the file notices nothing. */
const spoilTables = (file: string) => {
  const db = new Database(file, { readonly: true });
  const roots = db.prepare<[], number>('SELECT rootpage FROM sqlite_schema WHERE rootpage > 2').pluck().all();
  db.close();
  for (const root of roots) overwrite(file, (root - 1) * pageSize, root * pageSize);
};

describe('row 43: a file that is no store of ours, at start', () => {
  test.each<[what: string, spoil: (file: string) => void]>([
    ['not a database', (file) => writeFileSync(file, 'This is a poem, not a database. '.repeat(1000))],
    ['a spoiled first page', (file) => overwrite(file, 100, pageSize)],
    ['cut short', (file) => writeFileSync(file, readFileSync(file).subarray(0, 3 * pageSize + 100))],
    [
      'another program’s database',
      (file) => {
        unlinkSync(file);
        const db = new Database(file);
        db.exec('CREATE TABLE theirs (a); INSERT INTO theirs VALUES (42)');
        db.pragma('application_id = 77');
        db.close();
      },
    ],
  ])('is quarantined unchanged, and a new store is created: %s', async (_, spoil) => {
    const { dataDir, file } = await closedStore();
    spoil(file);
    const spoiled = digest(file);
    gateway = await startTestGateway({ dataDir });
    const { quarantined } = gateway.gateway;
    expect(quarantined).not.toBeNull();
    expect(digest(join(quarantined as string, 'telemetry.db'))).toBe(spoiled);
    expect((await gateway.fetch('/v1/traces')).status).toBe(200);
    const sent = await sendSome(2);
    await gateway.restart();
    expect(gateway.gateway.quarantined).toBeNull();
    await expectStored(sent);
  });

  it('is quarantined with its log, never one without the other', async () => {
    const { dataDir, file } = await closedStore();
    for (const suffix of ['', '-wal']) writeFileSync(file + suffix, `spoiled${suffix} `.repeat(2000));
    gateway = await startTestGateway({ dataDir });
    const folder = gateway.gateway.quarantined as string;
    for (const suffix of ['', '-wal']) expect(readFileSync(join(folder, `telemetry.db${suffix}`), 'utf8')).toContain(`spoiled${suffix}`);
  });

  it('is left alone when a later version wrote it: the gateway does not start, and says why', async () => {
    const { dataDir, file } = await closedStore();
    const db = new Database(file);
    db.pragma('user_version = 999');
    db.close();
    const before = digest(file);
    const starting = startLocalGateway({ port: 0, dataDir, projectDir: dataDir, log: silentLog });
    await expect(starting).rejects.toMatchObject({
      name: 'StorageError',
      errorKind: 'newer_schema',
      message: expect.stringContaining('999'),
    });
    expect(digest(file)).toBe(before);
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    expect(readdirSync(dataDir)).not.toContain('quarantine');
    gateway = await startTestGateway();
    rmSync(dataDir, { recursive: true });
  });

  it('is opened again after a kill: the log left behind is read, nothing is quarantined', async () => {
    gateway = await startTestGateway();
    const sent = await sendSome(4, 30_000);
    const crashed = mkdtempSync(join(tmpdir(), 'glasshouse-test-'));
    for (const suffix of ['', '-wal', '-shm']) copyFileSync(fileOf(gateway) + suffix, join(crashed, `telemetry.db${suffix}`));
    await gateway.stop();
    gateway = await startTestGateway({ dataDir: crashed });
    expect(gateway.gateway.quarantined).toBeNull();
    await expectStored(sent);
  });

  it('may be empty: then it is a new store', async () => {
    const { dataDir, file } = await closedStore();
    writeFileSync(file, '');
    gateway = await startTestGateway({ dataDir });
    expect(gateway.gateway.quarantined).toBeNull();
    await expectStored(await sendSome(1));
  });
});

describe('row 44: a page that turns out to be damaged', () => {
  it('is 503 for what needs it, shows no internals, and deletes nothing', async () => {
    const { dataDir, file, sent } = await closedStore();
    spoilTables(file);
    gateway = await startTestGateway({ dataDir });
    const [{ traceId }] = sent as [SpanKey];
    for (const path of ['/v1/traces', `/v1/traces/${traceId}`, `/v1/traces/${traceId}/spans`]) {
      const response = await gateway.fetch(path);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      expect([response.status, error.code]).toEqual([503, 'storage_unavailable']);
      expect(error.message).not.toMatch(/\n|node:|\.ts\b|file:/);
    }
    expect((await gateway.fetch('/health')).status).toBe(200);
    const response = await send(newIds());
    if (response.status !== 200) expect(response).toMatchObject(refusal('storage_unavailable'));
    expect(existsSync(file)).toBe(true);
  });
});

describe('row 44: the bytes of a span that turn out to be damaged', () => {
  it('mark that span in its trace and are 503 when requested; all others are read, found and written, new spans of its trace too, and the damage is reported', async () => {
    const { dataDir, file, sent } = await closedStore();
    const [damaged, other] = sent as [SpanKey, SpanKey];
    const db = new Database(file);
    db.exec('UPDATE block SET data = zeroblob(length(data)) WHERE id = (SELECT block FROM span ORDER BY id LIMIT 1)');
    db.close();
    gateway = await startTestGateway({ dataDir });
    const ask = async (path: string) => {
      const response = await gateway.fetch(path);
      return { status: response.status, body: (await response.json()) as { error?: { code: string }; data?: unknown } };
    };
    const marked = { data: { spans: [{ id: damaged.spanId, damaged: true }] } };
    expect(await ask(`/v1/traces/${damaged.traceId}`)).toMatchObject({ status: 200, body: marked });
    const spanPath = `/v1/traces/${damaged.traceId}/spans/${damaged.spanId}`;
    expect(await ask(spanPath)).toMatchObject({ status: 503, body: { error: { code: 'storage_unavailable' } } });
    expect((await gateway.client.platform.capabilities()).damaged?.counts).toEqual({ span: 1 });
    expect(await ask(`/v1/traces/${other.traceId}`)).toMatchObject({ status: 200 });
    expect((await gateway.client.traces.list({})).data).toHaveLength(sent.length);
    expect(await ask(`/v1/traces?filter=${encodeURIComponent('input contains moon')}`)).toMatchObject({ status: 200, body: { data: [] } });
    expect(await send({ traceId: damaged.traceId, spanId: aSpanId() })).toMatchObject(accepted);
    expect((await send(damaged)).status).toBe(200);
    await expectStored(sent.slice(1));
  });
});

describe('row 45: a database that is moved away under us', () => {
  it('is 503 and never silently created anew; when it is put back, the gateway continues', async () => {
    gateway = await startTestGateway();
    const before = await sendSome(2);
    const file = fileOf(gateway);
    renameSync(file, `${file}.away`);
    const ids = newIds();
    expect(await send(ids)).toMatchObject(refusal('storage_unavailable'));
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, '');
    expect(await send(ids)).toMatchObject(refusal('storage_unavailable'));
    renameSync(`${file}.away`, file);
    expect(await send(ids)).toMatchObject(accepted);
    await expectStored([...before, ids]);
    expect(await spansOf(gateway, ids.traceId)).toHaveLength(1);
  });
});
