import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startS3, type TestS3 } from '../fixtures/s3.ts';
import { type Log, silentLog } from '../platform/log.ts';
import { StartRefusal } from '../platform/start-refusal.ts';
import { checkBlobs, readBlobPlace } from './blob-settings.ts';
import { readCloudSettings } from './cloud-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'glasshouse-blob-settings-'));
const fleet = { GLASSHOUSE_CLICKHOUSE_URL: 'http://clickhouse.test:8123/glasshouse' };
const url = { GLASSHOUSE_S3_URL: 'https://s3.test/bucket/team/a' };
const keys = { GLASSHOUSE_S3_KEY_ID: 'id', GLASSHOUSE_S3_KEY_SECRET: 'secret' };

let s3: TestS3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('a bucket has keys and a region, which may also come from a file; a folder has a path', () => {
  const place = { s3: { url: url.GLASSHOUSE_S3_URL, region: 'us-east-1', keyId: 'id', keySecret: 'secret' } };
  expect(readBlobPlace({ ...fleet, ...url, ...keys })).toEqual(place);
  expect(readBlobPlace({ ...fleet, GLASSHOUSE_BLOB_FOLDER: '/blobs' })).toEqual({ folder: '/blobs' });
  expect(readBlobPlace(fleet)).toBeNull();
  const file = join(folder, 'key');
  writeFileSync(file, 'secret\n');
  const settings = readCloudSettings({
    ...{ GLASSHOUSE_SECRET: 'x'.repeat(32), GLASSHOUSE_POSTGRES_URL: 'postgres://db.test/glasshouse' },
    ...{ ...fleet, ...url, GLASSHOUSE_S3_KEY_ID: 'id', GLASSHOUSE_S3_KEY_SECRET: '', GLASSHOUSE_S3_KEY_SECRET_FILE: file },
  });
  expect(settings.blobPlace).toEqual(place);
});

it.each([
  [{ ...fleet, ...url }, 'GLASSHOUSE_S3_URL needs GLASSHOUSE_S3_KEY_ID and GLASSHOUSE_S3_KEY_SECRET'],
  [{ ...url, ...keys }, 'GLASSHOUSE_S3_URL needs GLASSHOUSE_CLICKHOUSE_URL'],
  [{ ...fleet, ...url, ...keys, GLASSHOUSE_BLOB_FOLDER: '/blobs' }, 'exclude each other'],
  [{ ...fleet, ...keys, GLASSHOUSE_S3_URL: 'https://s3.test' }, 'GLASSHOUSE_S3_URL must have a bucket'],
  [{ ...fleet, ...keys, GLASSHOUSE_S3_URL: 'https://id:secret@s3.test/bucket' }, 'GLASSHOUSE_S3_URL must have a bucket'],
  [{ ...fleet, ...keys, GLASSHOUSE_S3_URL: 's3://bucket' }, 'GLASSHOUSE_S3_URL must be an address'],
  [{ ...fleet, GLASSHOUSE_BLOB_FOLDER: 'blobs' }, 'GLASSHOUSE_BLOB_FOLDER must be an absolute path'],
])('refuses %j', (variables, message) => {
  expect(() => readBlobPlace(variables)).toThrow(message);
});

it('wrong keys and a folder that cannot be used refuse the start, and nothing is left of a check', async () => {
  await checkBlobs({ s3: s3.server.place }, silentLog);
  await checkBlobs({ folder }, silentLog);
  expect(readdirSync(folder)).not.toContain('start');
  const wrong = checkBlobs({ s3: { ...s3.server.place, keySecret: 'another' } }, silentLog);
  await expect(wrong).rejects.toThrow(
    new StartRefusal('GLASSHOUSE_S3_URL cannot be used: The blob store refuses the gateway (SignatureDoesNotMatch)'),
  );
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await expect(checkBlobs({ folder: file }, silentLog)).rejects.toThrow('GLASSHOUSE_BLOB_FOLDER cannot be used');
});

it('a bucket that does not answer does not refuse the start', async () => {
  const events: string[] = [];
  const log: Log = { ...silentLog, error: (event) => void events.push(event) };
  s3.server.fault = 'reset';
  await checkBlobs({ s3: s3.server.place }, log);
  s3.server.fault = null;
  expect(events).toEqual(['blobs_unavailable']);
});
