/** Packs the app with a fake Electron binary, which no package registry has; everything else is real. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builderOptions } from './dist-options.ts';
import { packIcns, packIco } from './icon-files.ts';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
/** The package that electron-builder packs with. */
const asarPackage = join(root, 'node_modules/@electron/asar');
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-dist-'));
const out = join(folder, 'out');
const app = join(out, 'linux-unpacked');
afterAll(() => rmSync(folder, { recursive: true }));

/** Electron stores its fuses in the binary: this marker, a version byte, a count byte, and one byte for each fuse. */
const fuseMarker = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const fuseCount = 9;

async function makeFakeElectron(): Promise<string> {
  const electron = join(folder, 'electron');
  const source = join(folder, 'default-app');
  for (const path of [join(electron, 'locales'), join(electron, 'resources'), source]) mkdirSync(path, { recursive: true });
  const binary = Buffer.concat([
    Buffer.from(`ELF ${fuseMarker}`),
    Buffer.from([1, fuseCount]),
    Buffer.from('1'.repeat(fuseCount)),
    Buffer.alloc(64),
  ]);
  writeFileSync(join(electron, 'electron'), binary, { mode: 0o755 });
  for (const [name, text] of Object.entries({ version: '45.4.1', LICENSE: '', 'LICENSES.chromium.html': '' }))
    writeFileSync(join(electron, name), text);
  writeFileSync(join(electron, 'locales/en-US.pak'), '');
  writeFileSync(join(source, 'main.js'), '');
  const asar = require(asarPackage) as { createPackage(from: string, to: string): Promise<void> };
  await asar.createPackage(source, join(electron, 'resources/default_app.asar'));
  return electron;
}

/** Names of a package and of all that it needs, which npm has put beside each other. */
function withDependencies(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const file = join(root, 'node_modules', name, 'package.json');
  const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> };
  for (const dependency of Object.keys(dependencies)) withDependencies(dependency, found);
  return found;
}

describe.runIf(process.platform === 'linux')('npm run dist -- --dir', () => {
  let files: string[];

  beforeAll(async () => {
    const env = {
      ...process.env,
      GLASSHOUSE_ELECTRON_DIST: await makeFakeElectron(),
      GLASSHOUSE_UPDATES_URL: 'https://updates.example/glasshouse',
    };
    const args = [join(root, 'scripts/dist.ts'), '--linux', '--dir', `-c.directories.output=${out}`];
    const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
    expect(status, stderr + stdout).toBe(0);
    const asar = require(asarPackage) as { listPackage(path: string, options: object): string[] };
    files = asar.listPackage(join(app, 'resources/app.asar'), { isPack: false });
  });

  it('packs the built app and what it needs at run time, and nothing else', () => {
    for (const file of [
      '/out/main/index.js',
      '/out/main/thread.js',
      '/out/preload/preload.cjs',
      '/out/renderer/index.html',
      '/package.json',
    ])
      expect(files).toContain(file);
    expect(files).toContain('/node_modules/electron-updater/package.json');
    expect(files.filter((file) => /^\/(server|main|renderer|shared|bench|e2e|checks|scripts|docs)\//.test(file))).toEqual([]);
    const packages = new Set(files.flatMap((file) => /^\/node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(file)?.[1] ?? []));
    expect([...packages].toSorted()).toEqual(['better-sqlite3', ...withDependencies('electron-updater')].toSorted());
  });

  it('unpacks the native module for this machine, and no other', () => {
    const prebuilds = join(app, 'resources/app.asar.unpacked/node_modules/better-sqlite3/prebuilds');
    expect(readdirSync(prebuilds)).toEqual([`linux-${process.arch}.node`]);
    const shipped = readFileSync(join(prebuilds, `linux-${process.arch}.node`));
    expect(shipped).toEqual(readFileSync(join(root, `node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`)));
  });

  it('ships the command for a separate Node, which runs from any folder and reads the store', () => {
    const command = join(folder, 'copied');
    cpSync(join(app, 'resources/command'), command, { recursive: true });
    expect(readdirSync(join(command, 'node_modules/better-sqlite3/prebuilds'))).toEqual([`linux-${process.arch}.node`]);
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(command, 'glasshouse.cjs'), ...args], { cwd: folder, encoding: 'utf8', env: { NO_COLOR: '1' } });
    expect(run('--version')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: `${(require('../package.json') as { version: string }).version}\n`,
    });
    const data = join(folder, 'data');
    mkdirSync(data);
    new (require('better-sqlite3') as typeof Database)(join(data, 'telemetry.db')).exec('create table t (x)').close();
    expect(run('doctor', '--data', data, '--project', folder).stdout).toMatch(/telemetry\.db is sound/);
  });

  it('sets the fuses: no Node mode, no NODE_OPTIONS, no inspector, code from the archive only', () => {
    const bytes = readFileSync(join(app, 'glasshouse-desktop'));
    const start = bytes.indexOf(fuseMarker) + fuseMarker.length + 2;
    const [runAsNode, cookies, nodeOptions, inspect, integrity, onlyAsar, , fileRights] = bytes.toString(
      'latin1',
      start,
      start + fuseCount,
    );
    expect({ runAsNode, cookies, nodeOptions, inspect, integrity, onlyAsar, fileRights }).toEqual({
      runAsNode: '0',
      cookies: '1',
      nodeOptions: '0',
      inspect: '0',
      integrity: '1',
      onlyAsar: '1',
      fileRights: '0',
    });
  });

  it('contains the update URL only when one is set', () => {
    expect(readFileSync(join(app, 'resources/app-update.yml'), 'utf8')).toContain('url: https://updates.example/glasshouse');
  });
});

describe('options', () => {
  it('accept an update URL with https only', () => {
    expect(builderOptions({})).toEqual(['--config', 'electron-builder.yml', '--publish', 'never']);
    expect(builderOptions({ GLASSHOUSE_UPDATES_URL: '', GLASSHOUSE_AZURE_ENDPOINT: '' })).toEqual(builderOptions({}));
    for (const url of ['http://updates.example', 'updates.example'])
      expect(builderOptions({ GLASSHOUSE_UPDATES_URL: url })).toMatch(/https/);
    expect(builderOptions({ GLASSHOUSE_AZURE_ENDPOINT: 'https://eus.codesigning.test' })).toMatch(/all of/);
    const account = ['ENDPOINT', 'ACCOUNT', 'PROFILE', 'PUBLISHER'].map((name) => [`GLASSHOUSE_AZURE_${name}`, name.toLowerCase()]);
    expect(builderOptions(Object.fromEntries(account))).toContain('-c.win.azureSignOptions.codeSigningAccountName=account');
  });
});

describe('icons', () => {
  const png = (name: string) => readFileSync(join(root, 'build', name));

  it('are containers that list every image with its offset', () => {
    const drawn = new Map([16, 256, 1024].map((size) => [size, Buffer.alloc(size, size % 251)]));
    const ico = packIco(drawn);
    expect([ico.readUInt16LE(4), ico.readUInt8(6), ico.readUInt8(22)]).toEqual([2, 16, 0]);
    expect(ico.subarray(ico.readUInt32LE(34), ico.readUInt32LE(34) + ico.readUInt32LE(30))).toEqual(drawn.get(256));
    const icns = packIcns(drawn);
    expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length]);
  });

  it('are checked in for every system and contain PNG images', () => {
    expect(png('icon.png').readUInt32BE(16)).toBe(512);
    const ico = png('icon.ico');
    expect(ico.toString('latin1', ico.readUInt32LE(18) + 1, ico.readUInt32LE(18) + 4)).toBe('PNG');
    expect(png('icon.icns').toString('latin1', 0, 4)).toBe('icns');
    expect(existsSync(join(root, 'build/icon.svg'))).toBe(true);
  });
});
