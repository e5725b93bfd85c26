/** The npm package in a folder of its own: what `npm run build:package` and `npm pack` make is all that a machine with Node needs. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { aRequest, aSpan, aTraceId } from '../shared/fixtures/otlp.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-package-'));
const installed = join(folder, 'installed');
const command = join(installed, 'node_modules/.bin/glasshouse');
const { NODE_OPTIONS: _, NODE_PATH: __, GLASSHOUSE_THREAD_BUNDLE: ___, ...env } = process.env;
const MB = 1024 * 1024;
let running: ChildProcess | null = null;

function run(program: string, args: string[], cwd = installed) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd, env });
  return { status, stdout, stderr };
}

beforeAll(() => {
  const built = join(folder, 'package');
  expect(run(process.execPath, [join(root, 'scripts/build-package.ts'), built], root)).toMatchObject({ status: 0 });
  const packed = run('npm', ['pack', built, '--silent'], folder);
  expect(packed.status, packed.stderr).toBe(0);
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{}');
  // Offline: the package is complete. The Node that its optional packages bring is 189 MB and linked by the test that needs it.
  const args = ['install', '--offline', '--omit=optional', '--no-audit', '--no-fund', join(folder, packed.stdout.trim())];
  const { status, stderr } = run('npm', args);
  expect(status, stderr).toBe(0);
});
afterEach(async () => {
  if (running?.exitCode === null) {
    running.kill('SIGTERM');
    await once(running, 'exit');
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that runs the command as a Node that is too old would. */
function oldNode(): string[] {
  const file = join(folder, 'old-node.cjs');
  writeFileSync(file, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });");
  return ['--require', file, join(installed, 'node_modules/glasshouse/glasshouse.cjs')];
}

async function start(program: string, args: string[]): Promise<string> {
  const child = spawn(program, [...args, 'start', '--port', '0', '--data', join(folder, 'data')], {
    cwd: installed,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = child;
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /ready at (http:\/\/\S+)/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('The gateway ended before it was ready');
}

function bytesIn(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}

it('serves the viewer, takes a span, and knows it after a restart', async () => {
  const traceId = aTraceId();
  const url = await start(command, []);
  const page = await fetch(url);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const script = /src="(\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? '';
  expect((await fetch(url + script)).status).toBe(200);
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: JSON.stringify(aRequest([aSpan({ traceId })])) })).status).toBe(
    200,
  );
  const shown = run(command, ['show', traceId, '--url', url]);
  expect(shown.status, shown.stderr).toBe(0);
  running?.kill('SIGTERM');
  const [code] = await once(running as ChildProcess, 'exit');
  expect(code).toBe(0);
  expect((await fetch(`${await start(command, [])}/v1/traces/${traceId}`)).status).toBe(200);
});

it('has all commands, and the licences of what it contains', () => {
  const { stdout } = run(command, ['--help']);
  expect(stdout).toContain('glasshouse start');
  const doctor = run(command, ['doctor', '--data', join(folder, 'data'), '--port', '1']);
  expect(doctor.stdout, doctor.stderr).toMatch(/^ok {3}store/m);
  expect(run(command, ['--version']).stdout).toBe(`${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`);
  const notices = readFileSync(join(installed, 'node_modules/glasshouse/THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect(notices).not.toContain('undefined');
  for (const name of ['better-sqlite3', 'react', 'express', 'zod', '@fontsource-variable/inter', '@pydantic/genai-prices'])
    expect(notices).toContain(`\n${name} `);
});

it('is at most 60 MB', () => {
  expect(bytesIn(join(installed, 'node_modules')) / MB).toBeLessThan(60);
});

it('on an old Node says which one it needs', () => {
  const { status, stderr } = run(process.execPath, oldNode());
  expect([status, stderr]).toEqual([1, expect.stringContaining('Glasshouse needs Node 22.18 or newer; this is 20.20.2')]);
});

it('on an old Node runs on the one that npm installed beside it', async () => {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const link = join(installed, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), link);
  expect((await fetch(await start(process.execPath, oldNode()))).status).toBe(200);
});
