/** Copies of a cloud that is at work, and a cloud that begins from them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { controlFile } from '../control/drizzle/store.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';
import { silentLog } from '../platform/log.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';
import { startCloudGateway } from './cloud.ts';

const program = join(import.meta.dirname, 'cloud-backup.ts');
const backUp = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
};

let cloud: TestCloud;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-backup-'));
  cloud = await startTestCloud();
});
afterAll(async () => {
  await cloud.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('holds what was acknowledged before it, and a cloud that begins from it knows its people, keys and traces', async () => {
  const { tenant, dataDir } = cloud;
  await cloud.ingest(tenant, aRequest([aSpan({ name: 'before' })]));
  const copy = join(folder, 'copy');
  expect(backUp('--data', dataDir, '--to', copy)).toMatchObject({ status: 0 });
  await cloud.ingest(tenant, aRequest([aSpan({ name: 'after' })]));

  const restored = await startCloudGateway({ port: 0, host: '127.0.0.1', dataDir: copy, secret: 'x'.repeat(32), log: silentLog });
  const { api_key, app_id, email, password } = tenant;
  const headers = { Authorization: api_key, 'X-Service-App-Id': app_id };
  const listed = await fetch(`${restored.url}/v1/traces`, { headers });
  const login = await fetch(`${restored.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { data } = (await listed.json()) as { data: { name: string }[] };
  await restored.stop();
  expect(data.map(({ name }) => name)).toEqual(['before']);
  expect(login.status).toBe(200);
});

it('puts nothing over a copy that is there', () => {
  const copy = join(folder, 'twice');
  expect(backUp('--data', cloud.dataDir, '--to', copy).status).toBe(0);
  const before = readFileSync(controlFile(copy));
  expect(backUp('--data', cloud.dataDir, '--to', copy)).toEqual({ status: 1, said: expect.stringContaining('is there already') });
  expect(readFileSync(controlFile(copy)).equals(before)).toBe(true);
});

it('says when a copy is damaged, is missing a store, or there is nothing to copy', () => {
  const copy = join(folder, 'spoilt');
  backUp('--data', cloud.dataDir, '--to', copy);
  const bytes = readFileSync(telemetryFile(copy));
  bytes.fill(0xff, 4096 * 3, 4096 * 6);
  writeFileSync(telemetryFile(copy), bytes);
  expect(backUp('--check', copy)).toMatchObject({ status: 1 });
  rmSync(telemetryFile(copy));
  expect(backUp('--check', copy)).toEqual({ status: 1, said: expect.stringContaining('There is no store') });
  expect(backUp('--data', join(folder, 'nowhere'), '--to', join(folder, 'never'))).toMatchObject({ status: 1 });
});
