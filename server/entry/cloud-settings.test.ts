import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readCloudSettings } from './cloud-settings.ts';

const secret = { GLASSHOUSE_SECRET: 'x'.repeat(32) };

it('needs a secret and nothing else', () => {
  expect(readCloudSettings(secret)).toMatchObject({
    publicUrl: null,
    metrics: null,
    logsRequests: false,
    runsHandlers: false,
    openId: null,
  });
});

it('takes an empty variable for one that is not there, as compose files leave them', () => {
  expect(readCloudSettings({ ...secret, GLASSHOUSE_PUBLIC_URL: '', GLASSHOUSE_METRICS_PORT: '' })).toMatchObject({ metrics: null });
  expect(() => readCloudSettings({ GLASSHOUSE_SECRET: '' })).toThrow('GLASSHOUSE_SECRET must be set');
});

it('reads what is said', () => {
  const said = {
    GLASSHOUSE_PUBLIC_URL: 'https://traces.acme.test/',
    GLASSHOUSE_METRICS_PORT: '9464',
    GLASSHOUSE_LOG: 'requests',
    GLASSHOUSE_HOSTING: 'process',
    GLASSHOUSE_OIDC_ISSUER: 'https://id.acme.test',
    GLASSHOUSE_OIDC_CLIENT_ID: 'glasshouse',
    GLASSHOUSE_OIDC_CLIENT_SECRET: 'shared',
  };
  expect(readCloudSettings({ ...secret, ...said })).toMatchObject({
    publicUrl: 'https://traces.acme.test',
    metrics: { host: '127.0.0.1', port: 9464 },
    logsRequests: true,
    runsHandlers: true,
    openId: { issuer: 'https://id.acme.test', clientId: 'glasshouse', clientSecret: 'shared' },
  });
});

it.each([
  ['GLASSHOUSE_SECRET', 'short'],
  ['GLASSHOUSE_PUBLIC_URL', 'traces.acme.test'],
  ['GLASSHOUSE_PUBLIC_URL', 'ftp://traces.acme.test'],
  ['GLASSHOUSE_METRICS_PORT', '70000'],
  ['GLASSHOUSE_LOG', 'everything'],
  ['GLASSHOUSE_HOSTING', 'kubernetes'],
  ['GLASSHOUSE_OIDC_ISSUER', 'id.acme.test'],
  ['GLASSHOUSE_OIDC_CLIENT_ID', 'alone'],
  ['GLASSHOUSE_PLANS', '/nowhere/plans.json'],
])('names %s when it is %s', (name, value) => {
  expect(() => readCloudSettings({ ...secret, [name]: value })).toThrow(name);
});

it('names every variable that is wrong at once', () => {
  expect(() => readCloudSettings({ GLASSHOUSE_LOG: 'x', GLASSHOUSE_HOSTING: 'y' })).toThrow(
    /GLASSHOUSE_SECRET.*GLASSHOUSE_HOSTING.*GLASSHOUSE_LOG/s,
  );
});

it('reads what plans allow from a file, and names the file when it says what is no limit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-plans-'));
  const file = join(folder, 'plans.json');
  writeFileSync(file, '{"free":{"monthly_spans":7}}');
  expect(readCloudSettings({ ...secret, GLASSHOUSE_PLANS: file }).planTable.free.monthly_spans).toBe(7);
  writeFileSync(file, '{"free":{"monthly_spams":7}}');
  expect(() => readCloudSettings({ ...secret, GLASSHOUSE_PLANS: file })).toThrow(file);
  rmSync(folder, { recursive: true });
});
