/** JSON bodies over HTTP: each route has a size limit, and large bodies get the same answers as small ones. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { bodyLimitOf, bodyLimits } from '../../shared/contract/core/body-limit.ts';
import type { Route } from '../../shared/contract/core/route.ts';
import { contract } from '../../shared/contract/index.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';

const routes = Object.values(contract)
  .flatMap((group) => Object.values<Route>(group))
  .filter(({ body, takes, wire, only }) => body && !takes && wire !== 'otlp' && only !== 'local');
const publicRoutes = routes.filter(({ permission }) => permission === 'public');
const json = { 'Content-Type': 'application/json' };
const gzipped = { ...json, 'Content-Encoding': 'gzip' };

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ signInsPerMinute: 10_000, threadEntry: new URL('../fixtures/crashing-body-reader.ts', import.meta.url) });
});
afterAll(() => cloud.stop());

interface Refusal {
  error: { code: string; message: string; details?: Record<string, string>; limit?: number };
}

async function send(path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json, method = 'POST') {
  const { api_key, app_id } = cloud.tenant;
  const credentials = { Authorization: api_key, 'X-Service-App-Id': app_id };
  const response = await cloud.fetch(path, { method, body, headers: { ...credentials, ...headers } });
  return { status: response.status, retry: response.headers.get('retry-after'), body: (await response.json()) as Refusal };
}

const pathOf = ({ path }: Route) => path.replace(/:\w*[iI]d\b/g, '00000000-0000-4000-8000-000000000000').replace(/:\w+/g, 'a');
const gzip = (text: string) => new Uint8Array(gzipSync(text));
const blanks = (size: number) => `${' '.repeat(size - 2)}{}`;

describe('every declaration', () => {
  test.each(routes.map((route) => [route.id, route] as const))('of %s takes at most 10 MiB', (_, route) => {
    expect(bodyLimitOf(route).bytes).toBeLessThanOrEqual(bodyLimits.maximum);
  });

  it('of a route that anybody may call takes a few kilobytes, without compression', () => {
    expect(publicRoutes.length).toBeGreaterThan(3);
    for (const route of publicRoutes) expect(bodyLimitOf(route)).toMatchObject({ bytes: bodyLimits.credential, gzip: false });
  });
});

describe.each(publicRoutes.map(({ path }) => [path]))('%s, which anybody may call', (path) => {
  it('refuses compressed bodies before it inflates them', async () => {
    const { status, body } = await send(path, gzip(`[${'{"a":0},'.repeat(1000)}0]`), gzipped);
    expect([status, body.error.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('refuses a byte too many', async () => {
    const { credential: limit } = bodyLimits;
    expect((await send(path, blanks(limit))).status).toBe(400);
    expect((await send(path, blanks(limit + 1))).body.error).toMatchObject({ code: 'payload_too_large', limit });
  });
});

/** Routes that take an API key. They answer 501 where a deployment lacks what they need. */
const keyRoutes = routes.filter(({ permission, credential }) => permission !== 'public' && credential !== 'session');

describe('every route that takes a key', () => {
  test.each(keyRoutes.map((route) => [route.id, route] as const))('%s enforces its limit, compressed or not', async (_, route) => {
    const limit = bodyLimitOf(route);
    const overLimit = await send(pathOf(route), blanks(limit.bytes + 1), json, route.method);
    if (overLimit.status === 501) return;
    expect(overLimit.body.error).toMatchObject({ code: 'payload_too_large', limit: limit.bytes });
    const bomb = await send(pathOf(route), gzip(blanks(limit.bytes + 1)), gzipped, route.method);
    expect(bomb.body.error.code).toBe(limit.gzip ? 'payload_too_large' : 'unsupported_media_type');
    const many = await send(pathOf(route), `[${'0,'.repeat(Math.min(limit.values, limit.bytes / 2 - 2))}0]`, json, route.method);
    expect(many.body.error.code).toBe('invalid_request_body');
  });
});

describe('a body that is read in the thread', () => {
  const path = '/v1/evals/runs/none/trials';
  const trials = [
    { trials: [{ task_id: 'a', status: 'passed' }] },
    { trials: [{ task_id: 'a', status: 'other' }] },
    { trials: [{ task_id: '', status: 'passed', trial_index: -1, metadata: { a: 'x'.repeat(20_000) } }] },
    { trials: [] },
    { other: 1 },
  ];
  const texts = [...trials.map((body) => JSON.stringify(body)), '[]', '{"trials":', '"\ud800"', '\u0000', '['.repeat(200)];

  /** Trailing blanks make a body large and change nothing else. */
  const padded = (text: string) => `${text}${' '.repeat(bodyLimits.standard + 1)}`;

  test.each(texts.map((text) => [text.slice(0, 60), text]))('%s is answered as if it were small', async (_, text) => {
    const small = await send(path, text);
    expect(small.body.error).toBeDefined();
    const large = await send(path, padded(text));
    expect([large.status, large.body]).toEqual([small.status, small.body]);
    const gzippedLarge = await send(path, gzip(padded(text)), gzipped);
    expect([gzippedLarge.status, gzippedLarge.body]).toEqual([small.status, small.body]);
  });

  it('is answered as if it were small, whatever it is', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.record({ trials: fc.array(fc.record({ task_id: fc.string(), status: fc.jsonValue() })) }));
    await fc.assert(
      fc.asyncProperty(value, async (body) => {
        const text = JSON.stringify(body);
        const [small, large] = [await send(path, text), await send(path, padded(text))];
        expect([large.status, large.body]).toEqual([small.status, small.body]);
      }),
      { numRuns: 40 },
    );
  });

  it('reaches its handler whole: what was stored can be read', async () => {
    const { client, api_key, app_id } = cloud.tenant;
    const run = (await client.evals.createRun({ body: {} })).data;
    const sent = Array.from({ length: 300 }, (_, index) => ({
      ...{ task_id: `task ${index}`, trial_index: 0, status: 'passed' as const },
      ...{ error: 'é'.repeat(5_000), metadata: { list: [index, null, { deep: 'x'.repeat(9_000) }] } },
    }));
    const post = () => cloud.as(api_key, app_id).evals.addTrials({ params: { runId: run.id }, body: { trials: sent } });
    expect((await post()).data).toEqual({ added: 300, updated: 0 });
    expect((await post()).data).toEqual({ added: 0, updated: 300 });
    const page = (offset: number) => client.viewerEvals.trials({ params: { runId: run.id }, query: { limit: 100, offset } });
    const pages = await Promise.all([0, 100, 200].map(page));
    const data = pages.flatMap(({ data }) => data);
    expect(data.map(({ task_id, error, metadata }) => ({ task_id, error, metadata })).sort(byTask)).toEqual(
      sent.map(({ task_id, error, metadata }) => ({ task_id, error, metadata })).sort(byTask),
    );
  });

  it('that crashes the thread is answered 503, and the next one is read', async () => {
    const deadly = await send(path, padded('{"deadly":1}'));
    expect([deadly.status, deadly.body.error.code, deadly.retry]).toEqual([503, 'service_unavailable', '1']);
    const next = await send(path, padded('{"other":1}'));
    expect(next.body.error.code).toBe('invalid_request_body');
  });

  it('waits in a queue that is limited in bytes: more is answered 503 with Retry-After', async () => {
    const body = `${' '.repeat(bodyLimits.maximum - 2)}{}`;
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(path, body).catch(() => null)));
    const codes = answers.flatMap((answer) => (answer ? [answer.body.error.code] : []));
    expect(codes).toContain('invalid_request_body');
    expect(codes).toContain('service_unavailable');
    expect((await send(path, padded('{}'))).body.error.code).toBe('invalid_request_body');
  });
});

const byTask = (a: { task_id: string }, b: { task_id: string }) => (a.task_id < b.task_id ? -1 : 1);
