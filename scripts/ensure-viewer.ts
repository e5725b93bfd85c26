/**
 * Builds the viewer when it is missing or older than what it is made of, so that `npm start`, `npm run gateway` and
 * the browser journeys need no build step of their own. Says nothing when there is nothing to do: some commands'
 * stdout is read by programs, so what it does say goes to stderr.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const home = join(root, 'out/renderer');
const sources = ['renderer/**/*', 'shared/**/*.ts', 'vite.config.ts', 'package-lock.json'];

function isFresh(): boolean {
  const page = statSync(join(home, 'index.html'), { throwIfNoEntry: false });
  return page !== undefined && page.mtimeMs >= newestChange(root, sources);
}

function vite(into: string): boolean {
  const bin = join(root, 'node_modules/vite/bin/vite.js');
  const options = ['build', '--outDir', into, '--emptyOutDir', '--logLevel', 'warn'];
  // Whoever starts it may be a test, whose environment would make Vite build for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  return spawnSync(process.execPath, [bin, ...options], { cwd: root, env, stdio: ['ignore', 2, 2] }).status === 0;
}

/** Beside its home first, then moved: two gateways started at once must not empty the folder under each other. */
function build(): boolean {
  const began = new Date();
  const aside = join(root, `out/.renderer-${process.pid}`);
  mkdirSync(aside, { recursive: true });
  try {
    if (!vite(aside)) return false;
    // The age of the page is the age of its sources: a file saved while Vite ran makes it stale.
    utimesSync(join(aside, 'index.html'), began, began);
    rmSync(home, { recursive: true, force: true });
    renameSync(aside, home);
    return true;
  } catch (error) {
    // Between the two steps another start moved its own build in, which is as good as ours.
    if (isFresh()) return true;
    throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

if (!existsSync(join(root, 'renderer/index.html'))) {
  process.stderr.write('There is no viewer in this tree (renderer/index.html): going on without it.\n');
} else if (!isFresh()) {
  const beganMs = performance.now();
  process.stderr.write('Building the viewer...\n');
  if (!build()) {
    process.stderr.write('The viewer could not be built; what Vite says is above.\n');
    process.exit(1);
  }
  process.stderr.write(`Built the viewer in ${((performance.now() - beganMs) / 1000).toFixed(1)} s.\n`);
}

/** Milliseconds of the latest change to any file that matches; 0 when none does. */
export function newestChange(root: string, patterns: string[]): number {
  let newest = 0;
  for (const file of globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })) {
    const found = statSync(join(root, file), { throwIfNoEntry: false });
    if (found?.isFile()) newest = Math.max(newest, found.mtimeMs);
  }
  return newest;
}
