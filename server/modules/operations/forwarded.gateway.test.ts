/** What a gateway forwards to the gateway of a team: stored once however often it is sent, attributed by its key, and logged by batch. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aChat, aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { aDevice, type DeviceProgress } from '../../fixtures/a-device.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';

let cloud: TestCloud;
let tenant: TestTenant;
let other: TestTenant;
let key: string;

beforeAll(async () => {
  cloud = await startTestCloud();
  tenant = cloud.tenant;
  other = await cloud.addTenant('other');
  await tenant.owner.environments.create({ body: { name: 'laptops' } });
  const device = await aDevice(cloud);
  await tenant.owner.deviceSignIn.approve({ body: { user_code: device.user_code, environment_name: 'laptops' } });
  key = ((await device.ask()) as Extract<DeviceProgress, { status: 'linked' }>).key;
});
afterAll(() => cloud.stop());

/** Sends a request as a forwarder does. */
const forward = (path: string, body: object, batch = 'here:1-2', credential = key, appId = tenant.app_id) =>
  cloud.fetch(path, {
    method: 'POST',
    headers: {
      ...{ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', Authorization: credential },
      ...{ 'X-Service-App-Id': appId, 'X-Service-Batch': batch },
    },
    body: new Uint8Array(gzipSync(JSON.stringify(body))),
  });

const logEntries = async (batch: string) => (await tenant.owner.viewer.ingestLog({ query: { search: batch } })).data;

it('a batch that is sent again gets the same answer, changes nothing, and its log entries say how much of it was new', async () => {
  const spans = [aSpan(), aSpan({ status: 'ERROR', statusMessage: 'no' }), aChat()];
  const batch = `here:${crypto.randomUUID()}`;
  const answers: unknown[] = [];
  const names: string[] = [];
  for (let time = 0; time < 3; time++) {
    const response = await forward('/v1/traces', aRequest(spans), batch);
    const body = (await response.json()) as { data: { requestId: string } };
    names.push(response.headers.get('x-request-id') ?? '');
    answers.push([response.status, response.headers.get('content-type'), Object.keys(body), Object.keys(body.data)]);
    expect(body.data.requestId).toBe(names.at(-1));
  }
  expect(answers).toEqual(Array(3).fill([200, 'application/json; charset=utf-8', ['data'], ['requestId']]));
  const entries = (await logEntries(batch)).reverse();
  expect(entries.map(({ id, spans_accepted, spans_duplicate }) => [id, spans_accepted, spans_duplicate])).toEqual(
    names.map((name, time) => (time === 0 ? [name, 3, 0] : [name, 0, 3])),
  );
  expect(entries.every((entry) => entry.batch === batch)).toBe(true);
});

it('an invalid batch name is not logged, and the log of one tenant shows another nothing', async () => {
  const batch = `here:${crypto.randomUUID()}`;
  await forward('/v1/traces', aRequest([aSpan()]), batch);
  expect((await other.owner.viewer.ingestLog({ query: { search: batch } })).data).toEqual([]);
  const long = 'x'.repeat(200);
  await forward('/v1/traces', aRequest([aSpan()]), long);
  await tenant.client.traces.list({});
  expect((await tenant.owner.viewer.ingestLog({ query: { limit: 1 } })).data[0]).toMatchObject({ batch: null, spans_accepted: 1 });
});

it('forwarded spans and scores belong to the environment of the key, whatever they and their sender say', async () => {
  const name = `forwarded ${crypto.randomUUID()}`;
  const attributes = { 'deployment.environment': 'dev', 'deployment.environment.name': 'dev', environment: 'dev' };
  const headers = {
    Authorization: key,
    'X-Service-App-Id': tenant.app_id,
    'X-Service-Environment': 'dev',
    'Content-Type': 'application/json',
  };
  const body = JSON.stringify(aRequest([aChat({ name, attributes })]));
  expect((await cloud.fetch('/v1/traces', { method: 'POST', headers, body })).status).toBe(200);
  const rows = (environment: string) => tenant.owner.traceList.rows({ query: { name, environment } });
  expect([(await rows('laptops')).data.total, (await rows('dev')).data.total]).toEqual([1, 0]);
});

const aScore = (id: string | undefined, parts: object = {}) => ({ id, resource_id: 'r', name: 'tone', score: 1, ...parts });
type Results = { data: { results: { status: string; id: string }[]; summary: { succeeded: number } } };

async function score(scores: object[], by: TestTenant = tenant, credential = by.api_key): Promise<Results['data'] & { status: number }> {
  const response = await forward('/v1/scores/batch', { scores }, 'here:1-1', credential, by.app_id);
  return { status: response.status, ...((await response.json()) as Results).data };
}

const all = async ({ client }: TestTenant, resource_id: string) => (await client.scores.list({ query: { resource_id, limit: 1000 } })).data;

it('scores that are sent again under their ids are stored once, and get the same answer', async () => {
  const resource_id = crypto.randomUUID();
  const scores = Array.from({ length: 20 }, (_, number) => aScore(crypto.randomUUID(), { resource_id, score: number }));
  const first = await score(scores, tenant, key);
  expect([first.status, first.summary.succeeded, new Set(first.results.map(({ id }) => id)).size]).toEqual([201, 20, 20]);
  const stored = await all(tenant, resource_id);
  expect(stored).toHaveLength(20);
  expect(await score(scores, tenant, key)).toEqual(first);
  // In another order, with a new one among them, in capitals, and twice in one batch.
  const more = [aScore(crypto.randomUUID(), { resource_id }), ...scores.toReversed(), { ...scores[0], id: scores[0]?.id?.toUpperCase() }];
  expect((await score(more, tenant, key)).summary.succeeded).toBe(22);
  expect(await all(tenant, resource_id)).toHaveLength(21);
  for (const storedScore of stored) expect(await all(tenant, resource_id)).toContainEqual(storedScore);
});

it('many at once store one', async () => {
  const resource_id = crypto.randomUUID();
  const scores = [aScore(crypto.randomUUID(), { resource_id })];
  const answers = await Promise.all(Array.from({ length: 10 }, () => score(scores)));
  expect(new Set(answers.map(({ results }) => results[0]?.id)).size).toBe(1);
  expect(await all(tenant, resource_id)).toHaveLength(1);
});

it('without an id each is a new score', async () => {
  const resource_id = crypto.randomUUID();
  await score([aScore(undefined, { resource_id }), aScore(undefined, { resource_id })]);
  expect(await all(tenant, resource_id)).toHaveLength(2);
});

it('an id of one app means nothing to another: it is neither taken, nor shown, nor overwritten', async () => {
  const [id, resource_id] = [crypto.randomUUID(), crypto.randomUUID()];
  const { data: app } = await tenant.owner.apps.create({ body: { name: 'beside' } });
  const owner = cloud.as(tenant.token, app.id);
  const created = await owner.apiKeys.create({ body: { name: 'beside', permissions: ['score.write', 'score.read'] } });
  const api_key = created.data.plaintext_key;
  const beside: TestTenant = { ...tenant, app_id: app.id, api_key, owner, client: cloud.as(api_key, app.id) };
  const everybody = [tenant, beside, other];
  const ids: string[] = [];
  for (const [number, team] of everybody.entries())
    ids.push((await score([aScore(id, { resource_id, score: number })], team)).results[0]?.id ?? '');
  expect(new Set([...ids, id]).size).toBe(4);
  for (const [number, team] of everybody.entries()) {
    expect((await all(team, resource_id)).map((stored) => [stored.id, stored.score])).toEqual([[ids[number], number]]);
    // Nor by the stored id of another: to this app it is an id like any other.
    const foreign = ids[(number + 1) % everybody.length] ?? '';
    const answer = await score([aScore(foreign, { resource_id: `${resource_id} again`, score: 9 })], team);
    expect(answer.results[0]?.id).not.toBe(foreign);
  }
  for (const [number, team] of everybody.entries()) expect((await all(team, resource_id)).map((stored) => stored.score)).toEqual([number]);
});

it.each(['mine', '', 7, null, '00000000'])('an id that is not a UUID (%j) is refused, and no other', async (id) => {
  const answer = await score([aScore(id as string), aScore(undefined)]);
  expect([answer.status, answer.results.map(({ status }) => status)]).toEqual([207, ['error', 'success']]);
});
