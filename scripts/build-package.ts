/**
 * `npm run build:package`: the gateway, its viewer and the `glasshouse` command as a folder for `npm pack`, in out/package. It has no dependencies to
 * install: the SQLite driver for all systems is included. An argument names another folder.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundle } from './bundle.ts';
import { notAllowed, noticesOf, shippedPackages } from './third-party-notices.ts';

const root = join(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(root, 'out/package'));
const driver = 'node_modules/better-sqlite3';

const jsonOf = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const writeJson = (path: string, json: object) => writeFileSync(join(folder, path), `${JSON.stringify(json, null, 2)}\n`);

const { status } = spawnSync(process.execPath, [join(root, 'scripts/ensure-viewer.ts')], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

const packages = shippedPackages(root);
const refused = notAllowed(packages);
if (refused.length > 0) {
  process.stderr.write(`The licences of these packages are not among those of scripts/third-party-notices.ts:\n${refused.join('\n')}\n`);
  process.exit(1);
}

if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, 'glasshouse.cjs'))) {
  process.stderr.write(`${folder} has other files: name an empty folder, or one that this command has made.\n`);
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, driver), { recursive: true });
const entries = { glasshouse: 'server/cli/glasshouse.ts', gateway: 'server/entry/gateway.ts', thread: 'server/entry/thread.ts' };
// Two levels below the root like server/entry, so that paths relative to import.meta.dirname work in both.
await bundle(root, {
  input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, file)])),
  outDir: join(folder, 'out/server'),
  extension: 'js',
});
cpSync(join(root, 'out/renderer'), join(folder, 'out/renderer'), { recursive: true });
mkdirSync(join(folder, 'scripts'));
copyFileSync(join(root, 'scripts/lean-malloc.cjs'), join(folder, 'scripts/lean-malloc.cjs'));
copyFileSync(join(root, 'scripts/package-command.cjs'), join(folder, 'glasshouse.cjs'));
for (const part of ['lib', 'prebuilds', 'LICENSE']) cpSync(join(root, driver, part), join(folder, driver, part), { recursive: true });
// It is complete: it builds nothing, and what it is built with is not installed.
const { dependencies: _, devDependencies: __, scripts: ___, gypfile: ____, ...driverJson } = jsonOf(`${driver}/package.json`);
writeJson(`${driver}/package.json`, driverJson);
const { name, version, description, optionalDependencies } = jsonOf('package.json');
writeJson('package.json', {
  // The owner has not chosen a licence yet.
  ...{ name, version, description, private: true, license: 'UNLICENSED', type: 'module', bin: { glasshouse: 'glasshouse.cjs' } },
  ...{ dependencies: { 'better-sqlite3': driverJson.version }, bundleDependencies: ['better-sqlite3'], optionalDependencies },
});
copyFileSync(join(root, 'docs/package.md'), join(folder, 'README.md'));
writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(packages));
process.stderr.write(`Built ${folder}. \`npm pack ${folder}\` makes the package.\n`);
