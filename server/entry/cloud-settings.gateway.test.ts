/** The environment variables of a deployment are validated together, and each invalid one is named. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readCodingAgentSettings } from './cloud-agent-runs.ts';
import { readCloudSettings } from './cloud-settings.ts';

const secret = { GLASSHOUSE_SECRET: 'x'.repeat(32) };
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a secret is enough; an empty variable counts as absent', () => {
  const settings = {
    publicUrl: null,
    internalUrl: null,
    otlpPorts: { grpc: null, http: null },
    metrics: null,
    logsRequests: false,
    runsHandlers: false,
    controlPlace: null,
    openId: null,
    git: { github: null, gitlab: null },
    codingAgents: null,
  };
  expect(readCloudSettings(secret)).toMatchObject(settings);
  const empty = { GLASSHOUSE_PUBLIC_URL: '', GLASSHOUSE_METRICS_PORT: '', GLASSHOUSE_TRUSTED_PROXIES: '', GLASSHOUSE_HOSTING: '' };
  expect(readCloudSettings({ ...secret, ...empty })).toMatchObject(settings);
});

it('every variable is applied', () => {
  const plans = join(folder, 'plans.json');
  writeFileSync(plans, '{"free":{"apps":7}}');
  const { planTable, clients, ...settings } = readCloudSettings({
    ...secret,
    GLASSHOUSE_SECRET_PREVIOUS: 'y'.repeat(32),
    GLASSHOUSE_PUBLIC_URL: 'https://glasshouse.test/',
    GLASSHOUSE_INTERNAL_URL: 'http://10.0.0.7:9419/',
    GLASSHOUSE_PLANS: plans,
    GLASSHOUSE_HOSTING: 'process',
    GLASSHOUSE_METRICS_PORT: '9420',
    GLASSHOUSE_OTLP_PORTS: 'on',
    GLASSHOUSE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
    GLASSHOUSE_LOG: 'requests',
    GLASSHOUSE_POSTGRES_URL: 'postgres://glasshouse@db.test/glasshouse',
    GLASSHOUSE_POSTGRES_POOL: '4',
    GLASSHOUSE_OIDC_ISSUER: 'https://id.acme.test',
    GLASSHOUSE_OIDC_CLIENT_ID: 'glasshouse',
    GLASSHOUSE_OIDC_CLIENT_SECRET: 'shared',
  });
  expect(settings.openId).toEqual({ issuer: 'https://id.acme.test', clientId: 'glasshouse', clientSecret: 'shared' });
  const metrics = { host: '127.0.0.1', port: 9420 };
  expect(settings).toMatchObject({
    previousSecret: 'y'.repeat(32),
    publicUrl: 'https://glasshouse.test',
    internalUrl: 'http://10.0.0.7:9419',
    metrics,
    logsRequests: true,
    runsHandlers: true,
  });
  expect(settings.controlPlace).toEqual({ url: 'postgres://glasshouse@db.test/glasshouse', connections: 4 });
  expect(planTable.free.apps).toBe(7);
  const request = { socket: { remoteAddress: '10.1.1.1' }, headers: { 'x-forwarded-for': '203.0.113.9' } };
  expect(clients.of(request as never)).toBe('203.0.113.9');
});

it.each([
  ['GLASSHOUSE_SECRET', 'short'],
  ['GLASSHOUSE_SECRET_PREVIOUS', 'short'],
  ['GLASSHOUSE_PUBLIC_URL', 'ftp://x'],
  ['GLASSHOUSE_INTERNAL_URL', 'gateway-a:9419'],
  ['GLASSHOUSE_INTERNAL_URL', 'http://gateway-a:9419/path'],
  ['GLASSHOUSE_PLANS', '/nowhere/at-all.json'],
  ['GLASSHOUSE_HOSTING', 'docker'],
  ['GLASSHOUSE_METRICS_PORT', '70000'],
  ['GLASSHOUSE_TRUSTED_PROXIES', '127.0.0.1, proxy'],
  ['GLASSHOUSE_LOG', 'all'],
  ['GLASSHOUSE_POSTGRES_URL', 'mysql://db.test/glasshouse'],
  ['GLASSHOUSE_POSTGRES_POOL', '0'],
  ['GLASSHOUSE_OIDC_ISSUER', 'id.acme.test'],
  ['GLASSHOUSE_OIDC_CLIENT_ID', 'alone'],
  ['GLASSHOUSE_WORKERS', 'docker'],
  ['GLASSHOUSE_WORKER_COMMAND', 'agent --print'],
  ['GLASSHOUSE_WORKER_COMMAND', '["{session}"]'],
  ['GLASSHOUSE_WORKER_COMMAND', '["agent", "{prompt}"]'],
  ['GLASSHOUSE_WORKER_REPOSITORIES', 'repositories'],
  ['GLASSHOUSE_WORKER_PASS', 'MODEL_KEY, GLASSHOUSE_SECRET'],
  ['GLASSHOUSE_WORKER_CONCURRENCY', '0'],
  ['GLASSHOUSE_WORKER_MINUTES', 'soon'],
  ['GLASSHOUSE_WORKER_MEMORY_MIB', '1'],
  ['GLASSHOUSE_WORKER_PROCESSES', '1'],
  ['GLASSHOUSE_WORKER_ISOLATION', 'docker'],
])('the variable %s with %j is refused by name', (name, value) => {
  expect(() => readCloudSettings({ ...secret, [name]: value })).toThrow(name);
});

it('a missing secret is refused', () => {
  expect(() => readCloudSettings({})).toThrow('GLASSHOUSE_SECRET must be set');
});

it('a secret may be in a file, but not also in a variable', () => {
  const file = join(folder, 'secret');
  writeFileSync(file, `${'y'.repeat(40)}\n`);
  const inFile = { GLASSHOUSE_SECRET_FILE: file };
  expect(readCloudSettings(inFile).secret).toBe('y'.repeat(40));
  expect(readCloudSettings({ ...inFile, GLASSHOUSE_SECRET: '' }).secret).toBe('y'.repeat(40));
  expect(() => readCloudSettings({ ...inFile, ...secret })).toThrow('GLASSHOUSE_SECRET_FILE must not be set beside GLASSHOUSE_SECRET');
  expect(() => readCloudSettings({ GLASSHOUSE_SECRET_FILE: join(folder, 'none') })).toThrow('GLASSHOUSE_SECRET_FILE names');
  writeFileSync(file, 'short\n');
  expect(() => readCloudSettings(inFile)).toThrow('GLASSHOUSE_SECRET must have');
  const openId = {
    GLASSHOUSE_OIDC_ISSUER: 'https://id.acme.test',
    GLASSHOUSE_OIDC_CLIENT_ID: 'glasshouse',
    GLASSHOUSE_OIDC_CLIENT_SECRET_FILE: file,
  };
  expect(readCloudSettings({ ...secret, ...openId }).openId?.clientSecret).toBe('short');
});

it('names all invalid variables at once', () => {
  expect(() => readCloudSettings({ GLASSHOUSE_LOG: 'x', GLASSHOUSE_HOSTING: 'y' })).toThrow(
    /GLASSHOUSE_SECRET.*GLASSHOUSE_HOSTING.*GLASSHOUSE_LOG/s,
  );
});

it('agents get the named variables, and their command unchanged', () => {
  const variables = {
    ...secret,
    GLASSHOUSE_WORKERS: 'process',
    GLASSHOUSE_WORKER_COMMAND: '["agent", "--print", ["--resume", "{session}"]]',
    GLASSHOUSE_WORKER_PASS: 'MODEL_KEY, ABSENT',
    MODEL_KEY: 'of a model',
    GLASSHOUSE_WORKER_MINUTES: '0.5',
    GLASSHOUSE_WORKER_DISK_MIB: '1',
  };
  expect(readCodingAgentSettings(variables, 'linux')).toEqual({
    command: ['agent', '--print', ['--resume', '{session}']],
    repositories: null,
    passedVariables: { MODEL_KEY: 'of a model' },
    ...{ concurrency: 2, turnMs: 30_000, diskBytes: 1024 * 1024, costMax: null },
    ...{ memoryBytes: 4096 * 1024 * 1024, processes: 512, isolation: 'auto' },
  });
  expect(() => readCodingAgentSettings(variables, 'darwin')).toThrow('GLASSHOUSE_WORKERS');
  expect(() => readCodingAgentSettings({ ...variables, GLASSHOUSE_WORKER_COMMAND: '' }, 'linux')).toThrow('GLASSHOUSE_WORKER_COMMAND');
});
