/**
 * `npm run dist`: builds viewer and desktop app, and packs them with electron-builder (electron-builder.yml), which gets all arguments:
 * `--dir` packs without installers; `--mac`, `--win` and `--linux` choose the system. `GLASSHOUSE_ELECTRON_DIST` is a folder with an
 * unpacked Electron; by default the one in node_modules is used, or downloaded. `GLASSHOUSE_UPDATES_URL` is where the app looks for updates.
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

const electronDist = process.env['GLASSHOUSE_ELECTRON_DIST'];
if (electronDist !== undefined && !existsSync(electronDist)) quit(`GLASSHOUSE_ELECTRON_DIST names ${electronDist}, which does not exist.`);
const options = builderOptions(process.env);
if (typeof options === 'string') quit(options);

const parts = ['scripts/ensure-viewer.ts', 'scripts/ensure-shell.ts', 'scripts/build-command.ts'];
if (!parts.every((script) => node(script))) quit('The app could not be built.');
process.stderr.write('Viewer, main process, worker, preload and command are built.\n');
if (electronDist === undefined && !existsSync(join(root, 'node_modules/electron/path.txt')) && !node('node_modules/electron/install.js'))
  quit(missingBinary);
if (!node('node_modules/electron-builder/out/cli/cli.js', [...process.argv.slice(2), ...options]))
  quit('electron-builder failed; see its output above.');
