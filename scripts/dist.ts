/**
 * `npm run dist`: builds viewer and desktop, and packs them with electron-builder (electron-builder.yml). Arguments go on to it:
 * `--dir` packs without installers, `--mac`, `--win`, `--linux` choose. `GLASSHOUSE_ELECTRON_DIST` names a folder with an unpacked
 * Electron; else the one of node_modules is used, or fetched. `GLASSHOUSE_UPDATES_URL` is where the app will look for updates.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { builderOptions, missingBinary } from './dist-options.ts';

const root = join(import.meta.dirname, '..');

function node(script: string, args: string[] = []): boolean {
  return spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' }).status === 0;
}

function quit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const given = process.env['GLASSHOUSE_ELECTRON_DIST'];
if (given !== undefined && !existsSync(given)) quit(`GLASSHOUSE_ELECTRON_DIST names ${given}, which is not there.`);
const options = builderOptions(given, process.env['GLASSHOUSE_UPDATES_URL']);
if (typeof options === 'string') quit(options);

const parts = ['scripts/ensure-viewer.ts', 'scripts/ensure-shell.ts', 'scripts/build-command.ts'];
if (!parts.every((script) => node(script))) quit('The app could not be built.');
process.stderr.write('Viewer, main process, worker, preload and command are built.\n');
if (given === undefined && !existsSync(join(root, 'node_modules/electron/path.txt')) && !node('node_modules/electron/install.js'))
  quit(missingBinary);
if (!node('node_modules/electron-builder/out/cli/cli.js', [...process.argv.slice(2), ...options]))
  quit('electron-builder failed; above it says why.');
