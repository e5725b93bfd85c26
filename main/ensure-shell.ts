/** Builds what runs inside Electron (out/main, out/preload) when it is missing or older than what it is made of. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

const sources = ['{main,server,shared}/**/*.ts', 'electron.vite.config.ts', 'package-lock.json'];
const changed = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isFresh(root: string): boolean {
  const built = changed(join(root, 'out/main/index.js'));
  const exclude = ['**/*.test.ts', '**/node_modules/**'];
  return built > 0 && globSync(sources, { cwd: root, exclude }).every((file) => changed(join(root, file)) <= built);
}

function electronVite(root: string, outDir: string): boolean {
  const bin = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
  const options = ['build', '--mode', 'shell', '--ignoreConfigWarning', '--logLevel', 'warn', '--outDir', outDir];
  return spawnSync(process.execPath, [bin, ...options], { cwd: root, stdio: ['ignore', 2, 2] }).status === 0;
}

/** False when it could not be built; the reasons are on stderr by then. */
export function ensureShell(root: string): boolean {
  if (isFresh(root)) return true;
  process.stderr.write('Building the desktop app...\n');
  const began = new Date();
  // Beside its home first, then moved: a build that is interrupted must not leave half an app.
  const aside = join(root, `out/.shell-${process.pid}`);
  mkdirSync(aside, { recursive: true });
  try {
    if (!electronVite(root, aside)) return false;
    // A file saved while it was built makes it stale.
    utimesSync(join(aside, 'main/index.js'), began, began);
    for (const part of ['main', 'preload']) {
      rmSync(join(root, 'out', part), { recursive: true, force: true });
      renameSync(join(aside, part), join(root, 'out', part));
    }
    return true;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
