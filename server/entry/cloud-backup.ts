/**
 * `npm run cloud:backup`: copies both stores while the gateway runs, each as a snapshot, and verifies the copies: once, or as a series from which
 * old ones are removed. Telemetry goes first: a trace whose app is missing in the copy would be lost.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { controlFile } from '../control/sqlite/open.ts';
import { lockFolder } from '../telemetry/sqlite/file/folder-lock.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';
import { timeOfBackup } from './backup/backup-place.ts';
import { addBackup, openSeries } from './backup/backup-series.ts';
import { makeCopies, requireStores, verifyCopies } from './backup/copies.ts';
import { atPlace, openBackupPlace } from './backup/open-backup-place.ts';
import { rehearse } from './backup/rehearsal.ts';
import { restoreBackup } from './backup/restore.ts';
import { onFolder, orQuit, quit, readCommandLine } from './command-line.ts';
import { readPostgresAddress } from './postgres-address.ts';
import { startFailure } from './start-failure.ts';

const name = 'npm run cloud:backup --';
const values = readCommandLine({
  name,
  about:
    'Copies both stores while the gateway runs and verifies the copies: to one folder, or into a series, from which old ones are removed.\n' +
    'PLACE is a folder, or the address of a bucket, https://HOST/BUCKET/PREFIX, with the keys of GLASSHOUSE_S3_KEY_ID and\n' +
    'GLASSHOUSE_S3_KEY_SECRET. A control store on PostgreSQL is not copied: use pg_dump.',
  options: {
    data: { value: 'DIR', help: 'the data folder to copy' },
    to: { value: 'DIR', help: 'a folder for the copies, without stores and not used by a gateway' },
    into: { value: 'PLACE', help: 'where the series is, instead of --to' },
    keep: { value: 'N', help: 'how many backups of the series are kept', default: '7' },
    every: { value: 'HOURS', help: 'keeps running, and adds a backup each time so many hours have passed' },
    check: { value: 'DIR', help: 'a folder with copies to verify' },
    from: { value: 'PLACE', help: 'restores the newest backup of the series into the folder of --to' },
    name: { value: 'NAME', help: 'restores this backup of the series, not the newest' },
    rehearse: {
      value: 'PLACE',
      help: 'restores the newest backup in a new folder below --to, or below that of temporary files, reads from it, and deletes it',
    },
  },
});

const keptMax = 1000;
const hourMs = 3_600_000;
/** After a first failure; doubled with each further one. */
const retryMs = 5 * 60_000;

const isOnPostgres = orQuit(() => readPostgresAddress(process.env)) !== null;
const stores = isOnPostgres ? [telemetryFile] : [telemetryFile, controlFile];
const { check: copies, data, to, into, from, rehearse: rehearsed } = values;

if (copies) await onFolder(copies, async () => verify(copies));
else if (rehearsed) await onFolder(rehearsed, () => rehearseNewest(rehearsed));
else if (from && to) await onFolder(to, () => restore(from, to));
else if (data && into) await addTo(into, data);
else if (data && to) await onFolder(to, () => copyOnce(data, to));
else
  quit(
    `Name what to copy and where, or what to check: ${name} --data DIR --to DIR, --data DIR --into PLACE, --from PLACE --to DIR, --rehearse PLACE, or --check DIR`,
  );

async function copyOnce(dataDir: string, folder: string): Promise<void> {
  requireStores(stores, dataDir);
  // Locks the target, so that no gateway starts on unfinished copies, and no copy overwrites a store in use.
  const target = await lockFolder(folder, 'cloud:backup', '--to');
  try {
    await makeCopies(stores, dataDir, folder);
    printVerified(folder);
    printLeftOut();
  } finally {
    target.release();
  }
}

function verify(folder: string): void {
  verifyCopies(stores, folder);
  printVerified(folder);
}

function printVerified(folder: string): void {
  process.stdout.write(`Verified: ${stores.map((file) => file(join(folder))).join(', ')}\n`);
}

function printLeftOut(): void {
  if (isOnPostgres)
    process.stderr.write('The control store is on PostgreSQL and is not in the copy: back it up with pg_dump, after this.\n');
}

/** Adds a backup to a series: once, or for as long as the program runs. */
async function addTo(place: string, dataDir: string): Promise<void> {
  const keep = Math.floor(numberOf('--keep', values.keep, 1, keptMax));
  const everyMs = values.every === undefined ? null : numberOf('--every', values.every, 0.001, 24 * 365) * hourMs;
  const add = async () => {
    await atPlace(place, () => addBackup({ dataDir, place, stores, keep }));
    printLeftOut();
  };
  if (everyMs === null) return onFolder(place, add);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
  let pauseMs = await untilNextMs(place, dataDir, everyMs);
  for (let failures = 0; ; ) {
    await sleep(pauseMs);
    try {
      await add();
      failures = 0;
      pauseMs = everyMs;
    } catch (error) {
      process.stderr.write(`${startFailure(error, null, place)}\n`);
      pauseMs = Math.min(retryMs * 2 ** failures++, everyMs);
    }
  }
}

/** A program that is started again must not replace a week of backups by those of one day. @returns ms */
async function untilNextMs(place: string, dataDir: string, everyMs: number): Promise<number> {
  const newest = (
    await openSeries({ place, dataDir })
      .names()
      .catch(() => [])
  ).at(-1);
  return newest === undefined ? 0 : Math.min(Math.max(0, timeOfBackup(newest) + everyMs - Date.now()), everyMs);
}

/** Timers are not longer than 24 days. */
async function sleep(ms: number): Promise<void> {
  const end = performance.now() + ms;
  for (let left = ms; left > 0; left = end - performance.now())
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, 24 * hourMs)));
}

async function restore(place: string, folder: string): Promise<void> {
  const series = openBackupPlace(place, process.env, folder);
  const restored = await atPlace(place, () => restoreBackup({ series, place, folder, stores, name: values.name }));
  process.stdout.write(`Restored ${restored}\n`);
  printVerified(folder);
}

async function rehearseNewest(place: string): Promise<void> {
  const beganAt = performance.now();
  const folder = mkdtempSync(join(to ?? tmpdir(), 'glasshouse-rehearsal-'));
  const clear = () => rmSync(folder, { recursive: true, force: true });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      clear();
      process.exit(1);
    });
  try {
    const series = openBackupPlace(place, process.env, folder);
    const restored = await atPlace(place, () => restoreBackup({ series, place, folder, stores }));
    const read = isOnPostgres
      ? 'its traces are not read, because their apps are in PostgreSQL'
      : inWords(await rehearse(folder, new URL(`./thread${extname(import.meta.filename)}`, import.meta.url)));
    process.stdout.write(`Restored ${restored} in ${Math.ceil((performance.now() - beganAt) / 1000)} s: ${read}\n`);
  } finally {
    clear();
  }
}

function inWords({ teams, apps, traces, read, newest }: Awaited<ReturnType<typeof rehearse>>): string {
  const age = newest ? `the newest began at ${newest}` : 'there is no trace';
  return `${teams} teams, ${apps} apps, ${traces} traces, of which ${read} were read; ${age}`;
}

function numberOf(option: string, text: string | undefined, least: number, most: number): number {
  const value = Number(text);
  if (!text || !(value >= least && value <= most)) quit(`${option} takes a number from ${least} to ${most}, not '${text}'.`);
  return value;
}
