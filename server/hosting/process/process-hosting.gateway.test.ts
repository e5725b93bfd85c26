/** Handlers as real processes: what they can access, and when they are started, restarted and ended. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Handler } from '../hosting.ts';
import { ProcessHosting } from './process-hosting.ts';

const timeouts = { readyMs: 60_000, restartMs: 10, restartMaxMs: 1000, endMs: 2000 };
const scope = { tenant_id: 'tenant', app_id: 'app' };
const nodejs: Handler = { entry_point: 'src/handler.mjs', runtime: 'nodejs' };
let dataDir: string;
let hosting: ProcessHosting;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-handlers-'));
  hosting = new ProcessHosting(dataDir, timeouts);
});
afterEach(async () => {
  await hosting.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Code that answers each request with the value of the expression, and writes its process id and port to a file. */
const serving = (expression: string) => `
  import { createServer } from 'node:http';
  import { writeFileSync } from 'node:fs';
  const port = Number(process.env.PORT);
  writeFileSync('me.json', JSON.stringify({ pid: process.pid, port }));
  createServer(async (_, response) => response.end(String(await (${expression})))).listen(port, '127.0.0.1');
`;

async function deploy(environment_id: string, code: string, handler: Handler | null = nodejs) {
  const deployment_id = randomUUID();
  const files = async () => [
    { path: 'src/handler.mjs', text: code },
    { path: 'prompts/a.prompt.mdx', text: 'words' },
  ];
  return { deployment_id, ...(await hosting.deploy({ scope, environment_id, deployment_id, handler, files })) };
}

const folderOf = (environmentId: string) => join(dataDir, 'handlers', environmentId);
const me = (environmentId: string, deploymentId: string): { pid: number; port: number } =>
  JSON.parse(readFileSync(join(folderOf(environmentId), deploymentId, 'me.json'), 'utf8'));
const ask = async (environmentId: string, deploymentId: string) =>
  (await fetch(`http://127.0.0.1:${me(environmentId, deploymentId).port}`)).text();

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('serves, and can access the files of its release and nothing else', async () => {
  writeFileSync(join(dataDir, 'control.db'), 'secrets');
  process.env.GLASSHOUSE_SECRET = 'a secret of the gateway';
  const probe = `(async () => {
    const { readFile } = await import('node:fs/promises');
    const read = (path) => readFile(path, 'utf8').catch((error) => error.code);
    const run = await import('node:child_process').then(({ execSync }) => String(execSync('id'))).catch((error) => error.code);
    return JSON.stringify([await read('prompts/a.prompt.mdx'), await read('../../../control.db'), run, process.env.GLASSHOUSE_SECRET ?? null]);
  })()`;
  const { deployment_id, code_status, code_failure_reason } = await deploy('env', serving(probe));
  delete process.env.GLASSHOUSE_SECRET;
  expect([code_status, code_failure_reason]).toEqual(['deployed', null]);
  expect(JSON.parse(await ask('env', deployment_id))).toEqual(['words', 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED', null]);
  expect(hosting.status('env')).toBe('running');
});

it('continues when its successor does not start, and ends when it does', async () => {
  const first = await deploy('env', serving('1'));
  const bad = await deploy('env', "throw new Error('wrong from the start')");
  expect(bad).toMatchObject({ code_status: 'failed', code_failure_reason: expect.stringContaining('wrong from the start') });
  expect(await ask('env', first.deployment_id)).toBe('1');
  const { pid } = me('env', first.deployment_id);
  const second = await deploy('env', serving('2'));
  expect(await ask('env', second.deployment_id)).toBe('2');
  expect(isAlive(pid)).toBe(false);
  expect(readdirSync(folderOf('env'))).toEqual([second.deployment_id]);
});

it('is restarted when it ends by itself', async () => {
  const { deployment_id } = await deploy('env', serving('1'));
  const { pid } = me('env', deployment_id);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => me('env', deployment_id).pid).not.toBe(pid);
  await expect.poll(() => hosting.status('env')).toBe('running');
  expect(await ask('env', deployment_id)).toBe('1');
});

it('ends with the host, which then refuses deployments', async () => {
  const { deployment_id } = await deploy('env', serving('1'));
  const { pid } = me('env', deployment_id);
  await hosting.stop();
  expect(isAlive(pid)).toBe(false);
  await expect(deploy('env', serving('2'))).rejects.toThrow('stopped');
});

it('is removed with its environment', async () => {
  expect(await hosting.provision({ scope, environment_id: 'empty' })).toBe('process-empty');
  const { deployment_id } = await deploy('env', serving('1'));
  const { pid } = me('env', deployment_id);
  await hosting.remove({ scope, environment_id: 'env' });
  expect([isAlive(pid), existsSync(folderOf('env')), hosting.status('env')]).toEqual([false, false, 'empty']);
  await hosting.remove({ scope, environment_id: 'env' });
  await hosting.keepOnly(new Set(['another']));
  expect(readdirSync(join(dataDir, 'handlers'))).toEqual([]);
});

it('ends when a release has no handler, and continues when the runtime is not supported', async () => {
  const { deployment_id } = await deploy('env', serving('1'));
  const { pid } = me('env', deployment_id);
  expect(await deploy('env', '', { entry_point: 'main.py', runtime: 'python' })).toMatchObject({ code_status: 'failed' });
  expect(isAlive(pid)).toBe(true);
  expect(await deploy('env', '', null)).toMatchObject({ code_status: 'skipped' });
  expect([isAlive(pid), hosting.status('env')]).toEqual([false, 'empty']);
});

it('is not written outside its folder', async () => {
  const files = async () => [{ path: '../../outside.txt', text: 'out' }];
  const release = { scope, environment_id: 'env', deployment_id: randomUUID(), handler: nodejs, files };
  expect(await hosting.deploy(release)).toMatchObject({ code_status: 'failed', code_failure_reason: expect.stringContaining('path') });
  expect(existsSync(join(dataDir, 'outside.txt'))).toBe(false);
});
