/** Series of backups in a folder, and in a bucket of an S3 that checks signatures. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBlobs } from '../../blobs/open-blobs.ts';
import { s3Keys, startS3, type TestS3 } from '../../fixtures/s3.ts';
import type { BackupPlace } from './backup-place.ts';
import { openBackupPlace } from './open-backup-place.ts';

const [first, second] = ['2026-11-29T02-00-00Z', '2026-11-30T02-00-00Z'];
/** Two parts of a bucket. */
const telemetry = randomBytes(2_200_000);
const control = Buffer.from('teams');

let folder: string;
let s3: TestS3;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-backups-'));
  s3 = await startS3();
});
afterEach(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

const staging = () => join(folder, 'unfinished-backup');
const settings = () => ({
  GLASSHOUSE_S3_REGION: s3.server.place.region,
  GLASSHOUSE_S3_KEY_ID: s3Keys.keyId,
  GLASSHOUSE_S3_KEY_SECRET: s3Keys.keySecret,
});

const copyTo = async (to: string): Promise<void> => {
  writeFileSync(join(to, 'telemetry.db'), telemetry);
  writeFileSync(join(to, 'control.db'), control);
};

async function fetched(place: BackupPlace, name: string): Promise<Record<string, number>> {
  const to = mkdtempSync(join(folder, 'restored-'));
  await place.fetch(name, to);
  const same = readFileSync(join(to, 'telemetry.db')).equals(telemetry) && readFileSync(join(to, 'control.db')).equals(control);
  expect(same).toBe(true);
  return Object.fromEntries(readdirSync(to).map((file) => [file, statSync(join(to, file)).size]));
}

describe.each(['folder', 'bucket'] as const)('in a %s', (kind) => {
  const place = (): BackupPlace => openBackupPlace(kind === 'folder' ? join(folder, 'series') : s3.server.place.url, settings(), staging());

  it('keeps backups byte for byte, oldest first, and removes one without a trace', async () => {
    const series = place();
    expect(await series.names()).toEqual([]);
    await series.add(second, copyTo);
    await series.add(first, copyTo);
    expect(await series.names()).toEqual([first, second]);
    expect(await fetched(series, first)).toEqual({ 'telemetry.db': telemetry.length, 'control.db': control.length });
    await series.remove(first);
    expect(await place().names()).toEqual([second]);
    await fetched(series, second);
    expect([await series.source(), await series.setSource('one'), await place().source()]).toEqual([null, undefined, 'one']);
    const removed =
      kind === 'folder' ? readdirSync(join(folder, 'series')) : await openBlobs({ s3: s3.server.place }).list(`parts/${first}/`);
    expect(removed).toEqual(kind === 'folder' ? [second, 'source.txt'] : []);
    expect(existsSync(staging())).toBe(false);
  });

  it('has no backup that was not finished, and cleans up behind one that was killed', async () => {
    const failing = async (to: string): Promise<void> => {
      await copyTo(to);
      throw new Error('the disk is full');
    };
    const series = place();
    await expect(series.add(first, failing)).rejects.toThrow('the disk is full');
    expect(await series.names()).toEqual([]);
    const left = kind === 'folder' ? join(folder, 'series', 'unfinished') : staging();
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'telemetry.db.partial'), 'of a program that was killed');
    await series.tidy();
    expect(existsSync(left)).toBe(false);
    await series.add(second, copyTo);
    expect(await fetched(series, second)).toEqual({ 'telemetry.db': telemetry.length, 'control.db': control.length });
  });
});

describe('a bucket', () => {
  const place = () => openBackupPlace(s3.server.place.url, settings(), staging());
  const blobs = () => openBlobs({ s3: s3.server.place });

  it('has no backup before all of it arrived, and its parts are removed', async () => {
    const bucket = blobs();
    await bucket.put(`begun/${first}`, Buffer.from(first));
    for (let part = 0; part < 12; part++) await bucket.put(`parts/${first}/telemetry.db/${String(part).padStart(6, '0')}`, control);
    await place().add(second, copyTo);
    expect(await place().names()).toEqual([second]);
    await place().tidy();
    expect(await bucket.list(`parts/${first}/`)).toEqual([]);
    expect(await bucket.list('begun/')).toEqual([]);
    await fetched(place(), second);
  });

  it('has more backups than one list of the service', async () => {
    const names = Array.from({ length: 23 }, (_, day) => `2026-10-${String(day + 1).padStart(2, '0')}T02-00-00Z`);
    for (const name of names) await blobs().put(`complete/${name}.json`, Buffer.from('{"files":[]}'));
    expect(await place().names()).toEqual(names);
  });

  it('is refused with a part that changed, and with one that is missing', async () => {
    await place().add(first, copyTo);
    const bucket = blobs();
    const key = `parts/${first}/telemetry.db/000001`;
    for (const change of [() => bucket.put(key, Buffer.from('other')), () => bucket.remove(key)]) {
      await change();
      await expect(fetched(place(), first)).rejects.toThrow(
        'Part 1 of telemetry.db of the backup 2026-11-29T02-00-00Z is missing or damaged',
      );
    }
  });

  it('waits for a store that is busy for a moment, and refuses wrong keys at once', async () => {
    s3.server.fault = 'slow-down';
    const adding = place().add(first, copyTo);
    await expect.poll(() => s3.server.requests.length).toBeGreaterThan(0);
    s3.server.fault = null;
    await adding;
    expect(await place().names()).toEqual([first]);
    const wrong = openBackupPlace(s3.server.place.url, { ...settings(), GLASSHOUSE_S3_KEY_SECRET: 'wrong' }, staging());
    await expect(wrong.names()).rejects.toThrow('SignatureDoesNotMatch');
    expect(() => openBackupPlace('https://host/bucket', {}, staging())).toThrow(
      'https://host/bucket needs GLASSHOUSE_S3_KEY_ID and GLASSHOUSE_S3_KEY_SECRET',
    );
    expect(() => openBackupPlace('https://me:secret@host', settings(), staging())).toThrow(/^https:\/\/host must have a bucket/);
    expect(() => openBackupPlace('s3://bucket', settings(), staging())).toThrow('begins with https://');
    expect(() => openBackupPlace(join(folder, 'not-mounted', 'series'), {}, staging())).toThrow('is its disk mounted?');
  });
});
