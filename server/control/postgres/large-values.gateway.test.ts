import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeSome } from '../../blobs/blob-store.ts';
import { blobBytesMin, folderOfApp, sha256Of } from '../../blobs/contents.ts';
import { FolderBlobs } from '../../blobs/folder-blobs.ts';
import { type PostgresDatabase, PostgresServer, withClient } from '../../fixtures/postgres.ts';
import { systemClock } from '../../platform/clock.ts';
import type { AgentPart } from '../agent-session-store.ts';
import { anApp, by, push } from '../conformance/records.ts';
import type { ControlStore } from '../control-store.ts';
import { openPostgresControl } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'glasshouse-values-'));
const blobs = new FolderBlobs(folder);
let server: PostgresServer;
let database: PostgresDatabase;
let control: ControlStore;

beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase();
  control = await openPostgresControl({ url: database.url, connections: 4 }, systemClock, undefined, undefined, blobs);
});
afterAll(async () => {
  await control.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ofBytes = (length: number, value: number) => new Uint8Array(length).fill(value);
const part = (bytes: readonly Uint8Array[], quota: number | null = null): AgentPart => ({
  about: { session_id: 's', agent: 'a', started_at: '2026-01-01T00:00:00.000Z' },
  trace_id: 'a'.repeat(32),
  events: [],
  blobs: bytes.map((each) => ({ sha256: sha256Of(each), media_type: 'image/png', bytes: each })),
  attribution: { name: 'dev', version: 1 },
  quota: { events: true, bytes: quota },
});
const lengthsIn = (sql: string) =>
  withClient(database.url, async (client) => (await client.query<{ length: number }>(sql)).rows.map(({ length }) => Number(length)));

it('images of 256 KiB and more are in the blob store, count like all others, and are found in their app only', async () => {
  const [scope, other] = [await anApp(control), await anApp(control)];
  const [large, small] = [ofBytes(blobBytesMin, 1), ofBytes(blobBytesMin - 1, 2)];
  expect(await control.agentSessions.record(by, scope, part([large, small]))).toMatchObject({ blobs_added: 2 });
  expect(await control.agentSessions.record(by, scope, part([large]))).toMatchObject({ blobs_added: 0 });
  expect(await lengthsIn('SELECT octet_length(bytes) AS length FROM agent_blob ORDER BY size')).toEqual([blobBytesMin - 1, 0]);
  expect(await blobs.list(folderOfApp(scope))).toHaveLength(1);
  expect(await control.agentSessions.storedBytes(scope.tenant_id)).toBe(2 * blobBytesMin - 1);
  for (const bytes of [large, small]) {
    const found = await control.agentSessions.findBlob(scope, sha256Of(bytes));
    expect(Buffer.compare(found?.bytes ?? new Uint8Array(), bytes)).toBe(0);
    expect(await control.agentSessions.findBlob(other, sha256Of(bytes))).toBeNull();
  }
});

it('an image that a quota refuses is not stored', async () => {
  const scope = await anApp(control);
  expect(await control.agentSessions.record(by, scope, part([ofBytes(blobBytesMin, 3)], 1000))).toEqual({ refused: 'bytes' });
  expect(await blobs.list(folderOfApp(scope))).toEqual([]);
});

it('files of deployments of 256 KiB and more are in the blob store, and those that are empty are not', async () => {
  const scope = await anApp(control);
  const files = { 'rows.jsonl': '{"ä":1}\n'.repeat(60_000), 'empty.txt': '', 'main.py': 'print()' };
  const id = await push(control, scope, 'c1', files);
  expect(await blobs.list(folderOfApp(scope))).toHaveLength(1);
  expect(Object.fromEntries((await control.snapshots.files(scope, id))?.map(({ path, text }) => [path, text]) ?? [])).toEqual(files);
  expect(await control.snapshots.text(scope, id, 'rows.jsonl')).toBe(files['rows.jsonl']);
  expect(await control.snapshots.text(scope, id, 'empty.txt')).toBe('');
});

it('a missing value is an error of its own', async () => {
  const scope = await anApp(control);
  const id = await push(control, scope, 'c1', { large: 'x'.repeat(blobBytesMin), small: 'y' });
  await removeSome(blobs, folderOfApp(scope));
  await expect(control.snapshots.text(scope, id, 'large')).rejects.toMatchObject({ name: 'StorageError', errorKind: 'corrupt' });
  expect(await control.snapshots.text(scope, id, 'small')).toBe('y');
});
