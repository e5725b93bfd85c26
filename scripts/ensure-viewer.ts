/**
 * Builds the viewer when it is missing or older than its sources, so that `npm start`, `npm run gateway` and the
 * browser journeys need no build step of their own. Prints nothing when there is nothing to do, and everything else
 * to stderr: programs read stdout of some commands.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const outDir = join(root, 'out/renderer');
const sources = ['renderer/**/*', 'shared/**/*.ts', 'vite.config.ts', 'package-lock.json'];

function isFresh(): boolean {
  const page = statSync(join(outDir, 'index.html'), { throwIfNoEntry: false });
  return page !== undefined && page.mtimeMs >= newestChange(root, sources);
}

function vite(buildDir: string): boolean {
  const bin = join(root, 'node_modules/vite/bin/vite.js');
  const options = ['build', '--outDir', buildDir, '--emptyOutDir', '--logLevel', 'warn'];
  // When a test starts this, its NODE_ENV would make Vite build for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  return spawnSync(process.execPath, [bin, ...options], { cwd: root, env, stdio: ['ignore', 2, 2] }).status === 0;
}

/** Builds in a temporary folder and moves it: two gateways started at once must not empty each other's output. */
function build(): boolean {
  const startedAt = new Date();
  const temporaryDir = join(root, `out/.renderer-${process.pid}`);
  mkdirSync(temporaryDir, { recursive: true });
  try {
    if (!vite(temporaryDir)) return false;
    // The page gets the start time: a source saved while Vite ran makes it stale.
    utimesSync(join(temporaryDir, 'index.html'), startedAt, startedAt);
    rmSync(outDir, { recursive: true, force: true });
    renameSync(temporaryDir, outDir);
    return true;
  } catch (error) {
    // Another process moved its own build there between the two steps, which is as good as ours.
    if (isFresh()) return true;
    throw error;
  } finally {
    rmSync(temporaryDir, { recursive: true, force: true });
  }
}

if (!existsSync(join(root, 'renderer/index.html'))) {
  process.stderr.write('There is no viewer in this tree (renderer/index.html): continuing without it.\n');
} else if (!isFresh()) {
  const startMs = performance.now();
  process.stderr.write('Building the viewer...\n');
  if (!build()) {
    process.stderr.write('The viewer could not be built; see the output of Vite above.\n');
    process.exit(1);
  }
  process.stderr.write(`Built the viewer in ${((performance.now() - startMs) / 1000).toFixed(1)} s.\n`);
}

/** Milliseconds of the latest change to any file that matches; 0 when none does. */
export function newestChange(root: string, patterns: string[]): number {
  let newest = 0;
  for (const file of globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })) {
    const stat = statSync(join(root, file), { throwIfNoEntry: false });
    if (stat?.isFile()) newest = Math.max(newest, stat.mtimeMs);
  }
  return newest;
}
