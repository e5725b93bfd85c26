/**
 * `npm run cloud:backup`: copies both stores while the gateway runs, each as a snapshot, and verifies the copies: once, or as a series from which
 * old ones are removed. Telemetry goes first: a trace whose app is missing in the copy would be lost.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { controlFile } from '../control/sqlite/open.ts';
import { StartRefusal } from '../platform/start-refusal.ts';
import { lockFolder } from '../telemetry/sqlite/file/folder-lock.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';
import { type BackupPlace, backupName } from './backup/backup-place.ts';
import { makeCopies, requireStores, verifyCopies } from './backup/copies.ts';
import { saveLastBackup } from './backup/last-backup.ts';
import { atPlace, openBackupPlace } from './backup/open-backup-place.ts';
import { rehearse } from './backup/rehearsal.ts';
import { onFolder, orQuit, quit, readCommandLine } from './command-line.ts';
import { readPostgresAddress } from './postgres-address.ts';
import { withSecretFiles } from './secret-files.ts';
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
    every: { value: 'HOURS', help: 'goes on, and adds one to the series so often' },
    check: { value: 'DIR', help: 'a folder with copies to verify' },
    from: { value: 'PLACE', help: 'restores the newest backup of the series into the folder of --to' },
    name: { value: 'NAME', help: 'restores this backup of the series, not the newest' },
    rehearse: { value: 'PLACE', help: 'restores the newest backup of the series, reads from it, and deletes what was restored' },
  },
});

/** A bucket lists a thousand at once. */
const keptMax = 500;

const settings = orQuit(() => withSecretFiles(process.env));
const isOnPostgres = orQuit(() => readPostgresAddress(process.env)) !== null;
const stores = isOnPostgres ? [telemetryFile] : [telemetryFile, controlFile];
const { check: copies, data, to, into, from, rehearse: rehearsed } = values;

if (copies) await onFolder(copies, async () => verify(copies));
else if (rehearsed) await onFolder(rehearsed, () => rehearseNewest(rehearsed));
else if (from && to) await onFolder(to, () => restore(from, to, values.name));
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
    await finished(dataDir, await makeCopies(stores, dataDir, folder));
    printVerified(folder);
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

/** @param bytes size of the copies */
async function finished(dataDir: string, bytes: number): Promise<void> {
  await saveLastBackup(dataDir, { finished_at: new Date().toISOString(), bytes });
  if (isOnPostgres)
    process.stderr.write('The control store is on PostgreSQL and is not in the copy: back it up with pg_dump, after this.\n');
}

/** Adds a backup to a series: once, or for as long as the program runs. */
async function addTo(place: string, dataDir: string): Promise<void> {
  const keep = Math.floor(numberOf('--keep', values.keep, 1, keptMax));
  const everyMs = values.every === undefined ? null : numberOf('--every', values.every, 0.01, 24 * 365) * 3_600_000;
  const add = async () => {
    requireStores(stores, dataDir);
    const series = openBackupPlace(place, settings, join(dataDir, 'unfinished-backup'));
    await atPlace(place, () => addOne(series, dataDir, keep));
  };
  if (everyMs === null) return onFolder(place, add);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
  for (;;) {
    const beganAt = Date.now();
    await add().catch((error: unknown) => process.stderr.write(`${startFailure(error, null, place)}\n`));
    await until(beganAt + everyMs);
  }
}

async function addOne(series: BackupPlace, dataDir: string, keep: number): Promise<void> {
  const at = backupName(new Date());
  let bytes = 0;
  await series.add(at, async (folder) => {
    bytes = await makeCopies(stores, dataDir, folder);
  });
  await finished(dataDir, bytes);
  process.stdout.write(`Added ${at}\n`);
  const names = await series.names();
  for (const old of names.slice(0, -keep)) {
    await series.remove(old);
    process.stdout.write(`Removed ${old}\n`);
  }
}

async function restore(place: string, folder: string, wanted: string | undefined): Promise<string> {
  const series = openBackupPlace(place, settings, folder);
  const target = await lockFolder(folder, 'cloud:backup', '--to');
  try {
    for (const file of stores.map((path) => path(folder)))
      if (readdirSync(folder).some((found) => join(folder, found).startsWith(file)))
        throw new StartRefusal(`${file} exists already: choose a folder without stores`);
    return await atPlace(place, async () => {
      const names = await series.names();
      const chosen = wanted ?? names.at(-1);
      if (!chosen || !names.includes(chosen))
        throw new StartRefusal(
          `${place} has no backup${wanted ? ` ${wanted}` : ''}${names.length > 0 ? `: it has ${names.join(', ')}` : ''}`,
        );
      await series.fetch(chosen, folder);
      verify(folder);
      return chosen;
    });
  } finally {
    target.release();
  }
}

async function rehearseNewest(place: string): Promise<void> {
  const beganAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-rehearsal-'));
  try {
    const restored = await restore(place, folder, undefined);
    const seconds = () => Math.ceil((performance.now() - beganAt) / 1000);
    if (isOnPostgres)
      return void process.stdout.write(`Restored ${restored} in ${seconds()} s. Its traces are not read: their apps are in PostgreSQL.\n`);
    const { teams, apps, traces, read, newest } = await rehearse(
      folder,
      new URL(`./thread${extname(import.meta.filename)}`, import.meta.url),
    );
    process.stdout.write(
      `Restored ${restored} in ${seconds()} s: ${teams} teams, ${apps} apps, ${traces} traces, of which ${read} were read; ` +
        `${newest ? `the newest began at ${newest}` : 'there is no trace'}\n`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function numberOf(option: string, text: string | undefined, least: number, most: number): number {
  const value = Number(text);
  if (!text || !(value >= least && value <= most)) quit(`${option} takes a number from ${least} to ${most}, not '${text}'.`);
  return value;
}

/** Timers are not longer than 24 days. */
async function until(at: number): Promise<void> {
  const longestMs = 24 * 3_600_000;
  for (let left = at - Date.now(); left > 0; left = at - Date.now())
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, longestMs)));
}
