/**
 * Filter examples about a whole body (J3 and J13 of docs/reference/filters.md#examples). The local gateway serves no search and answers
 * 501 before it reads a body, so it cannot show them; here the declared routes are mounted as in a gateway that serves search.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway } from '../fixtures/test-gateway.ts';
import { everyoneIsOwner } from '../identity/authenticator.ts';
import { localShares } from '../limits/share-table.ts';
import { silentLog } from '../platform/log.ts';
import { Encoded } from '../telemetry/encoded.ts';
import { createGateway } from './gateway.ts';
import { asPage, defineModule } from './module.ts';
import { Shares } from './shares.ts';

const handledBodies: unknown[] = [];
const searchModule = defineModule({
  group: 'search',
  needs: [],
  build: () => {
    const empty = async (_: unknown, { body }: { body: { limit: number; offset: number } }) => {
      handledBodies.push(body);
      return asPage(body, { data: Encoded.of<never[]>([]), total: 0 });
    };
    return { traces: empty, spans: empty, scores: empty };
  },
});

const routes = ['traces', 'spans', 'scores'].map((resource) => `/v1/${resource}/search`);
let server: Server;

beforeAll(async () => {
  const { listener } = createGateway({
    modules: [searchModule],
    services: { auth: everyoneIsOwner },
    unavailable: 'not_available_on_cloud',
    log: silentLog,
    worker: new URL('../entry/thread.ts', import.meta.url),
    shares: new Shares(localShares(1024)),
    viewerDir: import.meta.dirname,
  });
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function post(url: string, body: string): Promise<[number, string | undefined, string[]]> {
  const response = await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
  const { error } = (await response.json()) as { error?: { code: string; details?: object } };
  return [response.status, error?.code, Object.keys(error?.details ?? {})];
}

const leaf = { field: 'cost', operator: 'gt', value: 1 };
const invalidBodies: [vector: string, body: object, field: string][] = [
  ['J13, a number as text', { limit: '10' }, 'limit'],
  ['J13, an unknown key', { foo: 1 }, '_'],
  ['J3, a group in a group', { filters: [{ or: [{ or: [] }] }] }, 'filters.0'],
  ['J3, a leaf that is a group too', { filters: [{ field: 'model', or: [] }] }, 'filters.0'],
  ['J3, an object for the list', { filters: {} }, 'filters'],
];

describe.each(routes)('POST %s, where search is served', (path) => {
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

  it.each(invalidBodies)('refuses the shape before anything is searched: %s', async (_, body, field) => {
    const count = handledBodies.length;
    const [status, code, fields] = await post(url(), JSON.stringify(body));
    expect([status, code]).toEqual([400, 'invalid_request_body']);
    expect(fields[0]).toMatch(new RegExp(`^${field}`));
    expect(handledBodies.length).toBe(count);
  });

  it('passes a valid body to the handler, with numbers as numbers', async () => {
    expect(await post(url(), JSON.stringify({ limit: 10, filters: [leaf, { or: [leaf] }] }))).toEqual([200, undefined, []]);
    expect(handledBodies.at(-1)).toMatchObject({ limit: 10, offset: 0, sort_order: 'desc', filters: [leaf, { or: [leaf] }] });
  });
});

it('a local gateway answers each of these bodies 501, unread', async () => {
  const gateway = await startTestGateway();
  for (const path of routes) {
    for (const [, body] of invalidBodies)
      expect(await post(gateway.url + path, JSON.stringify(body))).toEqual([501, 'not_available_locally', []]);
  }
  await gateway.stop();
});
