/**
 * Two gateways, each with telemetry of its own, share a control store on PostgreSQL. One of them ends again and again, mostly by SIGKILL, in the
 * middle of experiments, promotions, runs of coding agents, deliveries of scores and notices of alerts. Nothing of the other one is disturbed,
 * all that the dead ones leave behind is taken up, and nothing is lost or repeated beyond what receivers are promised.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient } from '../../shared/client.ts';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { leaseMs } from '../control/lease-store.ts';
import { type Bootstrapped, bootstrap } from '../entry/bootstrap.ts';
import { aQueue, type TestQueue } from '../fixtures/a-queue.ts';
import { connectWorker, type TestWorker } from '../fixtures/a-worker.ts';
import { type Receiver, startReceiver } from '../fixtures/alert-stand.ts';
import { type EntryProcess, startEntry } from '../fixtures/entry-process.ts';
import { addEnvironment, defaultOf } from '../fixtures/environments.ts';
import { type PostgresDatabase, PostgresServer } from '../fixtures/postgres.ts';

/** GLASSHOUSE_ALL_CASES=1: twenty. */
const lives = process.env['GLASSHOUSE_ALL_CASES'] ? 20 : 8;
const reviewsPerLife = 4;
const heartbeatMs = 10_000;
/** About as long as the deliveries of a life take. */
const deliveryMs = 500;
/** Every fourth life ends by SIGTERM. */
const endOf = (life: number) => (life % 4 === 3 ? 'SIGTERM' : 'SIGKILL');

const program = fileURLToPath(new URL('../fixtures/sharing-cloud.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-kills-'));
const login = { email: 'owner@acme.test', password: 'correct horse' };
const server = await PostgresServer.start();
let database: PostgresDatabase;
let leases: Pool;
let tenant: Bootstrapped;
let receiver: Receiver;

beforeAll(async () => {
  database = await server.createDatabase();
  const place = { url: database.url, connections: 2 };
  tenant = await bootstrap({ dataDir: join(folder, 'none'), place, ...login, tenant: 'acme', plan: 'enterprise' });
  leases = new Pool({ connectionString: database.url, max: 2 });
  receiver = await startReceiver();
});
afterAll(async () => {
  for (const { process } of started) await process.end('SIGKILL');
  await receiver.stop();
  await leases.end();
  await database.drop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Gateway {
  process: EntryProcess;
  dataDir: string;
  /** Its id, which its leases have. */
  holder: string;
  client: Client;
  worker: TestWorker;
}

const started: Gateway[] = [];

const clientAt = (url: string, credential: string): Client =>
  createClient(async ({ method, path, body }) => {
    const headers = { Authorization: credential, 'X-Service-App-Id': tenant.app_id, 'Content-Type': 'application/json' };
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  });

/** Starts a gateway with an empty folder and a connected worker. Its telemetry has a failed call, which alerts are about. */
async function start(): Promise<Gateway> {
  const dataDir = mkdtempSync(join(folder, 'gateway-'));
  const process = startEntry(program, [dataDir, database.url, receiver.origin]);
  const url = await process.ready;
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
  const span = aSpan({ startMs: Date.now() - 1000, status: 'ERROR', attributes });
  const headers = { Authorization: tenant.api_key, 'X-Service-App-Id': tenant.app_id, 'Content-Type': 'application/json' };
  const sent = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: JSON.stringify(aRequest([span])) });
  expect(sent.status).toBe(200);
  const gateway: Gateway = {
    process,
    dataDir,
    holder: readFileSync(join(dataDir, 'instance'), 'utf8').trim(),
    client: clientAt(url, tenant.api_key),
    worker: await connectWorker(url, tenant.api_key, { 'x-service-adapter': 'test' }),
  };
  setInterval(() => gateway.worker.socket.readyState === WebSocket.OPEN && gateway.worker.say({ type: 'heartbeat' }), heartbeatMs).unref();
  started.push(gateway);
  return gateway;
}

interface Work {
  experimentId: string;
  environmentId: string;
  deploymentId: string;
  runId: string;
}

/** Begins an experiment, a promotion and a run of a coding agent, which all go on when this resolves. */
async function begin({ client }: Gateway): Promise<Work> {
  const run = (await client.workerRuns.create({ body: { task_prompt: 'wait' } })).data;
  const { experiment_id } = (await client.experimentRuns.start({ body: { dataset: 'sums' } })).data;
  const { id } = await addEnvironment(client);
  await expect.poll(() => statusOfRun(client, run.run_id)).toBe('running');
  const source_env_id = (await defaultOf(client)).id;
  const { deployment_id } = (await client.environments.promote({ params: { id }, body: { source_env_id } })).data;
  return { experimentId: experiment_id, environmentId: id, deploymentId: deployment_id, runId: run.run_id };
}

const statusOfRun = async (client: Client, runId: string) => (await client.workerRuns.get({ params: { runId } })).data.status;
const statusOfExperiment = async (client: Client, experimentId: string) =>
  (await client.experimentRuns.get({ params: { experimentId } })).data.status;
const statusOfDeployment = async (client: Client, deploymentId: string) =>
  (await client.deployments.get({ params: { deploymentId } })).data.deployment_status;

const holderOf = async (name: string): Promise<string | undefined> =>
  (await leases.query<{ holder: string }>('SELECT holder FROM lease WHERE name = $1', [name])).rows[0]?.holder;

/** Leases of a gateway that are for work. That of an outbox is for none when the outbox is empty. */
const workOf = async (holder: string): Promise<string[]> => {
  const work = "SELECT name FROM lease WHERE holder = $1 AND (name NOT LIKE 'outbox/%' OR EXISTS (SELECT FROM score_outbox))";
  return (await leases.query<{ name: string }>(work, [holder])).rows.map(({ name }) => name);
};

/** Resolves when all that a gateway has left behind has ended or is another's. @returns how long the last one waited, ms */
async function takenUp({ holder }: Gateway): Promise<number> {
  const diedMs = performance.now();
  await expect.poll(() => workOf(holder), { interval: 100 }).toEqual([]);
  return performance.now() - diedMs;
}

/** Reviews items, of which each has a score to deliver. @returns those whose review was acknowledged */
async function review({ client }: Gateway, queue: TestQueue, from: number, to: number): Promise<string[]> {
  const answers = queue.items.slice(from, to).map(async ({ resource_id }, index) => {
    const body = { status: 'completed' as const, scores: [{ name: 'tone', score: 1 }], reviewer: 'judge' };
    await client.annotationItems.review({ params: queue.at(from + index), body });
    return resource_id;
  });
  return (await Promise.allSettled(answers)).flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}

/** Number of copies of each score, by reviewed resource and id, in the telemetry of all gateways. */
function deliveredScores(): Map<string, Map<string, number>> {
  const copies = new Map<string, Map<string, number>>();
  for (const { dataDir } of started) {
    const db = new Database(join(dataDir, 'telemetry.db'));
    const scores = db.prepare('SELECT resource_id, score_id AS id FROM score').all() as { resource_id: string; id: string }[];
    for (const { resource_id, id } of scores) {
      const ofResource = copies.get(resource_id) ?? new Map<string, number>();
      copies.set(resource_id, ofResource.set(id, (ofResource.get(id) ?? 0) + 1));
    }
    db.close();
  }
  return copies;
}

/** Of what the dead left behind. */
const orphans: { names: string[]; takenUp: Promise<number> }[] = [];
const killsOf = (name: string) => orphans.filter(({ names }) => names.includes(name)).length;

/** Ends a gateway as its life should end. */
async function end(gateway: Gateway, life: number): Promise<void> {
  const { code } = await gateway.process.end(endOf(life));
  const names = await workOf(gateway.holder);
  if (endOf(life) === 'SIGTERM') expect([code, names]).toEqual([0, []]);
  else orphans.push({ names, takenUp: takenUp(gateway) });
}

it('repeated ends of one gateway lose nothing, repeat nothing unduly and do not disturb the other one', { timeout: 900_000 }, async () => {
  // The first life begins before the gateway that stays, so that it has the leases that there is one of.
  let second = await start();
  const first = await start();
  const owner = clientAt(await first.process.ready, `Bearer ${(await first.client.auth.login({ body: login })).data.token}`);
  await first.client.datasets.append({ params: { datasetName: 'sums' }, body: { input: 1 } });
  const webhook = { url: `${receiver.origin}/alerts`, secret: 'a secret of the webhook' };
  await owner.alertDestinations.putWebhook({ params: { environmentId: tenant.environment_id }, body: webhook });
  const resources = Array.from({ length: 2 * lives * reviewsPerLife }, (_, index) => ({ resource_id: `reviewed ${index}` }));
  const queue = await aQueue(first.client, resources);

  const [ours, theirs, reviews]: [Work[], Work[], Promise<string[]>[]] = [[], [], []];
  for (let life = 0; life < lives; life++) {
    if (life > 0) second = await start();
    const alert = { name: `alert ${life}`, metric: 'error_rate' as const, threshold: 5, time_window: 60, use_webhook: true };
    await first.client.alerts.create({ body: alert });
    const [our, their] = await Promise.all([begin(first), begin(second)]);
    ours.push(our);
    theirs.push(their);
    const from = 2 * life * reviewsPerLife;
    const [middle, to] = [from + reviewsPerLife, from + 2 * reviewsPerLife];
    reviews.push(review(first, queue, from, middle), review(second, queue, middle, to));
    // At another moment of the deliveries in each life.
    await sleep((life * 137) % deliveryMs);
    await end(second, life);
  }
  const waitedMs = await Promise.all(orphans.map((orphan) => orphan.takenUp));
  const slowestMs = Math.max(...waitedMs);

  // Gateways take runs of coding agents from one queue, so either may have had any of them.
  for (const { runId } of [...ours, ...theirs]) {
    const holder = await holderOf(`agent_run/${runId}`);
    expect([runId, holder, await statusOfRun(first.client, runId)]).toEqual([
      runId,
      ...(holder ? [first.holder, 'running'] : [holder, 'failed']),
    ]);
    if (holder) await first.client.workerThreads.cancel({ params: { runId } });
    if (holder) await expect.poll(() => statusOfRun(first.client, runId)).toBe('cancelled');
  }
  for (const { deploymentId, environmentId } of [...ours, ...theirs]) {
    await expect.poll(() => statusOfDeployment(first.client, deploymentId)).toBe('success');
    const { data } = await first.client.environments.get({ params: { id: environmentId } });
    expect(data).toMatchObject({ current_version: 1, in_flight_saga_id: null });
  }
  for (const { experimentId } of theirs) expect(await statusOfExperiment(first.client, experimentId)).toBe('failed');
  for (const { experimentId } of ours) {
    expect(await statusOfExperiment(first.client, experimentId)).toBe('running');
    first.worker.say({ type: 'job-stream-end', jobId: experimentId });
    await expect.poll(() => statusOfExperiment(first.client, experimentId)).toBe('succeeded');
  }

  const noticeIds = () => receiver.received.map(({ headers }) => String(headers['x-service-event-id']));
  await expect.poll(() => new Set(noticeIds()).size).toBe(lives);
  const noticesOf = Map.groupBy(noticeIds(), (id) => id);
  const mostNotices = Math.max(...[...noticesOf.values()].map((sent) => sent.length));
  expect(mostNotices).toBeLessThanOrEqual(1 + killsOf('alerts'));

  const acknowledged = (await Promise.all(reviews)).flat();
  await expect.poll(async () => (await leases.query('SELECT FROM score_outbox')).rowCount).toBe(0);
  expect((await first.process.end('SIGTERM')).code).toBe(0);
  const delivered = deliveredScores();
  expect(acknowledged.filter((resource) => !delivered.has(resource))).toEqual([]);
  expect([...delivered].filter(([, ids]) => ids.size !== 1)).toEqual([]);
  const copiesOfEach = [...delivered.values()].flatMap((ids) => [...ids.values()]);
  expect(Math.max(...copiesOfEach)).toBeLessThanOrEqual(1 + killsOf('outbox/scores'));

  const copies = copiesOfEach.reduce((sum, each) => sum + each, 0);
  const kills = orphans.length;
  const all = orphans.flatMap(({ names }) => names);
  process.stdout.write(
    `${lives} ends, ${kills} by SIGKILL: ${all.length} orphans taken up, slowest ${(slowestMs / 1000).toFixed(1)} s; ` +
      `${noticesOf.size} notices, ${noticeIds().length - noticesOf.size} repeated; ` +
      `${delivered.size} scores of ${acknowledged.length} acknowledged reviews, ${copies - delivered.size} repeated\n`,
  );
  expect(slowestMs).toBeLessThan(6 * leaseMs);
  // Each life left behind at least its experiment.
  expect(all.length).toBeGreaterThanOrEqual(kills);
});
