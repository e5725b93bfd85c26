/** The programs of an operator as real processes, with the control store on PostgreSQL. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { type EntryProcess, runEntry, startEntry } from '../fixtures/entry-process.ts';
import { type PostgresDatabase, PostgresServer, withClient } from '../fixtures/postgres.ts';
import type { Bootstrapped } from './bootstrap.ts';

const folder = mkdtempSync(join(tmpdir(), 'glasshouse-cloud-pg-'));
const server = await PostgresServer.start();
let database: PostgresDatabase;
let env: NodeJS.ProcessEnv;

const run = (entry: string, ...args: string[]) => runEntry(entry, args, { env });
const bootstrap = (data: string, tenant: string) =>
  run('cloud-bootstrap.ts', '--data', data, '--email', `owner@${tenant}.test`, '--password', 'correct horse', '--tenant', tenant);
const startGateway = (data: string): EntryProcess =>
  startEntry('cloud-gateway.ts', ['--port', '0', '--host', '127.0.0.1', '--data', data], { env });
const statusOf = async (url: string) => (await fetch(url)).status;
const health = async (url: string) => {
  const response = await fetch(`${url}/v1/health/ingestion`);
  return { status: response.status, text: await response.text() };
};

/** The database accepts no connections while `act` runs. */
async function whileRefused(act: () => Promise<void>): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  const elsewhere = new URL(database.url);
  elsewhere.pathname = '/postgres';
  const run = (sql: string, ...values: string[]) => withClient(elsewhere.href, (client) => client.query(sql, values));
  await run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await run('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', name);
  await act();
  await run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
}

beforeAll(async () => {
  database = await server.createDatabase({ isEmpty: true });
  env = { GLASSHOUSE_POSTGRES_URL: database.url };
});
afterAll(async () => {
  await database.drop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('commands and a gateway use the control store on PostgreSQL, and so does a gateway with another data folder after it', async () => {
  const [data, second] = [join(folder, 'first'), join(folder, 'second')];
  const { stdout, code, stderr } = await bootstrap(data, 'acme');
  expect([code, stderr]).toEqual([0, '']);
  const { api_key, app_id } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Bootstrapped;
  expect(existsSync(join(data, 'control.db'))).toBe(false);
  const headers = { Authorization: api_key, 'X-Service-App-Id': app_id, 'Content-Type': 'application/json' };
  const send = async (url: string) =>
    (await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: JSON.stringify(aRequest([aSpan({ name: 'x' })])) })).status;
  const first = startGateway(data);
  expect(await send(await first.ready)).toBe(200);
  expect((await run('cloud-plan.ts', '--data', data, '--tenant', 'acme', '--plan', 'growth')).stdout).toContain('growth now');
  expect((await run('cloud-password.ts', '--data', data, '--email', 'owner@acme.test', '--password', 'another horse')).code).toBe(0);
  const backup = await run('cloud-backup.ts', '--data', data, '--to', join(folder, 'copy'));
  expect(backup).toMatchObject({ code: 0, stderr: expect.stringContaining('pg_dump') });
  expect((await first.end('SIGTERM')).code).toBe(0);

  const next = startGateway(second);
  const url = await next.ready;
  expect(await send(url)).toBe(200);
  const login = { email: 'owner@acme.test', password: 'another horse' };
  const signIn = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(login) };
  expect((await fetch(`${url}/v1/auth/login`, signIn)).status).toBe(200);
  expect((await next.end('SIGTERM')).code).toBe(0);
});

it('while PostgreSQL refuses the gateway, health says so and requests are answered with 503', async () => {
  const gateway = startGateway(join(folder, 'refused'));
  const url = await gateway.ready;
  expect((await health(url)).status).toBe(200);
  await whileRefused(async () => {
    await expect.poll(async () => (await health(url)).status).toBe(503);
    await expect.poll(() => statusOf(`${url}/ready`)).toBe(503);
    expect(await statusOf(`${url}/health`)).toBe(200);
    const login = JSON.stringify({ email: 'owner@acme.test', password: 'correct horse' });
    const read = await fetch(`${url}/v1/auth/login`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: login });
    const { code } = ((await read.json()) as { error: { code: string } }).error;
    expect([read.status, code, (await health(url)).text]).toEqual([
      503,
      'storage_unavailable',
      expect.stringContaining('"auth","status":"unhealthy"'),
    ]);
  });
  await expect.poll(async () => (await health(url)).status).toBe(200);
  await expect.poll(() => statusOf(`${url}/ready`)).toBe(200);
  expect((await gateway.end('SIGTERM')).code).toBe(0);
});

it('a live view outlasts a moment without PostgreSQL', async () => {
  const data = join(folder, 'watched');
  const { api_key, app_id } = JSON.parse((await bootstrap(data, 'watched')).stdout.trimEnd().split('\n').at(-1) ?? '') as Bootstrapped;
  const gateway = startGateway(data);
  const headers = { Authorization: api_key, 'X-Service-App-Id': app_id };
  const live = await fetch(`${await gateway.ready}/v1/viewer/live`, { headers });
  let isOpen = true;
  void (async () => {
    for await (const _ of live.body ?? []);
  })()
    .catch(() => {})
    .finally(() => (isOpen = false));
  await whileRefused(async () => {
    await expect.poll(async () => statusOf(`${await gateway.ready}/ready`)).toBe(503);
    // Its admission is checked each second.
    await sleep(3_000);
  });
  await expect.poll(async () => statusOf(`${await gateway.ready}/ready`)).toBe(200);
  await sleep(2_000);
  expect(isOpen).toBe(true);
  expect((await gateway.end('SIGTERM')).code).toBe(0);
});

it('a gateway that stops answers the requests that it has, however long they take, and is not ready for others', async () => {
  const data = join(folder, 'draining');
  const { api_key, app_id } = JSON.parse((await bootstrap(data, 'drained')).stdout.trimEnd().split('\n').at(-1) ?? '') as Bootstrapped;
  const gateway = startGateway(data);
  const url = await gateway.ready;
  const headers = { Authorization: api_key, 'X-Service-App-Id': app_id, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ resource_id: 'x', resource_type: 'trace', body: 'slow' });
  await withClient(database.url, async (client) => {
    await client.query('BEGIN; LOCK TABLE comment IN SHARE MODE');
    const commented = fetch(`${url}/v1/comments`, { method: 'POST', headers, body });
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
    expect(await statusOf(`${url}/ready`)).toBe(200);
    gateway.child.kill('SIGTERM');
    await expect.poll(() => statusOf(`${url}/ready`)).toBe(503);
    expect(await statusOf(`${url}/health`)).toBe(200);
    // Longer than the moment in which a closing listener sends its last answers.
    await sleep(1000);
    await client.query('ROLLBACK');
    expect((await commented).status).toBe(201);
  });
  expect((await gateway.ended).code).toBe(0);
});

it('an address that nobody serves is refused with a sentence that names the setting and not the password', async () => {
  const env = { GLASSHOUSE_POSTGRES_URL: 'postgres://glasshouse:s3cret@127.0.0.1:1/none' };
  for (const entry of ['cloud-gateway.ts', 'cloud-plan.ts'] as const) {
    const { code, stderr } = await runEntry(entry, ['--data', join(folder, 'unserved')], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The database of GLASSHOUSE_POSTGRES_URL cannot be used: .*ECONNREFUSED.*\n$/);
    expect(stderr).not.toContain('s3cret');
  }
});
