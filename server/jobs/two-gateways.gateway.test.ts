/**
 * Two gateways share a control store: one that starts disturbs nothing that the other one does, and takes over what that one leaves behind when
 * it is killed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Client } from '../../shared/client.ts';
import { leaseMs } from '../control/lease-store.ts';
import { controlFile, openSqliteControl } from '../control/sqlite/open.ts';
import { bootstrap } from '../entry/bootstrap.ts';
import { type CloudGateway, type CloudOptions, startCloudGateway } from '../entry/cloud.ts';
import { connectWorker } from '../fixtures/a-worker.ts';
import { crashingCloudSecret, startCrashingCloud } from '../fixtures/crashing-cloud-process.ts';
import { addEnvironment, defaultOf } from '../fixtures/environments.ts';
import { startConnectedCloud } from '../fixtures/git-hosts/connected-cloud.ts';
import { ScriptedHosting } from '../fixtures/scripted-hosting.ts';
import { scriptedAgents } from '../fixtures/scripted-runtime.ts';
import { testClock } from '../fixtures/test-clock.ts';
import { startTestCloud } from '../fixtures/test-cloud.ts';
import { silentLog } from '../platform/log.ts';

let ownFolder: string;
let second: CloudGateway | null = null;

beforeEach(() => {
  ownFolder = mkdtempSync(join(tmpdir(), 'glasshouse-second-'));
});
afterEach(async () => {
  await second?.stop();
  second = null;
  rmSync(ownFolder, { recursive: true, force: true });
});

/** Starts a gateway with telemetry of its own and the control store of the first one. It has looked for work left behind. */
async function startSecond(dataDir: string, options: Partial<CloudOptions> = {}): Promise<void> {
  second = await startCloudGateway({
    ...{ port: 0, host: '127.0.0.1', log: silentLog, secret: crashingCloudSecret, dataDir: ownFolder },
    openControl: (_, clock) => openSqliteControl(dataDir, clock),
    ...options,
  });
}

/** Begins a promotion, whose code waits for the host. */
async function promote(client: Client): Promise<{ environment_id: string; deployment_id: string }> {
  const { id } = await addEnvironment(client);
  const source_env_id = (await defaultOf(client)).id;
  const { deployment_id } = (await client.environments.promote({ params: { id }, body: { source_env_id } })).data;
  return { environment_id: id, deployment_id };
}

function endsOfLeases(dataDir: string): Record<string, string> {
  const db = new Database(controlFile(dataDir), { readonly: true });
  const rows = db.prepare('SELECT name, until FROM lease').all() as { name: string; until: string }[];
  db.close();
  return Object.fromEntries(rows.map(({ name, until }) => [name, until]));
}

/** Of leases that have not ended. */
function holdersOfLeases(dataDir: string): unknown[] {
  const db = new Database(controlFile(dataDir), { readonly: true });
  const holders = db.prepare('SELECT holder FROM lease WHERE until > ?').pluck().all(new Date().toISOString());
  db.close();
  return holders;
}

const statusOf = async (client: Client, deploymentId: string) =>
  (await client.deployments.get({ params: { deploymentId } })).data.deployment_status;
const statusOfExperiment = async (client: Client, experimentId: string) =>
  (await client.experimentRuns.get({ params: { experimentId } })).data.status;

it('a gateway that starts takes over nothing from one that works', async () => {
  const hosting = new ScriptedHosting();
  const first = await startTestCloud({ secret: crashingCloudSecret, hosting, codingAgents: scriptedAgents() });
  const { client, owner, api_key } = first.tenant;
  await owner.datasets.append({ params: { datasetName: 'sums' }, body: { input: 1 } });
  const worker = await connectWorker(first.url, api_key, { 'x-service-adapter': 'test' });
  const { experiment_id } = (await owner.experimentRuns.start({ body: { dataset: 'sums' } })).data;
  hosting.hold();
  const { environment_id, deployment_id } = await promote(client);
  const { run_id: runId } = (await client.workerRuns.create({ body: { task_prompt: 'wait' } })).data;
  const runStatus = async () => (await client.workerRuns.get({ params: { runId } })).data.status;
  await expect.poll(runStatus).toBe('running');

  const otherHosting = new ScriptedHosting();
  const names = [`experiment/${experiment_id}`, `agent_run/${runId}`, 'hosting', 'alerts'];
  await expect.poll(() => names.filter((name) => !(name in endsOfLeases(first.dataDir)))).toEqual([]);
  const began = endsOfLeases(first.dataDir);
  await startSecond(first.dataDir, { hosting: otherHosting, codingAgents: scriptedAgents() });
  // All would have ended by now, had they not been renewed.
  const isLater = (name: string) => Date.parse(endsOfLeases(first.dataDir)[name] ?? '') > Date.parse(began[name] ?? '') + leaseMs;
  await expect.poll(() => names.filter((name) => !isLater(name))).toEqual([]);
  expect([await statusOfExperiment(owner, experiment_id), await statusOf(client, deployment_id), await runStatus()]).toEqual([
    ...['running', 'running', 'running'],
  ]);
  expect((await client.environments.get({ params: { id: environment_id } })).data.in_flight_saga_id).not.toBeNull();
  hosting.open();
  await expect.poll(() => statusOf(client, deployment_id)).toBe('success');
  worker.say({ type: 'job-stream-end', jobId: experiment_id });
  await expect.poll(() => statusOfExperiment(owner, experiment_id)).toBe('succeeded');
  await client.workerThreads.cancel({ params: { runId } });
  await expect.poll(runStatus).toBe('cancelled');
  expect(otherHosting.released).toEqual([]);

  const own = readFileSync(join(first.dataDir, 'instance'), 'utf8').trim();
  expect(holdersOfLeases(first.dataDir)).toContain(own);
  await first.gateway.stop();
  expect(holdersOfLeases(first.dataDir)).not.toContain(own);
  await first.stop();
});

it('a gateway takes over what a killed one leaves behind', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-first-'));
  const tenant = await bootstrap({ dataDir, email: 'owner@acme.test', password: 'correct horse', tenant: 'acme' });
  const first = await startCrashingCloud(dataDir, tenant);
  await first.client.datasets.append({ params: { datasetName: 'sums' }, body: { input: 1 } });
  await connectWorker(first.url, tenant.api_key, { 'x-service-adapter': 'test' });
  const { experiment_id } = (await first.client.experimentRuns.start({ body: { dataset: 'sums' } })).data;
  await first.arm('hosting.deploy before');
  await startSecond(dataDir);
  const promoted = await promote(first.client);
  expect(await first.death).toBe('SIGKILL');

  const control = openSqliteControl(dataDir, { now: () => Date.now(), monotonic: () => performance.now() });
  const scope = { tenant_id: tenant.tenant_id, app_id: tenant.app_id };
  const run = async () => (await control.experimentRuns.find(scope, experiment_id))?.status;
  const deployment = async () => (await control.deployments.find(scope, promoted.deployment_id))?.deployment_status;
  await expect.poll(run).toBe('failed');
  await expect.poll(deployment).toBe('success');
  const detail = await control.environments.findDetail(scope, promoted.environment_id);
  expect(detail).toMatchObject({ current_version: 1, in_flight_saga_id: null });
  await control.stop();
  await second?.stop();
  second = null;
  rmSync(dataDir, { recursive: true, force: true });
});

it('tokens of a git host are renewed once for the requests of all gateways', async () => {
  let skippedMs = 0;
  const clock = testClock(() => Date.now() + skippedMs);
  const connected = await startConnectedCloud({ secret: crashingCloudSecret, clock });
  const { cloud, hosts, git } = connected;
  const { token, app_id } = cloud.tenant;
  await connected.connect(cloud.tenant, 'github');
  await startSecond(cloud.dataDir, { git, clock });
  skippedMs += 7200_000;
  hosts.github.accessTokens.clear();
  hosts.github.asked.length = 0;
  const list = async (url: string) =>
    (await fetch(`${url}/v1/apps/${app_id}/git/repositories`, { headers: { Authorization: `Bearer ${token}` } })).status;
  const urls = [cloud.url, second?.url ?? ''];
  expect(await Promise.all([...urls, ...urls, ...urls].map(list))).toEqual(Array(6).fill(200));
  expect(hosts.github.asked.filter((line) => line.startsWith('POST'))).toHaveLength(1);
  await second?.stop();
  second = null;
  await connected.stop();
});
