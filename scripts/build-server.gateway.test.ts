/** What `npm run build:server` makes runs on a machine that has Node and nothing else of ours. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRequest, aSpan } from '../shared/fixtures/otlp.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-server-'));
const data = join(folder, 'data');
const program = (name: string) => join(folder, 'out/server', `${name}.js`);
const { NODE_OPTIONS: _, NODE_PATH: __, ...env } = process.env;

beforeAll(() => {
  const args = [join(root, 'scripts/build-server.ts'), join(folder, 'out/server')];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  expect(status, stderr).toBe(0);
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('creates a team, and takes a span with its key', async () => {
  const person = ['--email', 'a@b.co', '--password', 'at least 12 characters', '--tenant', 'acme'];
  const { stdout, stderr } = spawnSync(process.execPath, [program('cloud-bootstrap'), '--data', data, ...person], {
    encoding: 'utf8',
    env,
  });
  const { api_key, app_id } = JSON.parse(stdout || `{ "error": ${JSON.stringify(stderr)} }`) as { api_key?: string; app_id?: string };
  expect(api_key, stderr).toMatch(/^sk_/);

  const child = spawn(process.execPath, [program('cloud-gateway'), '--port', '0', '--data', data], {
    env: { ...env, GLASSHOUSE_SECRET: 'a secret of tests, which is longer than it must be' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    let url = '';
    for await (const line of createInterface({ input: child.stdout })) {
      url = /ready at (http:\/\/\S+)/.exec(line)?.[1] ?? '';
      if (url) break;
    }
    const body = JSON.stringify(aRequest([aSpan()]));
    const headers = { 'content-type': 'application/json', authorization: api_key ?? '', 'x-service-app-id': app_id ?? '' };
    expect((await fetch(`${url}/v1/traces`, { method: 'POST', headers, body })).status).toBe(200);
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
});
