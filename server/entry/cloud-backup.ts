/**
 * `npm run cloud:backup`: copies both stores while the gateway runs, each as a snapshot, and verifies the copies. Telemetry goes first: a
 * trace whose app is missing in the copy would be lost. To restore, stop the gateway and replace the stores by the copies; `--check DIR`
 * verifies them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { controlFile } from '../control/sqlite/open.ts';
import { StartRefusal } from '../platform/start-refusal.ts';
import { lockFolder } from '../telemetry/sqlite/file/folder-lock.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';
import { onFolder, orQuit, quit, readCommandLine } from './command-line.ts';
import { copyStore, verifyCopy } from './copy-store.ts';
import { readPostgresAddress } from './postgres-address.ts';

const name = 'npm run cloud:backup --';
const values = readCommandLine({
  name,
  about:
    'Copies both stores while the gateway runs and verifies the copies; or only verifies the copies in a folder. A control store on\n' +
    'PostgreSQL is not copied: use pg_dump.',
  options: {
    data: { value: 'DIR', help: 'the data folder to copy' },
    to: { value: 'DIR', help: 'a folder for the copies, without stores and not used by a gateway' },
    check: { value: 'DIR', help: 'a folder with copies to verify' },
  },
});

const isOnPostgres = orQuit(() => readPostgresAddress(process.env)) !== null;
const stores = isOnPostgres ? [telemetryFile] : [telemetryFile, controlFile];

const { check: copies, data: from, to } = values;
if (copies) await onFolder(copies, async () => check(copies));
else if (from && to) await onFolder(to, () => backUp(from, to));
else quit(`Name what to copy and where, or what to check: ${name} --data DIR --to DIR, or --check DIR`);

async function backUp(from: string, to: string): Promise<void> {
  for (const file of stores) if (!existsSync(file(from))) throw new StartRefusal(`There is no store ${file(from)}`);
  // Locks the target, so that no gateway starts on unfinished copies, and no copy overwrites a store in use.
  const target = await lockFolder(to, 'cloud:backup', '--to');
  try {
    for (const file of stores) await copy(file(from), file(to));
    check(to);
    if (isOnPostgres)
      process.stderr.write('The control store is on PostgreSQL and is not in the copy: back it up with pg_dump, after this.\n');
  } finally {
    target.release();
  }
}

async function copy(from: string, to: string): Promise<void> {
  if (existsSync(to)) throw new StartRefusal(`${to} exists already: choose a folder without stores`);
  try {
    await copyStore(from, to, progressOf(from));
  } catch (error) {
    throw new StartRefusal(`${from} could not be copied to ${to}: ${(error as Error).message}`);
  }
}

/** Prints the progress: on a terminal twice a second, otherwise every five seconds. */
function progressOf(file: string): (part: number) => void {
  const [everyMs, end] = process.stderr.isTTY ? [500, '\r'] : [5000, '\n'];
  let printedAt = performance.now();
  return (part) => {
    if (performance.now() - printedAt < everyMs) return;
    printedAt = performance.now();
    process.stderr.write(`${file}: ${Math.floor(part * 100)} % copied${end}`);
  };
}

function check(folder: string): void {
  for (const file of stores) {
    if (!existsSync(file(folder))) throw new StartRefusal(`There is no store ${file(folder)}`);
    const result = verifyCopy(file(folder));
    if (result !== 'ok') throw new StartRefusal(`${file(folder)} is damaged: ${result}`);
  }
  process.stdout.write(`Verified: ${stores.map((file) => file(join(folder))).join(', ')}\n`);
}
