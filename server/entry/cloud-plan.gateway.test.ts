/** The commands for plans and passwords, beside a running gateway, as real processes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plans } from '../control/tenant-store.ts';
import { type EntryProcess, type ProcessEnd, runEntry, startEntry } from '../fixtures/entry-process.ts';
import { defaultPlan, type PlanLimits, standardPlans } from '../limits/plan-table.ts';
import type { Bootstrapped } from './bootstrap.ts';

const timeoutMs = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-plans-'));
const data = join(folder, 'data');
const email = 'owner@acme.test';
const password = 'correct horse battery';
let bootstrapped: Bootstrapped;
let gateway: EntryProcess;
let url: string;

const bootstrap = (tenant: string, words: readonly string[], input?: string): Promise<ProcessEnd> =>
  runEntry('cloud-bootstrap.ts', ['--data', data, '--email', email, '--tenant', tenant, ...words], input === undefined ? {} : { input });
const planOf = (...words: string[]): Promise<ProcessEnd> => runEntry('cloud-plan.ts', ['--data', data, ...words]);
const signIn = (candidate: string) =>
  fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: candidate }),
  });
const tokenOf = async (candidate: string) => ((await (await signIn(candidate)).json()) as { data: { token: string } }).data.token;
const addApp = async (name: string) =>
  fetch(`${url}/v1/apps`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf(password)}` },
    body: JSON.stringify({ name }),
  });

beforeAll(async () => {
  const { stdout, stderr } = await bootstrap('acme', ['--password-stdin'], `${password}\n`);
  expect(stderr).toBe('');
  bootstrapped = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Bootstrapped;
  gateway = startEntry('cloud-gateway.ts', ['--port', '0', '--host', '127.0.0.1', '--data', data]);
  url = await gateway.ready;
}, timeoutMs);
afterAll(async () => {
  await gateway.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

it('a team without a named plan gets one with limits, and an operator can see and change it', {
  timeout: timeoutMs,
}, async () => {
  const { code, stdout } = await planOf('--tenant', 'acme');
  expect([code, stdout.split('\n')[0]]).toEqual([0, `acme: ${defaultPlan}`]);
  for (const limit of Object.keys(standardPlans.free)) expect(stdout).toContain(limit);
  const { requests_per_minute, monthly_spans, storage_bytes } = standardPlans[defaultPlan];
  expect([requests_per_minute, monthly_spans, storage_bytes]).not.toContain(null);

  expect((await addApp('second')).status).toBe(201);
  expect((await addApp('third')).status).toBe(201);
  const lowered = await planOf('--tenant', bootstrapped.tenant_id, '--plan', 'free');
  expect(lowered).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('acme has the plan free now, and had team.') });
  // The running gateway applies it with the next request.
  const refused = await addApp('fourth');
  expect([refused.status, await refused.json()]).toMatchObject([402, { error: { code: 'entitlement_required', entitlement: 'apps' } }]);
  expect((await planOf('--tenant', 'acme', '--plan', 'free')).stdout).toBe('acme has the plan free already.\n');
  expect((await planOf()).stdout.split('\n')[0]).toBe('acme: free');
  expect((await planOf('--tenant', 'acme', '--plan', 'growth')).code).toBe(0);
  expect((await addApp('fourth')).status).toBe(201);
});

it('a plan is shown with the changes of the deployment’s plan file', { timeout: timeoutMs }, async () => {
  const file = join(folder, 'plans.json');
  writeFileSync(file, '{"free":{"apps":7777}}');
  const words = ['--data', data, '--tenant', 'acme'];
  expect((await runEntry('cloud-plan.ts', words, { env: { GLASSHOUSE_PLANS: file } })).stdout).toMatch(/^apps +7777 /m);
  writeFileSync(file, '{"gold":{}}');
  const broken = await runEntry('cloud-plan.ts', words, { env: { GLASSHOUSE_PLANS: file } });
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('GLASSHOUSE_PLANS names')]);
});

it.each([
  [['--tenant', 'acmee'], /^There is no team acmee\. There are: acme.*\.\n$/],
  [['--tenant', 'acme', '--plan', 'gold'], /^There is no plan gold: choose free, growth, team, enterprise\.\n$/],
  [['--plan', 'free'], /^Which team should get the plan free\?/],
])('%j is refused with the choices', { timeout: timeoutMs }, async (words, sentence) => {
  const { code, stdout, stderr } = await planOf(...words);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(sentence)]);
});

it('a team can be created with another plan', { timeout: timeoutMs }, async () => {
  const { code, stdout } = await bootstrap('beta', ['--password', '-', '--plan', 'enterprise'], password);
  expect([code, Object.keys(JSON.parse(stdout))]).toEqual([0, ['tenant_id', 'user_id', 'app_id', 'environment_id', 'api_key']]);
  expect((await planOf('--tenant', 'beta')).stdout).toContain('beta: enterprise\n');
  expect(await bootstrap('gamma', ['--password', password, '--plan', 'gold'])).toMatchObject({
    ...{ code: 1, stdout: '', stderr: 'There is no plan gold: choose free, growth, team, enterprise.\n' },
  });
});

it('a password is read from stdin, follows the rules of the dashboard, and ends existing logins', { timeout: timeoutMs }, async () => {
  const set = (words: readonly string[], input?: string) =>
    runEntry('cloud-password.ts', ['--data', data, '--email', email, ...words], input === undefined ? {} : { input });
  const token = await tokenOf(password);
  for (const [words, input, reason] of [
    [['--password-stdin'], 'short\n', '--password must have at least 12 characters.\n'],
    [['--password-stdin'], 'x'.repeat(1025), '--password must have at most 1024 characters.\n'],
    [['--password', '-'], '\n', 'There is no password on stdin.\n'],
    [['--password-stdin'], 'two lines of\na password\n', 'A password is one line; stdin has more.\n'],
    [['--password-stdin', '--password', password], password, 'Give --password or --password-stdin, not both.\n'],
  ] as const)
    expect(await set(words, input)).toMatchObject({ code: 1, stdout: '', stderr: reason });
  expect((await signIn(password)).status).toBe(200);

  const next = 'another one, of length';
  expect(await set(['--password-stdin'], `${next}\n`)).toMatchObject({ code: 0, stderr: '', stdout: expect.not.stringContaining(next) });
  expect((await signIn(password)).status).toBe(401);
  expect((await signIn(next)).status).toBe(200);
  expect((await fetch(`${url}/v1/auth/me`, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(401);
});

it('docs/deploy.md has every limit of every plan', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \|(.*)\|[^|]*\|$/gm)].map(([, limit = '', cells = '']) => [
    limit,
    cells.split('|').map((cell) => cell.trim()),
  ]);
  const documented = new Map(rows as [string, string[]][]);
  const wordOf = (limit: number | boolean | null) =>
    limit === null ? 'no limit' : typeof limit === 'boolean' ? (limit ? 'yes' : 'no') : limit.toLocaleString('en').replaceAll(',', ' ');
  const sizeOf = (bytes: number | null) => (bytes === null ? 'no limit' : `${bytes / 1024 ** 3} GiB`);
  for (const limit of Object.keys(standardPlans.free) as (keyof PlanLimits)[])
    expect(documented.get(limit), limit).toEqual(
      plans.map((plan) => (limit === 'storage_bytes' ? sizeOf(standardPlans[plan][limit]) : wordOf(standardPlans[plan][limit]))),
    );
});
