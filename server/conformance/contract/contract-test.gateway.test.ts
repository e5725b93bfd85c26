/** The contract test detects every deviation, shown on a small server that breaks its own document in every way. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { readPublishedApi } from '../published/published-api.ts';
import { type ContractReport, runContractTest } from './contract-test.ts';
import { healthy, type Trigger } from './trigger.ts';

const json = { 'application/json': { schema: { type: 'object', required: ['data'], properties: { data: { type: 'integer' } } } } };
const error = { 'application/json': { schema: { type: 'object', required: ['error'] } } };
const document = {
  paths: {
    '/v1/owls': {
      get: {
        operationId: 'list-owls',
        responses: {
          200: { description: '', 'x-answers': { reply: 'both' }, content: json },
          404: { description: '', 'x-answers': { owl_not_found: 'both', cage_not_found: 'cloud' }, content: error },
        },
      },
      delete: { operationId: 'free-owls', responses: { 204: { description: '', 'x-answers': { reply: 'both' } } } },
    },
  },
  components: { schemas: {} },
};

let server: Server | null = null;
afterEach(() => server?.close());

type Serve = (response: ServerResponse, query: string) => void;

const respond =
  (status: number, body: unknown, type = 'application/json'): Serve =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
const refuse = (status: number, code: string): Serve => respond(status, { error: { code } });

const responses: Record<string, Serve> = {
  list: respond(200, { data: 1 }),
  missing: refuse(404, 'owl_not_found'),
  free: (response) => void response.writeHead(204).end(),
};

const triggers: Trigger[] = [
  { call: 'GET /v1/owls', query: 'list', status: 200 },
  { call: 'GET /v1/owls', query: 'missing', status: 404, code: 'owl_not_found' },
  { call: 'DELETE /v1/owls', query: 'free', status: 204, type: '' },
];

async function reportOf(serve: Record<string, Serve> = {}, sent = triggers, target: 'local' | 'cloud' = 'local'): Promise<ContractReport> {
  const answers: Record<string, Serve> = { ...responses, 'all=1': respond(200, document), ...serve };
  server = createServer(({ url = '' }, response) => answers[url.split('?')[1] ?? url]?.(response, url)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return runContractTest(await readPublishedApi(url), target, { [healthy]: { url, records: {} } }, sent);
}

it('finds nothing when every declared answer is given as declared', async () => {
  expect(await reportOf()).toEqual({ declared: 3, missing: [], problems: [] });
});

it('finds a property that the document does not declare, although clients must ignore it', async () => {
  const { problems } = await reportOf({ list: respond(200, { data: 1, more: 2 }) });
  expect(problems).toEqual([expect.stringContaining('must NOT have additional properties')]);
});

it('names the answers that nobody triggered', async () => {
  expect((await reportOf({}, triggers.slice(0, 1))).missing).toEqual([
    'GET /v1/owls 404 owl_not_found',
    'DELETE /v1/owls 204 without a body',
  ]);
});

it('requires of each kind of gateway the answers that are declared for it', async () => {
  expect((await reportOf({}, triggers, 'cloud')).missing).toEqual(['GET /v1/owls 404 cage_not_found']);
  expect((await reportOf({ missing: refuse(404, 'cage_not_found') })).problems).toContain(
    'GET /v1/owls at healthy: 404 cage_not_found is not declared for local gateways',
  );
});

it.each<[what: string, query: string, serve: Serve, problem: string]>([
  ['a status that is not declared', 'missing', refuse(500, 'internal_error'), '500 internal_error is not declared for local gateways'],
  ['a code that is not declared', 'missing', refuse(404, 'nest_not_found'), '404 nest_not_found is not declared for local gateways'],
  ['a body of another schema', 'list', respond(200, { data: 'one' }), 'the body/data must be integer'],
  [
    'a body that is not JSON',
    'list',
    (response) => response.setHeader('content-type', 'application/json').end('{'),
    'the body cannot be read',
  ],
  ['another media type', 'list', respond(200, { data: 1 }, 'text/html'), 'text/html is not declared for 200'],
  ['no media type', 'list', (response) => response.end('{"data":1}'), 'no type is not declared for 200'],
  ['another answer, though declared', 'missing', respond(200, { data: 1 }), 'got 200 application/json, not 404 owl_not_found'],
])('refuses %s', async (_, query, serve, problem) => {
  const { problems } = await reportOf({ [query]: serve });
  expect(problems.join('\n')).toContain(problem);
});

it('refuses triggers for unknown operations and unknown fixtures', async () => {
  const { problems } = await reportOf({}, [
    ...triggers,
    { call: 'GET /v1/cats', status: 200 },
    { call: 'GET /v1/owls', at: 'night', status: 200 },
  ]);
  expect(problems).toEqual([
    'GET /v1/cats at healthy: the document has no such operation',
    'GET /v1/owls at night: there is no such fixture',
  ]);
});
