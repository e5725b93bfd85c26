/**
 * `npm run cloud:backup`: copies both stores while the gateway runs, each as of one moment, and reads the copies through before it says that
 * they are good. Telemetry goes first: a trace of an app that is not in the copy would be nobody's. To restore, stop the gateway and put the
 * copies where the stores were; `--check DIR` says whether they are whole.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { controlFile } from '../control/drizzle/store.ts';
import { openReader } from '../telemetry/sqlite/open.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';

const usage = 'npm run cloud:backup -- --data DIR --to DIR, or --check DIR';
const { values } = parseArgs({ options: { data: { type: 'string' }, to: { type: 'string' }, check: { type: 'string' } } });

const stores = [telemetryFile, controlFile];

if (values.check) check(values.check);
else if (values.data && values.to) await backUp(values.data, values.to);
else quit(usage);

async function backUp(from: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const file of stores) {
    if (!existsSync(file(from))) quit(`There is no store ${file(from)}`);
    if (existsSync(file(to))) quit(`${file(to)} is there already; copies go into a folder without any`);
    const db = openReader(file(from));
    await db.backup(file(to));
    db.close();
  }
  check(to);
}

function check(folder: string): void {
  for (const file of stores) {
    if (!existsSync(file(folder))) quit(`There is no store ${file(folder)}`);
    const found = readThrough(file(folder));
    if (found !== 'ok') quit(`${file(folder)} is damaged: ${found}`);
  }
  process.stdout.write(`Whole: ${stores.map((file) => file(join(folder))).join(', ')}\n`);
}

/** `ok`, or what is wrong. A file can be so broken that it cannot even be asked. */
function readThrough(file: string): string {
  try {
    const db = openReader(file);
    const found = String(db.pragma('integrity_check(1)', { simple: true }));
    db.close();
    return found;
  } catch (error) {
    return (error as Error).message;
  }
}

function quit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
