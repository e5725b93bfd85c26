import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aChat, aSpan } from '../../../shared/fixtures/otlp.ts';
import { pack } from '../../ingest/prepare/pack.ts';
import type { PreparedBatch } from '../../ingest/prepare/prepared.ts';
import type { SinkChannel } from '../../ingest/sink.ts';
import { must } from '../../platform/assert.ts';
import { batchOf } from '../conformance/batch-of.ts';
import { describeTelemetryStore } from '../conformance/describe-telemetry-store.ts';
import type { StoreLocation } from '../conformance/guarantee.ts';
import { Tenant } from '../conformance/tenant.ts';
import { StorageError } from '../storage-error.ts';
import { openSqliteTelemetry, type SqliteStore, telemetryFile } from './store.ts';

const worker = new URL('../../entry/thread.ts', import.meta.url);

function newFolder(): StoreLocation {
  const dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-store-'));
  const sizeOf = (suffix: string) => statSync(telemetryFile(dataDir) + suffix, { throwIfNoEntry: false })?.size ?? 0;
  return {
    open: () => openSqliteTelemetry(dataDir, worker),
    sizeBytes: async () => sizeOf('') + sizeOf('-wal'),
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

describeTelemetryStore('sqlite', newFolder);

describe('a SQLite store on a failing disk', () => {
  const scope = { tenant_id: 'tenant', app_id: 'app' };
  let dataDir: string;
  const opened: SqliteStore[] = [];

  const openStore = async (dir = dataDir): Promise<SqliteStore> => {
    const store = await openSqliteTelemetry(dir, worker);
    opened.push(store);
    return store;
  };
  const open = async (dir = dataDir): Promise<Tenant> => new Tenant(await openStore(dir), scope);

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-faults-'));
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.stop()));
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('has everything it acknowledged after a crash', async () => {
    const app = await open();
    for (let trace = 0; trace < 10; trace++) await app.write([aChat(), aSpan({ attributes: { 'session.id': 'chat' } })]);
    // Database and log as after a power cut, without being closed.
    const crashed = join(dataDir, 'crashed');
    cpSync(telemetryFile(dataDir), telemetryFile(crashed));
    cpSync(`${telemetryFile(dataDir)}-wal`, `${telemetryFile(crashed)}-wal`);
    expect(await (await open(crashed)).everything()).toEqual(await app.everything());
  });

  it('leaves no log behind when it is stopped', async () => {
    const app = await open();
    await app.write([aSpan()]);
    await app.store.stop();
    expect(['-wal', '-shm'].map((suffix) => statSync(telemetryFile(dataDir) + suffix, { throwIfNoEntry: false }))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('refuses writes at once when its writer has died, and can still be read and stopped', async () => {
    const store = await openStore();
    const app = new Tenant(store, scope);
    const attempt = () => app.write([aSpan()]).catch((error: unknown) => error);
    // A message that crashes the writer. It may take a moment until the crash is noticed.
    store.sink.openChannel?.().port.postMessage({} as never);
    const results: unknown[] = [];
    while (!results.some((result) => result instanceof StorageError)) results.push(await attempt());
    for (const refusal of [results.at(-1), await attempt(), await attempt()]) {
      expect(refusal).toMatchObject({ name: 'StorageError', errorKind: 'io' });
    }
    expect((await app.traces()).total).toBe(results.length - 1);
  });

  it('reports busy while another process holds the lock, and writes again when it is free', async () => {
    const app = await open();
    await app.write([aSpan()]);
    const other = new Database(telemetryFile(dataDir));
    other.exec('BEGIN IMMEDIATE');
    await expect(app.write([aSpan()])).rejects.toMatchObject({ name: 'StorageError', errorKind: 'busy' });
    other.exec('ROLLBACK');
    other.close();
    expect(await app.write([aSpan()])).toMatchObject({ accepted: 1 });
    expect((await app.traces()).total).toBe(2);
  });

  it('is not opened with a file of another program', async () => {
    const file = telemetryFile(dataDir);
    const other = new Database(file);
    other.exec('CREATE TABLE bookmarks (url TEXT)');
    other.close();
    await expect(open()).rejects.toMatchObject({ name: 'StorageError', errorKind: 'corrupt' });
  });
});

describe('the channel of a decode thread', () => {
  const scope = { tenant_id: 'tenant', app_id: 'app' };
  const stored = { accepted: 1, duplicates: 0, conflicts: [] };
  let location: StoreLocation;
  let store: SqliteStore;
  let channel: SinkChannel;

  beforeEach(async () => {
    location = newFolder();
    store = (await location.open()) as SqliteStore;
    channel = must(store.sink.openChannel, 'the store has channels')();
  });

  afterEach(async () => {
    channel.port.close();
    await store.stop();
    await location.remove();
  });

  const send = (id: number, batch: PreparedBatch) => {
    const written = channel.written(id);
    channel.port.postMessage({ id, scope, batch: pack(batch), allowance: null });
    return written;
  };

  it('a request that cannot be stored fails alone among those that share its commit', async () => {
    const broken = { ...batchOf([aSpan()]), resources: [] };
    const results = [batchOf([aSpan()]), broken, batchOf([aSpan()])].map((batch, id) => send(id, batch).catch((error: unknown) => error));
    expect(await Promise.all(results)).toEqual([stored, expect.any(StorageError), stored]);
    expect((await new Tenant(store, scope).traces()).total).toBe(2);
  });

  it('a request is written even if another one that was announced never arrives', async () => {
    Atomics.add(channel.inFlight, 0, 1);
    expect(await send(1, batchOf([aSpan()]))).toEqual(stored);
  });
});
