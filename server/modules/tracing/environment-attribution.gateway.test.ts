/**
 * Which environment writes belong to (docs/reference/access.md#environment-of-a-write), over HTTP: the credential decides, and what spans
 * claim is ignored.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChat, aRequest } from '../../../shared/fixtures/otlp.ts';
import type { EnvironmentKind } from '../../control/environment-store.ts';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { newKeyValue } from '../../identity/key-value.ts';
import { systemClock } from '../../platform/clock.ts';

type Headers = Record<string, string>;

let cloud: TestCloud;
let pinned: string;

/** The environments of the app in addition to `dev`, which every app starts with and which is of the kind `development`. */
const production = 'staging';
const preview = 'preview of 7';
const previewOfNone = 'preview of 0';

beforeAll(async () => {
  cloud = await startTestCloud();
  const { owner } = cloud.tenant;
  await owner.environments.create({ body: { name: production } });
  await owner.environments.create({ body: { name: preview, pr_number: 7 } });
  await owner.environments.create({ body: { name: previewOfNone, pr_number: 0 } });
  const body = { name: 'pinned', permissions: ['trace.write' as const], environment_name: production };
  pinned = (await owner.apiKeys.create({ body })).data.plaintext_key;
  const other = await cloud.addTenant('other');
  await other.owner.environments.create({ body: { name: 'of others' } });
});
afterAll(() => cloud.stop());

/** A key for kinds of environments, as the dashboard creates it. */
async function keyOf(...environment_kinds: EnvironmentKind[]): Promise<string> {
  const { tenant_id, app_id } = cloud.tenant;
  const control = openSqliteControl(cloud.dataDir, systemClock);
  const { value, digest, key_prefix } = newKeyValue();
  const draft = { name: crypto.randomUUID(), permissions: ['trace.write'], environment_id: null, environment_kinds, run_id: null } as const;
  const actor = { kind: 'system', id: 'test', ip: null } as const;
  await control.keys.create(actor, { tenant_id, app_id }, { ...draft, expires_at: null, digest, key_prefix }, null);
  await control.stop();
  return value;
}

const claims = ['deployment.environment', 'deployment.environment.name', 'environment', 'agentmark.environment', 'langfuse.environment'];

/** Sends a call that claims to be of `dev`; returns the environments that its trace is then found in. */
async function environmentsAfter(authorization: string, headers: Headers = {}): Promise<string[]> {
  const name = `call ${crypto.randomUUID()}`;
  const attributes = Object.fromEntries(claims.map((key) => [key, 'dev']));
  const response = await cloud.fetch('/v1/traces', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: authorization, 'X-Service-App-Id': cloud.tenant.app_id, ...headers },
    body: JSON.stringify(aRequest([aChat({ name, attributes })])),
  });
  expect([response.status, await response.json()]).toEqual([200, { data: { requestId: expect.any(String) } }]);
  const { client } = cloud.tenant;
  expect((await client.traceList.rows({ query: { name } })).data.total).toBe(1);
  const { facets } = (await client.traceList.facets({ query: { name } })).data;
  const found = facets.find((facet) => facet.name === 'environment')?.values.map(({ value }) => value) ?? [];
  for (const environment of found) expect((await client.traceList.rows({ query: { name, environment } })).data.total).toBe(1);
  return found;
}

const environmentHeader = (name: string): Headers => ({ 'X-Service-Environment': name });
const pullRequestHeader = (number: string): Headers => ({ 'X-Service-Pr-Number': number });

it.each([
  ['nothing', {}],
  ['another environment', environmentHeader('dev')],
  ['an unknown environment', environmentHeader('nowhere')],
  ['a pull request', pullRequestHeader('7')],
  ['both', { ...environmentHeader('dev'), ...pullRequestHeader('0') }],
])('a pinned key writes to its environment when %s is named', async (_, headers) => {
  expect(await environmentsAfter(pinned, headers)).toEqual([production]);
});

describe('a key for kinds of environments', () => {
  const all = ['development', 'preview', 'production'] as const;

  it.each<[string, readonly EnvironmentKind[], Headers, string[]]>([
    ['that is named', all, environmentHeader(production), [production]],
    ['that is named as other SDKs do', all, { 'X-AgentMark-Environment': production }, [production]],
    ['of a pull request', all, pullRequestHeader('7'), [preview]],
    ['of a pull request that other SDKs name', all, { 'X-AgentMark-Pr-Number': '7' }, [preview]],
    ['of a pull request before one that is named', all, { ...environmentHeader(production), ...pullRequestHeader('7') }, [preview]],
    ['of pull request 0, which is one', all, { ...environmentHeader(production), ...pullRequestHeader('0') }, [previewOfNone]],
    ['of its one kind', ['production'], environmentHeader(production), [production]],
    ['that is the default, by name', ['development'], environmentHeader('dev'), ['dev']],
    ['that is a preview, by name', ['preview'], environmentHeader(preview), [preview]],
  ])('writes to one %s', async (_, kinds, headers, expected) => {
    expect(await environmentsAfter(await keyOf(...kinds), headers)).toEqual(expected);
  });

  it.each<[string, readonly EnvironmentKind[], Headers]>([
    ['nothing is named', all, {}],
    ['there is none of that name', all, environmentHeader('nowhere')],
    ['the name is in another case', all, environmentHeader(production.toUpperCase())],
    ['the name is empty', all, environmentHeader('')],
    ['the name is another tenant’s', all, environmentHeader('of others')],
    ['it is of another kind', ['development', 'preview'], environmentHeader(production)],
    ['it is the default one, of another kind', ['production'], environmentHeader('dev')],
    ['the pull request is of another kind', ['development', 'production'], pullRequestHeader('7')],
    ['the pull request has no preview, whatever is named', all, { ...environmentHeader(production), ...pullRequestHeader('8') }],
    ['the pull request is not a number', all, { ...environmentHeader(production), ...pullRequestHeader('seven') }],
    ['the pull request is negative', all, { ...environmentHeader(production), ...pullRequestHeader('-7') }],
    ['two names are sent', all, { ...environmentHeader(production), 'X-AgentMark-Environment': 'dev' }],
  ])('writes to none when %s, and the write is kept', async (_, kinds, headers) => {
    expect(await environmentsAfter(await keyOf(...kinds), headers)).toEqual([]);
  });
});

it.each<[string, Headers, string]>([
  ['the one that is named', environmentHeader(production), production],
  ['the default one when none is named', {}, 'dev'],
  ['the default one when there is none of that name', environmentHeader('nowhere'), 'dev'],
])('a login writes to %s', async (_, headers, expected) => {
  expect(await environmentsAfter(`Bearer ${cloud.tenant.token}`, headers)).toEqual([expected]);
});

it('bodies do not determine the owner of a write', async () => {
  const { app_id, api_key, client } = cloud.tenant;
  const traceId = 'd'.repeat(32);
  const stolen = { tenant_id: 'x', app_id: 'x', environment: 'dev', role: 'owner' };
  const body = { ...aRequest([{ ...aChat({ traceId }), ...stolen }]), ...stolen };
  const headers = { 'Content-Type': 'application/json', Authorization: api_key, 'X-Service-App-Id': app_id };
  expect((await cloud.fetch('/v1/traces', { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(200);
  expect((await client.traces.get({ params: { traceId } })).data.id).toBe(traceId);
});
