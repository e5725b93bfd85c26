/**
 * `npm run build:server`: builds viewer and gateways for a server, in out/renderer and out/server. They need Node, package.json and nothing else:
 * the driver of the store, which is native, is copied beside the bundle, for all systems. An argument names another folder than out/server.
 */
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundle } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const outDir = resolve(process.argv[2] ?? join(root, 'out/server'));

const { status } = spawnSync(process.execPath, [join(root, 'scripts/ensure-viewer.ts')], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

const entries = ['cloud-gateway', 'cloud-bootstrap', 'cloud-backup', 'cloud-migrate', 'cloud-password', 'cloud-plan', 'thread'];
// All in one folder, two levels below the root like server/entry, so that paths relative to import.meta.dirname work in both.
const input = Object.fromEntries(entries.map((name) => [name, join(root, `server/entry/${name}.ts`)]));
await bundle(root, { input, outDir, extension: 'js' });
const driver = 'node_modules/better-sqlite3';
for (const part of ['package.json', 'lib', 'prebuilds', 'LICENSE'])
  cpSync(join(root, driver, part), join(outDir, driver, part), { recursive: true });
process.stderr.write(`Built ${outDir} and out/renderer.\n`);
