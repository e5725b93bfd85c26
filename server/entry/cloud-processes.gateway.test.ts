/** What an operator runs, as processes of their own: bootstrap, the gateway, a backup while it runs, and a gateway over what was copied. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { controlFile } from '../control/drizzle/store.ts';
import { freePort } from '../fixtures/free-port.ts';
import { fromSources } from '../fixtures/from-sources.ts';
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
    env: { PATH: process.env.PATH, ...env },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Runs it to its end. */
async function run(entry: string, ...args: string[]): Promise<{ code: number | null; said: string; complaint: string }> {
  const child = start(entry, args);
  const [said, complaint] = [[], []] as [Buffer[], Buffer[]];
  child.stdout?.on('data', (data) => said.push(data));
  child.stderr?.on('data', (data) => complaint.push(data));
  const [code] = await once(child, 'close');
  return { code, said: Buffer.concat(said).toString(), complaint: Buffer.concat(complaint).toString() };
}

const bootstrap = (data: string, tenant = 'acme', password = 'correct horse') =>
  run('cloud-bootstrap.ts', '--data', data, '--email', 'owner@acme.test', '--password', password, '--tenant', tenant);

interface Gateway {
  url: string;
  /** Asks it to end; its exit code. */
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

const send = async ({ url }: Gateway, made: Bootstrapped, name: string) => {
  const headers = { ...headersOf(made), 'Content-Type': 'application/json' };
  return (await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: JSON.stringify(aRequest([aSpan({ name })])) })).status;
};

const names = async ({ url }: Gateway, made: Bootstrapped): Promise<string[]> => {
  const { data } = (await (await fetch(`${url}/v1/traces`, { headers: headersOf(made) })).json()) as { data: { name: string }[] };
  return data.map(({ name }) => name).sort();
};

it('two commands make a gateway that takes traces; a copy of it, made while it runs, is one too', async () => {
  const [data, copy] = [join(folder, 'data'), join(folder, 'copy')];
  const { code, said } = await bootstrap(data);
  expect(code).toBe(0);
  const made = JSON.parse(said.trim().split('\n').at(-1) as string) as Bootstrapped;
  const metricsPort = await freePort();
  const gateway = await startGateway(data, { GLASSHOUSE_METRICS_PORT: String(metricsPort) });
  expect(await send(gateway, made, 'before')).toBe(200);

  expect(await run('cloud-backup.ts', '--data', data, '--to', copy)).toMatchObject({ code: 0, said: expect.stringContaining('Whole') });
  expect(await send(gateway, made, 'after')).toBe(200);
  expect((await run('cloud-backup.ts', '--data', data, '--to', copy)).complaint).toContain('is there already');
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/ingest-traces.* 2\n/);
  expect(await names(gateway, made)).toEqual(['after', 'before']);
  expect(await gateway.stop()).toBe(0);

  const again = await startGateway(data);
  expect(await names(again, made)).toEqual(['after', 'before']);
  expect(await again.stop()).toBe(0);
  const restored = await startGateway(copy);
  expect(await names(restored, made)).toEqual(['before']);
  expect(await send(restored, made, 'anew')).toBe(200);
  expect(await restored.stop()).toBe(0);

  expect(await run('cloud-backup.ts', '--check', copy)).toMatchObject({ code: 0 });
  truncateSync(controlFile(copy), 8192);
  expect(await run('cloud-backup.ts', '--check', copy)).toMatchObject({ code: 1, complaint: expect.stringContaining('is damaged') });
});

it('whoever forgot their password gets another from the operator, while the gateway runs, and the logins there were end', async () => {
  const data = join(folder, 'forgetful');
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

  const { code, said } = await run('cloud-password.ts', '--data', data, '--email', 'Owner@acme.test');
  expect(code).toBe(0);
  expect(await me(login.token)).toBe(401);
  expect((await signIn('correct horse')).status).toBe(401);
  expect((await signIn(said.trim())).status).toBe(200);
  expect(await run('cloud-password.ts', '--data', data, '--email', 'nobody@acme.test')).toMatchObject({
    ...{ code: 1, complaint: expect.stringContaining('Nobody here has the address') },
  });
  expect(await run('cloud-password.ts', '--data', join(folder, 'nowhere'), '--email', 'a@b.c')).toMatchObject({ code: 1 });
  expect(await gateway.stop()).toBe(0);
});

it('an account that is there owns a second team by its own password only: anybody who was given a code may have begun it', async () => {
  const data = join(folder, 'second');
  expect((await bootstrap(data)).code).toBe(0);
  const refused = await bootstrap(data, 'beta', 'what the operator thinks');
  expect(refused).toMatchObject({
    code: 1,
    said: '',
    complaint: expect.stringContaining('owner@acme.test already, and this is not its password'),
  });
  expect(refused.complaint).toContain('npm run cloud:password');

  const anew = (await run('cloud-password.ts', '--data', data, '--email', 'owner@acme.test')).said.trim();
  // The name is free: nothing was made of the team that was refused.
  const { code, said } = await bootstrap(data, 'beta', anew);
  expect([code, Object.keys(JSON.parse(said))]).toEqual([0, ['tenant_id', 'user_id', 'app_id', 'environment_id', 'api_key']]);
});

it('what cannot be done is said, and leaves nothing half done', async () => {
  const data = join(folder, 'failing');
  expect(await run('cloud-bootstrap.ts', '--data', data)).toMatchObject({ code: 1, complaint: expect.stringContaining('All four') });
  expect(existsSync(data)).toBe(false);
  expect((await bootstrap(data)).code).toBe(0);
  expect(await bootstrap(data)).toMatchObject({ code: 1, complaint: expect.stringContaining('Choose another --tenant') });
  const mute = start('cloud-gateway.ts', ['--port', '0', '--data', data], { GLASSHOUSE_SECRET: 'short' });
  const [complaint] = await once(mute.stderr as NodeJS.ReadableStream, 'data');
  expect(String(complaint)).toContain('GLASSHOUSE_SECRET must have at least 32 characters');
  expect(await run('cloud-backup.ts', '--data', join(folder, 'nowhere'), '--to', join(folder, 'x'))).toMatchObject({ code: 1 });
});
