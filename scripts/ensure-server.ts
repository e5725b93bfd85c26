/**
 * Bundles the server for scripts/from-bundle.cjs when the bundle is missing or its sources have changed, and removes bundles that nothing runs
 * any more.
 */
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundle } from './bundle.ts';
import { cacheOf, currentBundle, entries, type FileState, manifestOf, stateOf } from './server-bundle.cjs';

const root = join(import.meta.dirname, '..');
const startedMs = Date.now();
/** Gateways that start at once build folders of their own; the last one to finish is named by the manifest. */
const name = `server-${startedMs}-${process.pid}`;
/** Two levels below the root like server/entry, so that paths relative to import.meta.dirname work. */
const folder = join(cacheOf(root), name);

if (currentBundle(root) === null) await build();

async function build(): Promise<void> {
  const input = Object.fromEntries(entries.map((entry) => [entry, join(root, `server/entry/${entry}.ts`)]));
  /** As the files were before they were read: what is saved during the build makes the bundle old. */
  const files = new Map<string, FileState>();
  const note = (file: string) => void files.set(relative(root, file), stateOf(file));
  // npm writes the second one whenever it changes a package, of which there are a thousand files.
  for (const file of ['package-lock.json', 'node_modules/.package-lock.json', 'scripts/bundle.ts', 'scripts/ensure-server.ts'])
    note(join(root, file));
  const isPackage = (file: string) => relative(root, file).startsWith('node_modules');
  await bundle(root, { input, outDir: folder, extension: 'js', onModule: (file) => isPackage(file) || note(file), sourcemap: 'hidden' });
  for (const file of readdirSync(folder)) if (file.endsWith('.js')) note(join(folder, file));

  const manifest = JSON.stringify({ node: process.version, folder: name, files: [...files].map(([file, state]) => [file, ...state]) });
  writeFileSync(`${manifestOf(root)}.${process.pid}`, manifest);
  renameSync(`${manifestOf(root)}.${process.pid}`, manifestOf(root));
  for (const other of readdirSync(cacheOf(root))) if (/^server-\d+-\d+$/.test(other) && other !== name) removeUnused(other);
}

/** A minute is more than a start takes between finding the current bundle and marking it as used. */
function removeUnused(other: string): void {
  if (startedMs - Number(other.split('-')[1]) < 60_000) return;
  const path = join(cacheOf(root), other);
  const pids = readdirSync(path).flatMap((file) => (file.startsWith('used-') ? Number(file.slice('used-'.length)) : []));
  if (!pids.some(isRunning)) rmSync(path, { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
