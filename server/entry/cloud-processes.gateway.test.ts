/** The programs of an operator as real processes: bootstrap, the gateway, a backup while it runs, and a gateway on the copies. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { controlFile } from '../control/sqlite/open.ts';
import { freePort } from '../fixtures/free-port.ts';
import { bundleOfTests, fromSources } from '../fixtures/from-sources.ts';
import type { Bootstrapped } from './bootstrap.ts';

const folder = mkdtempSync(join(tmpdir(), 'glasshouse-processes-'));
const secret = { GLASSHOUSE_SECRET: 'a secret of tests, which is longer than it must be' };
const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(entry: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [fromSources, join(import.meta.dirname, entry), ...args], {
    env: { PATH: process.env.PATH, ...bundleOfTests, ...env },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Runs a program to its end. */
async function run(entry: string, ...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = start(entry, args);
  const [stdout, stderr] = [[], []] as [Buffer[], Buffer[]];
  child.stdout?.on('data', (data) => stdout.push(data));
  child.stderr?.on('data', (data) => stderr.push(data));
  const [code] = await once(child, 'close');
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

const bootstrap = (data: string, tenant = 'acme', password = 'correct horse') =>
  run('cloud-bootstrap.ts', '--data', data, '--email', 'owner@acme.test', '--password', password, '--tenant', tenant);

interface Gateway {
  url: string;
  /** Sends SIGTERM. @returns its exit code */
  stop(): Promise<number | null>;
}

async function startGateway(data: string, env: NodeJS.ProcessEnv = {}): Promise<Gateway> {
  const child = start('cloud-gateway.ts', ['--port', '0', '--host', '127.0.0.1', '--data', data], { ...secret, ...env });
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
  return {
    url: /http:\S+/.exec(String(line))?.[0] ?? '',
    stop: async () => {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      return (await ended)[0];
    },
  };
}

const headersOf = ({ api_key, app_id }: Bootstrapped) => ({ Authorization: api_key, 'X-Service-App-Id': app_id });

const send = async ({ url }: Gateway, bootstrapped: Bootstrapped, name: string) => {
  const headers = { ...headersOf(bootstrapped), 'Content-Type': 'application/json' };
  return (await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: JSON.stringify(aRequest([aSpan({ name })])) })).status;
};

const names = async ({ url }: Gateway, bootstrapped: Bootstrapped): Promise<string[]> => {
  const { data } = (await (await fetch(`${url}/v1/traces`, { headers: headersOf(bootstrapped) })).json()) as { data: { name: string }[] };
  return data.map(({ name }) => name).sort();
};

it('two commands start a gateway that accepts traces, and a backup made while it runs can be started too', async () => {
  const [data, copy] = [join(folder, 'data'), join(folder, 'copy')];
  const { code, stdout } = await bootstrap(data);
  expect(code).toBe(0);
  const bootstrapped = JSON.parse(stdout.trim().split('\n').at(-1) as string) as Bootstrapped;
  const metricsPort = await freePort();
  const gateway = await startGateway(data, { GLASSHOUSE_METRICS_PORT: String(metricsPort) });
  expect(await send(gateway, bootstrapped, 'before')).toBe(200);

  expect(await run('cloud-backup.ts', '--data', data, '--to', copy)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Verified'),
  });
  expect(await send(gateway, bootstrapped, 'after')).toBe(200);
  expect((await run('cloud-backup.ts', '--data', data, '--to', copy)).stderr).toContain('exists already');
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/ingest-traces.* 2\n/);
  expect(await names(gateway, bootstrapped)).toEqual(['after', 'before']);
  expect(await gateway.stop()).toBe(0);

  const again = await startGateway(data);
  expect(await names(again, bootstrapped)).toEqual(['after', 'before']);
  expect(await again.stop()).toBe(0);
  const restored = await startGateway(copy);
  expect(await names(restored, bootstrapped)).toEqual(['before']);
  expect(await send(restored, bootstrapped, 'restored')).toBe(200);
  expect(await restored.stop()).toBe(0);

  expect(await run('cloud-backup.ts', '--check', copy)).toMatchObject({ code: 0 });
  truncateSync(controlFile(copy), 8192);
  expect(await run('cloud-backup.ts', '--check', copy)).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') });
});

it('a series of backups keeps the newest, is rehearsed and restored, and the gateway tells how old the last one is', async () => {
  const [data, series, restored] = [join(folder, 'in-series'), join(folder, 'series'), join(folder, 'restored')];
  const { stdout } = await bootstrap(data);
  const bootstrapped = JSON.parse(stdout.trim().split('\n').at(-1) as string) as Bootstrapped;
  const metricsPort = await freePort();
  const gateway = await startGateway(data, { GLASSHOUSE_METRICS_PORT: String(metricsPort) });
  const lastBackup = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(/^glasshouse_backup_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
  };
  expect(await lastBackup()).toBeNaN();
  const beganAt = Date.now() / 1000;
  await send(gateway, bootstrapped, 'first');
  expect(await run('cloud-backup.ts', '--data', data, '--into', series, '--keep', '1')).toMatchObject({ code: 0, stderr: '' });
  const backups = () => readdirSync(series).filter((name) => name.startsWith('20'));
  const [older = ''] = backups();
  await send(gateway, bootstrapped, 'second');
  const second = await run('cloud-backup.ts', '--data', data, '--into', series, '--keep', '1');
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining(`Removed ${older}`) });
  expect(await lastBackup()).toBeGreaterThanOrEqual(Math.floor(beganAt));
  expect(await gateway.stop()).toBe(0);

  const [newest = ''] = backups();
  expect(await run('cloud-backup.ts', '--rehearse', series)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(`Restored ${newest} in \\d+ s: 1 teams, 1 apps, 2 traces, of which 2 were read; the newest began at`),
    ),
  });
  expect((await run('cloud-backup.ts', '--from', series, '--to', restored, '--name', older)).stderr).toBe(
    `${series} has no backup ${older}: it has ${newest}\n`,
  );
  expect(await run('cloud-backup.ts', '--from', series, '--to', restored)).toMatchObject({ code: 0 });
  expect((await run('cloud-backup.ts', '--from', series, '--to', restored)).stderr).toContain(
    'exists already: choose a folder without stores',
  );
  expect(readdirSync(restored).filter((name) => name.includes('.db') && name !== 'lock.db')).toEqual(['control.db', 'telemetry.db']);
  const again = await startGateway(restored);
  expect(await names(again, bootstrapped)).toEqual(['first', 'second']);
  expect((await run('cloud-backup.ts', '--data', restored, '--into', series)).stderr).toContain('has the backups of another data folder');
  expect(await again.stop()).toBe(0);

  const scheduled = start('cloud-backup.ts', ['--data', data, '--into', join(folder, 'scheduled'), '--every', '0.001']);
  const added = createInterface({ input: scheduled.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  for (let count = 0; count < 2; count++) expect(String((await added.next()).value)).toMatch(/^Added 20/);
  scheduled.kill('SIGTERM');
  expect((await once(scheduled, 'exit'))[0]).toBe(0);

  truncateSync(controlFile(join(series, newest)), 8192);
  expect(await run('cloud-backup.ts', '--rehearse', series)).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') });
  const empty = join(folder, 'empty');
  expect((await run('cloud-backup.ts', '--from', series, '--to', empty)).code).toBe(1);
  expect(readdirSync(empty)).toEqual(['lock.db']);
});

it('an operator sets a new password while the gateway runs, which ends the logins of the user', async () => {
  const data = join(folder, 'forgotten-password');
  expect((await bootstrap(data)).code).toBe(0);
  const gateway = await startGateway(data);
  const signIn = (password: string) =>
    fetch(`${gateway.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'owner@acme.test', password }),
    });
  const me = async (token: string) => (await fetch(`${gateway.url}/v1/auth/me`, { headers: { Authorization: `Bearer ${token}` } })).status;
  const { data: login } = (await (await signIn('correct horse')).json()) as { data: { token: string } };
  expect(await me(login.token)).toBe(200);

  const { code, stdout } = await run('cloud-password.ts', '--data', data, '--email', 'Owner@acme.test');
  expect(code).toBe(0);
  expect(await me(login.token)).toBe(401);
  expect((await signIn('correct horse')).status).toBe(401);
  expect((await signIn(stdout.trim())).status).toBe(200);
  expect(await run('cloud-password.ts', '--data', data, '--email', 'nobody@acme.test')).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining('No user has the address') },
  });
  expect(await run('cloud-password.ts', '--data', join(folder, 'nowhere'), '--email', 'a@b.c')).toMatchObject({ code: 1 });
  expect(await gateway.stop()).toBe(0);
});

it('an existing account becomes owner of a second team only with its password, because any invitee may have created it', async () => {
  const data = join(folder, 'second');
  expect((await bootstrap(data)).code).toBe(0);
  const refused = await bootstrap(data, 'beta', 'what the operator thinks');
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('owner@acme.test already, and this is not its password'),
  });
  expect(refused.stderr).toContain('npm run cloud:password');

  const newPassword = (await run('cloud-password.ts', '--data', data, '--email', 'owner@acme.test')).stdout.trim();
  expect(newPassword).toMatch(/^[0-9a-f]{30}$/);
  // The name is still free, because nothing was created for the refused team.
  const { code, stdout } = await bootstrap(data, 'beta', newPassword);
  expect([code, Object.keys(JSON.parse(stdout))]).toEqual([0, ['tenant_id', 'user_id', 'app_id', 'environment_id', 'api_key']]);
});

it('an impossible command is refused with its reason, and leaves nothing half done', async () => {
  const data = join(folder, 'failing');
  expect(await run('cloud-bootstrap.ts', '--data', data)).toMatchObject({ code: 1, stderr: expect.stringContaining('All four') });
  expect(existsSync(data)).toBe(false);
  expect((await bootstrap(data)).code).toBe(0);
  expect(await bootstrap(data)).toMatchObject({ code: 1, stderr: expect.stringContaining('Choose another --tenant') });
  const child = start('cloud-gateway.ts', ['--port', '0', '--data', data], { GLASSHOUSE_SECRET: 'short' });
  const [stderr] = await once(child.stderr as NodeJS.ReadableStream, 'data');
  expect(String(stderr)).toContain('GLASSHOUSE_SECRET must have at least 32 characters');
  expect(await run('cloud-backup.ts', '--data', join(folder, 'nowhere'), '--to', join(folder, 'x'))).toMatchObject({ code: 1 });
});
