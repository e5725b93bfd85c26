/**
 * Builds the viewer when it is missing or older than what it is made of, so that `npm start`, `npm run gateway` and
 * the browser journeys need no build step of their own. Says nothing when there is nothing to do: some commands'
 * stdout is read by programs, so what it does say goes to stderr.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newestChange } from './newest-change.ts';

const root = join(import.meta.dirname, '..');
const built = join(root, 'out/renderer/index.html');
const sources = ['renderer/**/*', 'shared/**/*.ts', 'package-lock.json'];

const isFresh = () => existsSync(built) && statSync(built).mtimeMs >= newestChange(root, sources);

function build(): number {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const options = ['build', 'renderer', '--outDir', join(root, 'out/renderer'), '--emptyOutDir', '--logLevel', 'warn'];
  return spawnSync(process.execPath, [vite, ...options], { cwd: root, stdio: ['ignore', 2, 2] }).status ?? 1;
}

if (!existsSync(join(root, 'renderer/index.html'))) {
  process.stderr.write('There is no viewer in this tree (renderer/index.html): going on without it.\n');
} else if (!isFresh()) {
  const began = performance.now();
  process.stderr.write('Building the viewer...\n');
  if (build() !== 0) {
    process.stderr.write('The viewer could not be built; what Vite says is above.\n');
    process.exit(1);
  }
  process.stderr.write(`Built the viewer in ${((performance.now() - began) / 1000).toFixed(1)} s.\n`);
}
