import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, requestText } from '../fixtures/raw-socket.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import { isViewerPage } from './viewer-pages.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = html) => gateway.fetch(path, { headers, redirect: 'manual' });

it.each(['/traces', '/traces/0af7651916cd43dd8448eb211c80319c?span=b7ad6b7169203331', '/sessions/a%20b', '/settings/keys'])(
  '%s, typed into a browser, is redirected to the page',
  async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('location')]).toEqual([302, `/#${path}`]);
  },
);

/** Status of a request as a browser sends it: `fetch` has Sec-Fetch headers of its own. */
const statusFor = async (dest: string, mode: string) => {
  const sent = [`Host: localhost:${gateway.port}`, `Accept: ${html.Accept}`, 'Sec-Fetch-Site: cross-site'];
  const request = requestText('GET /traces/x', [...sent, `Sec-Fetch-Mode: ${mode}`, `Sec-Fetch-Dest: ${dest}`]);
  return (await exchange(gateway.port, request))?.status;
};

it('a link from another site is redirected too, a frame or a script is not', async () => {
  expect(await statusFor('document', 'navigate')).toBe(302);
  expect(await statusFor('iframe', 'navigate')).toBe(403);
  expect(await statusFor('empty', 'cors')).toBe(403);
});

it.each([
  ['a program', '/traces', { Accept: 'application/json' }],
  ['a page that does not exist', '/tracesx', html],
  ['a page name below another path', '/v1/traces/', html],
  ['a host in the place of a page', '//traces', html],
] as const)('%s gets the answer of the API', async (_, path, headers) => {
  const response = await get(path, headers);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
});

it('knows every page of the viewer', () => {
  const routers = ['router.tsx', 'settings-routes.tsx'].map((name) => readFileSync(`renderer/app/${name}`, 'utf8'));
  const paths = routers.flatMap((text) => [...text.matchAll(/path: '(\/[^']+)'/g)].map(([, path]) => path ?? ''));
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !isViewerPage(path))).toEqual([]);
});
