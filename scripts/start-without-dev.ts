/**
 * `npm run test:install`: what a user does, in a copy of the tree: `npm ci --omit=dev`, `npm start`, one span. Fails when the product needs a
 * package that only developers have. Takes a minute and the package registry, so `npm test` does not run it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-install-'));
const tree = join(folder, 'tree');
const span = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  name: 'hello',
  startTimeUnixNano: '1',
  endTimeUnixNano: '2',
};

function npm(...args: string[]): void {
  const { status } = spawnSync('npm', args, { cwd: tree, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed`);
}

function expectEqual(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what}: ${String(found)} instead of ${String(expected)}`);
}

async function sendAndRead(url: string): Promise<void> {
  const page = await fetch(url);
  expectEqual('GET /', `${page.status} ${page.headers.get('content-type')}`, '200 text/html; charset=utf-8');
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const sent = await fetch(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expectEqual('POST /v1/traces', sent.status, 200);
  const read = await fetch(`${url}/v1/traces/${span.traceId}`);
  expectEqual('GET /v1/traces/ID', read.status, 200);
}

try {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of stdout.split('\0')) if (file && existsSync(join(root, file))) cpSync(join(root, file), join(tree, file));
  npm('ci', '--omit=dev', '--no-audit', '--no-fund');
  expectEqual('Electron is installed', existsSync(join(tree, 'node_modules/electron')), false);
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env;
  const args = ['start', '--', '--port', '0', '--otlp-ports', 'off', '--data', join(folder, 'data')];
  const child = spawn('npm', args, { cwd: tree, env, stdio: ['ignore', 'pipe', 'inherit'], shell: process.platform === 'win32' });
  const exited = once(child, 'exit');
  try {
    const ready = Promise.withResolvers<string>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      process.stderr.write(`${line}\n`);
      const url = /ready at (http:\/\/\S+)/.exec(line)?.[1];
      if (url) ready.resolve(url);
    });
    void exited.then(() => ready.reject(new Error('npm start ended before it was ready')));
    await sendAndRead(await ready.promise);
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
  process.stderr.write('The product runs without the packages of developers.\n');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
