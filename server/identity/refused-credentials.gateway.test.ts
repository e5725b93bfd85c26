/** The refusal of a credential says what to send instead, and on a route for people that keys are not accepted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyRoute } from '../app/openapi.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';

let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud();
});

afterAll(() => cloud.stop());

interface Refusal {
  status: number;
  error: { code: string; message: string; required_permission?: string };
}

async function refused(path: string, authorization: string | null, method = 'GET'): Promise<Refusal> {
  const headers = { 'X-Service-App-Id': cloud.tenant.app_id, ...(authorization === null ? {} : { Authorization: authorization }) };
  const response = await cloud.fetch(path, { method, headers });
  return { status: response.status, ...((await response.json()) as Pick<Refusal, 'error'>) };
}

describe('a 401 says what to send instead', () => {
  it.each(['/v1/traces', '/v1/logs'])('POST %s with the word Bearer before the key', async (path) => {
    const { status, error } = await refused(path, `Bearer ${cloud.tenant.api_key}`, 'POST');
    expect([status, error.message]).toEqual([401, expect.stringContaining('Send the key without Bearer')]);
  });

  it('without any credential', async () => {
    expect((await refused('/v1/traces', null)).error.message).toContain('There is no Authorization header');
  });

  it.each(['sk_service_nobody', 'Basic abc', 'Bearer nobody'])('%s is refused as invalid, without details', async (sent) => {
    expect((await refused('/v1/traces', sent)).error.message).toBe('The Authorization header holds no API key or login that is valid');
  });
});

describe('a key of full access on a route for people', () => {
  const forPeople = everyRoute.filter(({ credential }) => credential === 'session');

  it('there are such routes, with permissions and without', () => {
    expect(new Set(forPeople.map(({ permission }) => permission)).size).toBeGreaterThan(2);
  });

  it.each(forPeople.map(({ method, path }) => [method, path] as const))('%s %s says that keys are not accepted', async (method, path) => {
    const here = path.replace(':appId', cloud.tenant.app_id).replace(/:\w+/g, crypto.randomUUID());
    const { status, error } = await refused(here, cloud.tenant.api_key, method);
    expect([status, error.code, error.message]).toEqual([403, 'forbidden', 'This is for signed-in users, not for keys']);
    expect(error).not.toHaveProperty('required_permission');
  });
});
