/**
 * A tenant that shares a gateway sees what it would see alone. Every writable field of the other tenant contains a unique string. This tenant
 * reads everything in every way: no answer contains such a string, and every answer equals that of a gateway without the other tenant.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { readPublishedApi } from '../../conformance/published/published-api.ts';
import { Canaries } from '../../fixtures/canary/canaries.ts';
import { plain } from '../../fixtures/canary/plain.ts';
import { type Read, readsOf } from '../../fixtures/canary/reads.ts';
import { seed, spansOf } from '../../fixtures/canary/seed.ts';
import { hangLimit } from '../../fixtures/cloud-topology.ts';
import type { ControlPlaces } from '../../fixtures/control-places.ts';
import type { DailySample } from '../../fixtures/daily-sample.ts';
import { type ConnectedCloud, startConnectedCloud } from '../../fixtures/git-hosts/connected-cloud.ts';
import { scriptedAgents } from '../../fixtures/scripted-runtime.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import type { TestTenant } from '../../fixtures/test-cloud.ts';
import { plansWith } from '../../limits/plan-table.ts';

const at = Date.now();
const concurrency = 8;
/** One of so many reads for a string is compared with the gateway without the other tenant; a prime, so that every operation is. */
const comparedPart = 7;
const canaries = new Canaries();
const foreign = (field: string) => canaries.of(field);
/** Ids of the recent spans of the seed, which are the same for every tenant. */
const recent = { traceId: 'e'.repeat(32), spanId: 'e'.repeat(16) };
const own = (field: string) => `own_${field.replace(/\W/g, '_')}`;

let alone: ConnectedCloud;
let shared: ConnectedCloud;
let other: TestTenant;
let records: Record<string, string>;
let recordsAlone: Record<string, string>;

/**
 * @param places of the control stores; stopped in the end
 * @param sample of the reads for a string
 * @param placesAlone of the gateway without the other tenant
 */
export function describeTenantIsolation(places: ControlPlaces, sample: DailySample, placesAlone = places): void {
  beforeAll(async () => {
    const options = {
      signInsPerMinute: 100_000,
      planTable: plansWith({ enterprise: { searches_per_minute: null } }),
      clock: testClock(() => at),
    };
    const startIn = async (from: ControlPlaces) =>
      startConnectedCloud({ ...options, place: await from.next(), codingAgents: scriptedAgents() });
    alone = await startIn(placesAlone);
    shared = await startIn(places);
    other = await shared.cloud.addTenant(canaries.of('tenant'));
    const theirs = await seed(shared, other, foreign, at - 60_000, `${canaries.of('team')}/${canaries.of('repository')}`);
    // Git hosts decide who sees which repositories, so the other tenant's is hidden from this one.
    shared.hosts.github.repositories.length = 0;
    records = (await seed(shared, shared.cloud.tenant, own, at - 60_000, 'team/ours')).records;
    recordsAlone = (await seed(alone, alone.cloud.tenant, own, at - 60_000, 'team/ours')).records;
    for (const [name, value] of [...Object.entries(theirs.made), ...Object.entries(theirs.records)])
      if (/^[0-9a-f-]{36}$/.test(value) || value.startsWith('sk_service_')) canaries.add(`id: ${name}`, value);
    for (const name of ['tenant_id', 'app_id', 'user_id', 'environment_id', 'api_key', 'token'] as const)
      canaries.add(`id: ${name}`, other[name]);
    canaries.add('name of environment', theirs.made.name);
  });
  afterAll(async () => {
    await alone.stop();
    await shared.stop();
    await places.stop();
  });

  it('broad reads return nothing of another tenant, and the same answers as a gateway without one', async () => {
    const { reads, leaks, differences } = await readAll(({ isBroad }) => isBroad);
    expect(reads).toBeGreaterThan(150);
    expect({ leaks, differences }).toEqual({ leaks: [], differences: [] });
  });

  it('reads for the values of another tenant return none of them, and the same answers as a gateway without it', {
    // Thousands of searches, of two gateways.
    timeout: hangLimit(1_200_000),
  }, async () => {
    process.stdout.write(`canaries: ${sample.name}\n`);
    const { reads, leaks, differences } = await readAll(({ isBroad }, index) => !isBroad && sample.has(index));
    expect(reads).toBeGreaterThan(20_000 / sample.part);
    expect({ leaks, differences }).toEqual({ leaks: [], differences: [] });
  });

  it('the other tenant sees its own values, so they could have been found', async () => {
    const api = await readPublishedApi(shared.cloud.url);
    const all: string[] = [];
    const reads = readsOf(api, { ...records, ...recent, appId: other.app_id }, ['kanari'], at);
    await inParallel(reads, async (read) => void all.push((await ask(shared, read, other)).all));
    const text = all.join('\n');
    const fields = [
      'model',
      'user',
      'session',
      'tag',
      'metadata value',
      'input',
      'output',
      'span name',
      'score',
      'label',
      'reason',
      'comment',
      'mentioned',
      'queue',
      'alert',
      'key',
      'experiment run',
      'eval',
      'adapter',
      'task',
      'task of a run',
    ];
    expect(fields.filter((field) => !text.includes(canaries.of(field)))).toEqual([]);
  });

  it('the live stream of one tenant reveals nothing that the other writes', async () => {
    const { cloud } = shared;
    const received = await listen(cloud.tenant, async () => {
      await cloud.ingest(other, aRequest(spansOf(foreign, at).map((span) => ({ ...span, traceId: '9'.repeat(32) }))));
      await other.client.scores.create({ body: { resource_id: '9'.repeat(32), name: canaries.of('live score'), score: 1 } });
      await cloud.ingest(cloud.tenant, aRequest(spansOf(own, at).map((span) => ({ ...span, traceId: '8'.repeat(32) }))));
    });
    expect(received).toContain('8'.repeat(32));
    expect(received).not.toContain('9'.repeat(32));
    expect(canaries.foundIn(received, '')).toEqual([]);
  });

  it('the arrival cursor of one tenant does not change when spans of another arrive', async () => {
    const arrived = async (tenant: TestTenant) => (await tenant.client.traceList.rows({ query: {} })).data.arrived;
    const before = [await arrived(shared.cloud.tenant), await arrived(other)];
    await shared.cloud.ingest(other, aRequest([aSpan({ traceId: '7'.repeat(32) })]));
    const [own, foreign] = [await arrived(shared.cloud.tenant), await arrived(other)];
    expect([own === before[0], foreign === before[1]]).toEqual([true, false]);
  });

  it('names that another tenant uses are free', async () => {
    const { owner } = shared.cloud.tenant;
    await owner.apps.create({ body: { name: canaries.of('app') } });
    await owner.alerts.create({ body: { name: canaries.of('alert'), metric: 'cost', threshold: 1, time_window: 5 } });
    await owner.apiKeys.create({ body: { name: canaries.of('key') } });
    await owner.environments.create({ body: { name: canaries.of('environment').replaceAll('_', '-') } });
  });
}

async function readAll(which: (read: Read, index: number) => boolean) {
  const api = await readPublishedApi(shared.cloud.url);
  const wanted = [...canaries.all.filter((value) => value.startsWith('kanari')), 'kanari', 'common', own('session'), own('model')];
  const readsBy = (ids: Record<string, string>) =>
    [...readsOf(api, ids, wanted, at), ...readsOf(api, { ...ids, ...recent }, [], at)].filter(which);
  const [reads, readsAlone] = [readsBy(records), readsBy(recordsAlone)];
  const [leaks, differences]: [string[], string[]] = [[], []];
  await inParallel(reads, async (read, index) => {
    const answer = await ask(shared, read);
    const found = canaries.foundIn(answer.all, JSON.stringify(read));
    const name = `${read.method} ${read.path} ${JSON.stringify(read.body ?? '')}`;
    if (found.length > 0) leaks.push(`${name}: ${found.join(', ')}`);
    // Of reads for a string, which mostly find nothing, a part is enough.
    if (!read.isBroad && index % comparedPart !== 0) return;
    const readAlone = readsAlone[index] as Read;
    const ours = normalised(await complete(shared, read, answer));
    const expected = normalised(await complete(alone, readAlone, await ask(alone, readAlone)));
    if (ours !== expected) differences.push(`${name}: ${differenceOf(ours, expected)}`);
  });
  process.stdout.write(`canaries: ${canaries.all.length} strings, ${api.operations.length} operations, ${reads.length} reads\n`);
  return { reads: reads.length, leaks, differences };
}

const normalised = ({ status, text }: { status: number; text: string }): string => JSON.stringify([status, plain(text)]);

/** One answer of a search within a trace covers what was searched in a limited time. Its answers are joined until all was searched. */
async function complete(connected: ConnectedCloud, read: Read, answer: { status: number; text: string }) {
  if (!read.path.includes('/find?') || answer.status !== 200) return answer;
  const [ids, searched]: [string[], number[]] = [[], []];
  for (let { text } = answer; ; ) {
    const { data } = JSON.parse(text);
    ids.push(...data.ids);
    searched.push(data.searched);
    if (data.next === null) break;
    ({ text } = await ask(connected, { ...read, path: `${read.path}&after=${data.next}` }));
  }
  return { status: answer.status, text: JSON.stringify({ ids, searched: searched.reduce((sum, spans) => sum + spans, 0) }) };
}

async function ask({ cloud }: ConnectedCloud, { method, path, body }: Read, tenant = cloud.tenant) {
  const headers = {
    Authorization: `Bearer ${tenant.token}`,
    'X-Service-App-Id': tenant.app_id,
    ...(body ? { 'Content-Type': 'application/json' } : {}),
    ...(path.startsWith('/mcp') ? { Accept: 'application/json, text/event-stream' } : {}),
  };
  const response = await cloud.fetch(path, { method, headers, redirect: 'manual', ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await response.text();
  return { status: response.status, text, all: `${JSON.stringify([...response.headers])}${text}` };
}

/** The content of the stream until the trace of eights appears. */
async function listen({ token, app_id }: TestTenant, meanwhile: () => Promise<void>): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, 'X-Service-App-Id': app_id };
  const response = await shared.cloud.fetch('/v1/viewer/live', { headers });
  const reader = response.body?.getReader();
  let received = '';
  await meanwhile();
  while (reader && !received.includes('8'.repeat(32))) {
    const { value, done } = await reader.read();
    if (done) break;
    received += new TextDecoder().decode(value);
  }
  await reader?.cancel();
  return received;
}

function differenceOf(a: string, b: string): string {
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  const start = Math.max(0, from - 60);
  return `${a.slice(start, from + 100)} instead of ${b.slice(start, from + 100)}`;
}

async function inParallel<T>(all: readonly T[], act: (item: T, index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < all.length; index = next++) await act(all[index] as T, index);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
