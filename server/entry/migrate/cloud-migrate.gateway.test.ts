/** A team moves from the data folder of one gateway to a fleet while it goes on sending. The steps are those of docs/scale.md. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyValue, aRequest, aSpan, aSpanId, aTraceId, attributeList } from '../../../shared/fixtures/otlp.ts';
import { claudeTurn, codexConversation, geminiTurn, logsRequest } from '../../fixtures/agent-records.ts';
import { seed } from '../../fixtures/canary/seed.ts';
import { withClickHouse } from '../../fixtures/clickhouse.ts';
import { runEntry, startEntry } from '../../fixtures/entry-process.ts';
import { exportedSession } from '../../fixtures/exported-sessions.ts';
import { type FleetPlace, inFleets, startFleetGateways } from '../../fixtures/fleet-gateways.ts';
import { type ConnectedCloud, startConnectedCloud } from '../../fixtures/git-hosts/connected-cloud.ts';
import { withClient } from '../../fixtures/postgres.ts';
import { scriptedAgents } from '../../fixtures/scripted-runtime.ts';
import type { TestTenant } from '../../fixtures/test-cloud.ts';
import { silentLog } from '../../platform/log.ts';
import { openReader } from '../../telemetry/sqlite/file/open.ts';
import { telemetryFile } from '../../telemetry/sqlite/store.ts';
import { type CloudGateway, startCloudGateway } from '../cloud.ts';
import { answersOf, differencesOf } from './fixtures/answers.ts';

const secret = 'a secret of tests, which is longer than it must be';
const of = (field: string) => `own_${field.replace(/\W/g, '_')}`;
const at = Date.now();
const recent = { traceId: 'e'.repeat(32), spanId: 'e'.repeat(16) };
/** Reads of sign-in routes are answered, not refused. */
const signInsPerMinute = 100_000;
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-moved-'));

const places = await inFleets(1);
const place = (await places.next()) as FleetPlace;
let old: ConnectedCloud;
let tenant: TestTenant;
let records: Record<string, string>;
let sender: Sender;

beforeAll(async () => {
  old = await startConnectedCloud({ signInsPerMinute, codingAgents: scriptedAgents() });
  ({ tenant } = old.cloud);
  ({ records } = await seed(old, tenant, of, at - 60_000, 'team/ours'));
  await sendMore();
  sender = new Sender();
});
afterAll(async () => {
  await sender?.stop();
  await old?.stop();
  await places.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Of an app that is deleted when it was copied. */
let left: { app_id: string; api_key: string };

const env = (to: FleetPlace) => ({ GLASSHOUSE_POSTGRES_URL: to.url, GLASSHOUSE_CLICKHOUSE_URL: to.clickhouse });
const migrate = (options: readonly string[] = [], to = place) =>
  runEntry('cloud-migrate.ts', ['--from', old.cloud.dataDir, ...options], { env: env(to) });

const send = async (...spans: object[]) => expect((await old.cloud.ingest(tenant, aRequest(spans))).status).toBe(200);

/** Goes on sending, and knows what was acknowledged. */
class Sender {
  readonly acknowledged: string[] = [];
  #isOver = false;
  readonly #ended = this.#run();

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const traceId = aTraceId();
      const spans = Array.from({ length: 5 }, () => aSpan({ traceId, startMs: Date.now() }));
      if ((await old.cloud.ingest(tenant, aRequest(spans))).status === 200) this.acknowledged.push(traceId);
      await sleep(200);
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }
}

const many = Array.from({ length: 1500 }, (_, index) => aSpan({ traceId: index.toString(16).padStart(32, 'c'), startMs: at - index }));
const deletedId = 'd1'.repeat(16);
const resentId = 'd2'.repeat(16);
const pending = aSpan({ traceId: 'd3'.repeat(16), spanId: 'd3'.repeat(8), startMs: at });

/** What the seed does not have. */
async function sendMore(): Promise<void> {
  for (const logs of [claudeTurn('s1', 'p1'), codexConversation('c1'), geminiTurn('g1', 'q1')]) await sendLogs(logs);
  // Some of their log records have the ids of spans, and belong to these, or to turns that were read.
  for (const agent of ['claude-code', 'codex', 'gemini'] as const) {
    const { traces, logs, history } = await exportedSession(agent, 1);
    for (const body of traces) await sendBody('/v1/traces', body);
    for (const body of logs) await sendBody('/v1/logs', body);
    if (agent === 'claude-code') for (const body of history) await sendBody('/v1/traces', body);
  }
  const text = 'A long text that many spans repeat. '.repeat(400);
  const repeating = Array.from({ length: 20 }, (_, index) =>
    aSpan({ spanId: aSpanId(), startMs: at + index, attributes: { 'agentmark.props': text } }),
  );
  await send(...repeating);
  await send(aSpan({ startMs: Date.UTC(2080, 0, 1) }), aSpan({ startMs: Date.UTC(1990, 0, 1) }));
  await send(...many);
  await send(
    aSpan({ traceId: deletedId, startMs: at }),
    aSpan({ traceId: resentId, startMs: at }),
    aSpan({ traceId: 'a-readable-id', startMs: at }),
  );
  await send({ ...pending, endTimeUnixNano: '0', attributes: attributeList({ 'logfire.span_type': 'pending_span' }) });
  await tenant.client.traceTags.change({ body: { trace_ids: [recent.traceId], add: ['by hand'] } });
  const { data: app } = await tenant.owner.apps.create({ body: { name: 'left' } });
  const { data: key } = await old.cloud.as(tenant.token, app.id).apiKeys.create({ body: { name: 'left', permissions: ['trace.write'] } });
  await send(aSpan({ traceId: 'd4'.repeat(16), spanId: 'd4'.repeat(8), startMs: at }));
  await sendLogs(Array.from({ length: 3 }, (_, number) => logOnSpan('d4', `deleted ${number}`)));
  left = { app_id: app.id, api_key: key.plaintext_key };
  expect((await old.cloud.ingest(left, aRequest([aSpan({ startMs: at })]))).status).toBe(200);
}

const logOnSpan = (id: string, content: string) => ({
  timeUnixNano: `${at}000000`,
  traceId: id.repeat(16),
  spanId: id.repeat(8),
  eventName: 'gen_ai.user.message',
  body: anyValue({ content }),
});

/** The highest number of a log record. */
function lastLog(): number {
  const db = openReader(telemetryFile(old.cloud.dataDir));
  try {
    return db.prepare<[], number>('SELECT max(id) FROM span_log').pluck().get() ?? 0;
  } finally {
    db.close();
  }
}

const sendLogs = (logs: object[]): Promise<void> => sendBody('/v1/logs', JSON.stringify(logsRequest('agent', logs)));

async function sendBody(path: string, body: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json', Authorization: tenant.api_key, 'X-Service-App-Id': tenant.app_id };
  expect((await old.cloud.fetch(path, { method: 'POST', headers, body })).status).toBe(200);
}

const inClickHouse = <Row>(query: string): Promise<Row[]> =>
  withClickHouse(place.clickhouse, async (client) => (await client.query({ query, format: 'JSONEachRow' })).json<Row>());
const changeClickHouse = (query: string) => withClickHouse(place.clickhouse, async (client) => void (await client.command({ query })));

it('copies while the gateway receives, also after it was killed halfway', async () => {
  const killed = startEntry('cloud-migrate.ts', ['--from', old.cloud.dataDir], { env: env(place) });
  const rows = "SELECT total_rows AS rows FROM system.tables WHERE database = currentDatabase() AND name = 'record'";
  const stored = async () => Number((await inClickHouse<{ rows: number }>(rows))[0]?.rows ?? 0);
  await expect.poll(stored, { interval: 20 }).toBeGreaterThan(0);
  expect((await killed.end('SIGKILL')).code).toBe(null);
  const run = await migrate();
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout).toContain(`app ${tenant.app_id} of team ${tenant.tenant_id}: equal`);
  expect(run.stdout).toContain('run this again with --finish');
});

it('moves what is changed and deleted meanwhile', async () => {
  const { client } = tenant;
  for (const traceId of [deletedId, resentId]) await client.traceDeletions.removeTrace({ params: { traceId } });
  await send(aSpan({ traceId: resentId, startMs: at }), pending);
  await client.traceTags.change({ body: { trace_ids: ['1'.repeat(32)], add: ['later'] } });
  await client.traceTags.change({ body: { trace_ids: [recent.traceId], remove: ['by hand'] } });
  const { id } = await client.scores.create({ body: { resource_id: recent.traceId, name: 'moved', score: 0.25 } });
  await client.scores.remove({ params: { scoreId: id } });
  await client.runaways.setThreshold({ body: { service: '', rule: 'repeated_calls', threshold: null } });
  const last = lastLog();
  await client.traceDeletions.removeTrace({ params: { traceId: 'd4'.repeat(16) } });
  await expect.poll(lastLog).toBeLessThan(last);
  // It has the number of one that was copied.
  await sendLogs([logOnSpan('d5', 'in the place of a deleted one')]);
  expect(lastLog()).toBeLessThanOrEqual(last);
  const ofDeletedApp = `SELECT count() AS rows FROM record WHERE app_id = '${left.app_id}'`;
  expect(await inClickHouse(ofDeletedApp)).toEqual([{ rows: 1 }]);
  await tenant.owner.apps.remove({ params: { appId: left.app_id } });
  // Its erasure is delivered to the telemetry store.
  const isErased = async () => (await migrate()).stdout.includes(left.app_id);
  await expect.poll(isErased).toBe(false);
  expect(await inClickHouse(ofDeletedApp)).toEqual([{ rows: 0 }]);
  const logs = `SELECT count() AS rows FROM log FINAL WHERE trace_id = '${'d5'.repeat(16)}'`;
  expect(await inClickHouse(logs)).toEqual([{ rows: 1 }]);
});

it('notices what differs, and copies traces again', async () => {
  await changeClickHouse(`INSERT INTO record SELECT * REPLACE (replace(record, '"n":"work"', '"n":"play"') AS record, ver + 1 AS ver)
    FROM record FINAL WHERE trace_id = '${'1'.repeat(32)}'`);
  const mended = await migrate(['--verify']);
  expect(mended.stderr).toContain(`1 traces differ, such as ${'1'.repeat(32)}: they are copied again`);
  expect(mended.code).toBe(0);
  const planted = (sign: '+' | '-') =>
    changeClickHouse(
      `INSERT INTO score SELECT * REPLACE (score ${sign} 1 AS score, ver + 1 AS ver) FROM score FINAL WHERE name = 'common' LIMIT 1`,
    );
  await planted('+');
  const different = await migrate();
  expect(different.stdout).toContain('1 scores differ, such as ');
  expect(different.code).toBe(1);
  await planted('-');
});

it('refuses to finish while the old gateway runs, and databases with other data, and says which costs change', async () => {
  expect(await migrate(['--finish'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`The data folder ${old.cloud.dataDir} is in use`),
  });
  const used = (await places.next()) as FleetPlace;
  const gateway = await startFleetGateways(used, { ...gatewayOptions, dataDir: join(folder, 'other') });
  expect(await migrate([], used)).toMatchObject({ code: 1, stderr: expect.stringContaining('A gateway uses the database') });
  await gateway.stop();
  const prices = join(old.cloud.dataDir, 'prices.json');
  writeFileSync(prices, JSON.stringify({ models: { 'gpt-5-mini': { input: 1000, output: 1000 } } }));
  const repriced = await migrate([], used);
  rmSync(prices);
  expect(repriced).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('traces with log records have the costs of the current prices'),
  });
  await withClient(used.url, (client) => client.query("INSERT INTO tenant VALUES ('t', 'other', 'team', '2026-01-01T00:00:00.000Z')"));
  expect(await migrate([], used)).toMatchObject({ code: 1, stderr: expect.stringContaining('has records of its own (tenant)') });
});

/**
 * The ingest log is in the memory of a gateway, which workers are connected to; experiments that are running end with it, and so do runs of coding agents
 * and their keys, which the audit log has. The series of an alert ends now.
 */
const changedByStop =
  /^GET \/v1\/(viewer\/(ingest-log|worker\b)|workers\/|api-keys|audit-log\b|alerts\/[^/]+\/series\b|experiments(\?|\/[^/]+\/run\b))/;

const gatewayOptions = { host: '127.0.0.1', port: 0, log: silentLog, secret, signInsPerMinute };

it('finishes when the old gateway is stopped: logins and keys work, and all reads have the same answers', async () => {
  await sender.stop();
  const asked = { ...records, ...recent };
  const before = await answersOf(old.cloud.url, tenant, asked, at);
  let fleet: CloudGateway | undefined;
  await old.cloud.gateway.stop();
  expect(await migrate(['--finish'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Everything is moved.') });
  expect(await migrate(['--finish'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Everything was moved before.') });
  await expect(startCloudGateway({ ...gatewayOptions, dataDir: old.cloud.dataDir })).rejects.toThrow('were moved to a cluster');
  try {
    fleet = await startFleetGateways(place, {
      ...gatewayOptions,
      dataDir: join(folder, 'fleet'),
      git: old.git,
      codingAgents: scriptedAgents(),
    });
    const after = await answersOf(fleet.url, tenant, asked, at);
    const answered = [...before.values()].filter((answer) => answer.startsWith('200 '));
    expect(answered.length).toBeGreaterThan(100);
    expect(answered.length).toBeGreaterThan(before.size / 2);
    const different = differencesOf(before, after);
    expect(different.filter((line) => !changedByStop.test(line))).toEqual([]);
    const found = await inClickHouse<{ trace_id: string; rows: number }>(
      'SELECT trace_id, count() AS rows FROM record FINAL GROUP BY trace_id',
    );
    const spans = new Map(found.map(({ trace_id, rows }) => [trace_id, rows]));
    expect(sender.acknowledged.filter((traceId) => spans.get(traceId) !== 5)).toEqual([]);
  } finally {
    await fleet?.stop();
  }
});
