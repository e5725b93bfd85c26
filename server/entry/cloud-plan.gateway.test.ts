/** Plans and passwords by command, beside a gateway that runs: processes of their own, as an operator starts them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plans } from '../control/tenant-store.ts';
import { type Ended, type EntryProcess, runEntry, startEntry } from '../fixtures/entry-process.ts';
import { defaultPlan, type PlanLimits, standardPlans } from '../limits/plan-table.ts';
import type { Bootstrapped } from './bootstrap.ts';

const patienceMs = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-plans-'));
const data = join(folder, 'data');
const email = 'owner@acme.test';
const password = 'correct horse battery';
let made: Bootstrapped;
let gateway: EntryProcess;
let url: string;

const bootstrap = (tenant: string, words: readonly string[], input?: string): Promise<Ended> =>
  runEntry('cloud-bootstrap.ts', ['--data', data, '--email', email, '--tenant', tenant, ...words], input === undefined ? {} : { input });
const planOf = (...words: string[]): Promise<Ended> => runEntry('cloud-plan.ts', ['--data', data, ...words]);
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
  const { said, complaint } = await bootstrap('acme', ['--password-stdin'], `${password}\n`);
  expect(complaint).toBe('');
  made = JSON.parse(said.trimEnd().split('\n').at(-1) ?? '') as Bootstrapped;
  gateway = startEntry('cloud-gateway.ts', ['--port', '0', '--host', '127.0.0.1', '--data', data]);
  url = await gateway.ready;
}, patienceMs);
afterAll(async () => {
  await gateway.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

it('a team without a named plan has one with bounds, and whoever runs the gateway can see and change it', {
  timeout: patienceMs,
}, async () => {
  const { code, said } = await planOf('--tenant', 'acme');
  expect([code, said.split('\n')[0]]).toEqual([0, `acme: ${defaultPlan}`]);
  for (const limit of Object.keys(standardPlans.free)) expect(said).toContain(limit);
  const { requests_per_minute, monthly_spans, storage_bytes } = standardPlans[defaultPlan];
  expect([requests_per_minute, monthly_spans, storage_bytes]).not.toContain(null);

  expect((await addApp('second')).status).toBe(201);
  expect((await addApp('third')).status).toBe(201);
  const lowered = await planOf('--tenant', made.tenant_id, '--plan', 'free');
  expect(lowered).toMatchObject({ code: 0, complaint: '', said: expect.stringContaining('acme has the plan free now, and had team.') });
  // The gateway that runs has it with the next request.
  const refused = await addApp('fourth');
  expect([refused.status, await refused.json()]).toMatchObject([402, { error: { code: 'entitlement_required', entitlement: 'apps' } }]);
  expect((await planOf('--tenant', 'acme', '--plan', 'free')).said).toBe('acme has the plan free already.\n');
  expect((await planOf()).said.split('\n')[0]).toBe('acme: free');
  expect((await planOf('--tenant', 'acme', '--plan', 'growth')).code).toBe(0);
  expect((await addApp('fourth')).status).toBe(201);
});

it('a plan is shown as the file of the deployment changes it', { timeout: patienceMs }, async () => {
  const file = join(folder, 'plans.json');
  writeFileSync(file, '{"free":{"apps":7777}}');
  const words = ['--data', data, '--tenant', 'acme'];
  expect((await runEntry('cloud-plan.ts', words, { env: { GLASSHOUSE_PLANS: file } })).said).toMatch(/^apps +7777 /m);
  writeFileSync(file, '{"gold":{}}');
  const broken = await runEntry('cloud-plan.ts', words, { env: { GLASSHOUSE_PLANS: file } });
  expect([broken.code, broken.complaint]).toEqual([1, expect.stringContaining('GLASSHOUSE_PLANS names')]);
});

it.each([
  [['--tenant', 'acmee'], /^There is no team acmee\. There are: acme.*\.\n$/],
  [['--tenant', 'acme', '--plan', 'gold'], /^There is no plan gold: choose free, growth, team, enterprise\.\n$/],
  [['--plan', 'free'], /^Which team is to have the plan free\?/],
])('%j is refused with the choices', { timeout: patienceMs }, async (words, sentence) => {
  const { code, said, complaint } = await planOf(...words);
  expect([code, said, complaint]).toEqual([1, '', expect.stringMatching(sentence)]);
});

it('a team can be made with another plan', { timeout: patienceMs }, async () => {
  const { code, said } = await bootstrap('beta', ['--password', '-', '--plan', 'enterprise'], password);
  expect([code, Object.keys(JSON.parse(said))]).toEqual([0, ['tenant_id', 'user_id', 'app_id', 'environment_id', 'api_key']]);
  expect((await planOf('--tenant', 'beta')).said).toContain('beta: enterprise\n');
  expect(await bootstrap('gamma', ['--password', password, '--plan', 'gold'])).toMatchObject({
    ...{ code: 1, said: '', complaint: 'There is no plan gold: choose free, growth, team, enterprise.\n' },
  });
});

it('a password comes on stdin, by the rule of the dashboard, and ends the logins there were', { timeout: patienceMs }, async () => {
  const set = (words: readonly string[], input?: string) =>
    runEntry('cloud-password.ts', ['--data', data, '--email', email, ...words], input === undefined ? {} : { input });
  const token = await tokenOf(password);
  for (const [words, input, why] of [
    [['--password-stdin'], 'short\n', '--password must have at least 12 characters.\n'],
    [['--password-stdin'], 'x'.repeat(1025), '--password must have at most 1024 characters.\n'],
    [['--password', '-'], '\n', 'There is no password on stdin.\n'],
    [['--password-stdin'], 'two lines of\na password\n', 'A password is one line; stdin has more.\n'],
    [['--password-stdin', '--password', password], password, 'Give --password or --password-stdin, not both.\n'],
  ] as const)
    expect(await set(words, input)).toMatchObject({ code: 1, said: '', complaint: why });
  expect((await signIn(password)).status).toBe(200);

  const next = 'another one, of length';
  expect(await set(['--password-stdin'], `${next}\n`)).toMatchObject({ code: 0, complaint: '', said: expect.not.stringContaining(next) });
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
  const written = new Map(rows as [string, string[]][]);
  const wordOf = (limit: number | boolean | null) =>
    limit === null ? 'no limit' : typeof limit === 'boolean' ? (limit ? 'yes' : 'no') : limit.toLocaleString('en').replaceAll(',', ' ');
  const sizeOf = (bytes: number | null) => (bytes === null ? 'no limit' : `${bytes / 1024 ** 3} GiB`);
  for (const limit of Object.keys(standardPlans.free) as (keyof PlanLimits)[])
    expect(written.get(limit), limit).toEqual(
      plans.map((plan) => (limit === 'storage_bytes' ? sizeOf(standardPlans[plan][limit]) : wordOf(standardPlans[plan][limit]))),
    );
});
