/** A cloud whose deployment runs no coding agents: its routes exist, and only those that would start an agent answer that none is configured. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyRoute } from '../../app/openapi.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { scriptedAgents } from '../../fixtures/scripted-runtime.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { plansWith } from '../../limits/plan-table.ts';

let cloud: TestCloud;
let existing: { envId: string; runId: string };
let reader: string;

const task = { task_prompt: 'wait' };

beforeAll(async () => {
  cloud = await startTestCloud();
  reader = (await addMember(cloud, cloud.tenant, 'reader@acme.test', 'read')).token;
  await cloud.restart({ options: { codingAgents: scriptedAgents() } });
  const { data } = await cloud.tenant.owner.workerEnvironments.create({ body: task });
  existing = { envId: data.environment_id, runId: data.run_id };
  await cloud.restart();
});

afterAll(() => cloud.stop());

const unknownIds = { envId: crypto.randomUUID(), runId: crypto.randomUUID() };

async function ask(method: string, path: string, ids = existing, { token, body }: { token?: string | null; body?: unknown } = {}) {
  const credential = token === undefined ? cloud.tenant.token : token;
  const response = await cloud.fetch(path.replace(':envId', ids.envId).replace(':runId', ids.runId), {
    method,
    headers: {
      'X-Service-App-Id': cloud.tenant.app_id,
      'Content-Type': 'application/json',
      ...(credential === null ? {} : { Authorization: `Bearer ${credential}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { error, data } = (await response.json()) as { error?: { code: string; message: string }; data?: unknown };
  return { status: response.status, code: error?.code ?? null, message: error?.message ?? '', data, headers: response.headers };
}

const routes = everyRoute
  .filter(({ path }) => /^\/v1\/workers\//.test(path))
  .map(({ method, path, permission }) => ({ method, path, permission, name: `${method} ${path}` }));
const dispatching = routes.filter(({ method, path }) => method === 'POST' && !path.endsWith('/cancel'));

it('these are the routes', () => {
  expect(routes.length).toBe(12);
  expect(dispatching.map(({ path }) => path)).toEqual([
    '/v1/workers/runs',
    '/v1/workers/environments',
    '/v1/workers/environments/:envId/turns',
  ]);
});

describe.each(routes)('$name', ({ method, path, permission }) => {
  it('asks for a credential first, then for the permission', async () => {
    const invalidBody = method === 'GET' ? {} : { body: { x: 1 } };
    expect(await ask(method, path, existing, { token: null, ...invalidBody })).toMatchObject({ status: 401, code: 'unauthorized' });
    const asReader = await ask(method, path, unknownIds, { token: reader, ...invalidBody });
    if (permission === 'worker.run') expect(asReader).toMatchObject({ status: 403, code: 'forbidden' });
    else expect([200, 404]).toContain(asReader.status);
  });
});

describe.each(routes.filter(({ path }) => path.includes(':')))('$name', ({ method, path }) => {
  it('answers 404 for an unknown id', async () => {
    const { status, code } = await ask(method, path, unknownIds, { body: method === 'POST' ? task : undefined });
    expect([status, code]).toEqual([404, path.includes(':envId') ? 'worker_environment_not_found' : 'worker_run_not_found']);
  });
});

describe.each(dispatching)('$name would start an agent', ({ method, path }) => {
  it('validates the body first', async () => {
    expect(await ask(method, path, existing, { body: {} })).toMatchObject({ status: 400, code: 'invalid_request_body' });
  });

  it('is 503 without a time to retry, and names the document', async () => {
    const { status, code, message, headers } = await ask(method, path, existing, { body: task });
    expect([status, code, headers.get('Retry-After')]).toEqual([503, 'workers_not_configured', null]);
    expect(message).toContain('docs/coding-agents.md');
  });
});

it('a plan without coding agents says so', async () => {
  await cloud.restart({ options: { planTable: plansWith({ enterprise: { workers_enabled: false } }) } });
  expect(await ask('POST', '/v1/workers/runs', existing, { body: task })).toMatchObject({ status: 402, code: 'entitlement_required' });
  await cloud.restart();
});

it('capabilities say that none are run, and earlier runs can be read, cancelled and closed', async () => {
  expect((await cloud.tenant.owner.platform.capabilities()).endpoints).toMatchObject({ workers: false });
  for (const { method, path } of routes.filter((route) => route.method === 'GET')) expect((await ask(method, path)).status, path).toBe(200);
  expect((await ask('GET', '/v1/workers/runs')).data).toMatchObject([{ run_id: existing.runId }]);
  await ask('POST', '/v1/workers/runs/:runId/cancel');
  const { status } = await cloud.fetch(`/v1/workers/environments/${existing.envId}`, {
    method: 'DELETE',
    headers: { 'X-Service-App-Id': cloud.tenant.app_id, Authorization: `Bearer ${cloud.tenant.token}` },
  });
  expect(status).toBe(204);
});
