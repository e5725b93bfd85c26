/** Builds the code that runs inside Electron (out/main, out/preload) when an output is missing or older than its sources. */
import { spawnSync } from 'node:child_process';
import { globSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const sources = ['{main,server,shared}/**/*.ts', 'electron.vite.config.ts', 'package-lock.json'];
const outputs = ['out/main/index.js', 'out/main/thread.js', 'out/preload/preload.cjs'];

function isFresh(): boolean {
  const changed = (file: string) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const built = Math.min(...outputs.map(changed));
  const exclude = ['**/*.test.ts', '**/node_modules/**'];
  return built > 0 && globSync(sources, { cwd: root, exclude }).every((file) => changed(file) <= built);
}

if (!isFresh()) {
  process.stderr.write('Building the desktop app...\n');
  const startedAt = new Date();
  const bin = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
  const options = ['build', '--mode', 'shell', '--ignoreConfigWarning', '--logLevel', 'warn'];
  const { status } = spawnSync(process.execPath, [bin, ...options], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
  // The outputs get the start time: a source saved during the build makes them stale.
  for (const output of outputs) utimesSync(join(root, output), startedAt, startedAt);
}
