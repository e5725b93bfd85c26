import { afterAll, beforeAll, expect, it } from 'vitest';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const { client, fetch, unseen } = contractClient(() => gateway);

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.stop());

it('health says ok, without an envelope', async () => {
  expect(await client.platform.health()).toEqual({ status: 'ok' });
});

it('capabilities name the gateway, the address that was asked, and its limits', async () => {
  const capabilities = await client.platform.capabilities();
  expect(capabilities).toMatchObject({ target: 'local', url: gateway.url, instance: gateway.gateway.instance });
  expect(capabilities.limits).toMatchObject({ bodyBytesMax: 20 * 1024 * 1024 });
  const byName = (await (await globalThis.fetch(`http://localhost:${gateway.port}/v1/capabilities`)).json()) as { url: string };
  expect(byName.url).toBe(`http://localhost:${gateway.port}`);
});

it('capabilities have every published key, true for what is served here', async () => {
  const { endpoints } = await client.platform.capabilities();
  expect(Object.keys(endpoints)).toEqual(
    expect.arrayContaining([
      'traces',
      'spans',
      'sessions',
      'scores',
      'score_analytics',
      'metrics',
      'experiments',
      'datasets',
      'prompts',
      'runs',
      'pricing',
    ]),
  );
  expect(endpoints).toMatchObject({ traces: true, spans: true, sessions: true, runs: true, pricing: true });
  expect(endpoints).toMatchObject({
    score_analytics: false,
    metrics: false,
    search: false,
    span_detail: false,
    api_keys: false,
    connect: false,
  });
});

it('the OpenAPI document describes this address, with ids that name each operation once', async () => {
  const document = (await client.platform.openapi()) as unknown as {
    openapi: string;
    info: { version: string };
    servers: { url: string }[];
    paths: Record<string, Record<string, { operationId: string; summary: string; deprecated?: boolean }>>;
  };
  expect([document.openapi, document.info.version, document.servers]).toEqual(['3.1.0', '1.0', [{ url: gateway.url }]]);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { operationId, summary } of operations) {
    expect(operationId).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(summary).not.toBe('');
  }
  expect(operations.filter(({ deprecated }) => deprecated).map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining(['get-trace-graph', 'list-session-traces', 'list-run-traces']),
  );
});

it('the document is compressed in the best coding that is accepted, and not sent again to a client that has it', async () => {
  const ask = (headers: Record<string, string>) => fetch('/v1/openapi.json', { headers });
  const plain = await ask({ 'Accept-Encoding': 'identity' });
  const text = await plain.text();
  for (const [accepted, coding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
  ] as const) {
    const compressed = await ask({ 'Accept-Encoding': accepted });
    expect([compressed.headers.get('Content-Encoding'), compressed.headers.get('Vary')]).toEqual([coding, 'Accept-Encoding']);
    expect(Number(compressed.headers.get('Content-Length'))).toBeLessThan(text.length / 5);
    expect(await compressed.text()).toBe(text);
    const again = await ask({ 'Accept-Encoding': accepted, 'If-None-Match': String(compressed.headers.get('ETag')) });
    expect([again.status, await again.text(), again.headers.get('ETag')]).toEqual([304, '', compressed.headers.get('ETag')]);
  }
  const full = await fetch('/v1/openapi.json?all=1', { headers: { 'If-None-Match': String(plain.headers.get('ETag')) } });
  expect(full.status).toBe(200);
  expect((await fetch('/v1/openapi.json?all=no')).status).toBe(400);
});

it('only the full document has the operations of the viewer', async () => {
  const idsOf = ({ paths }: { paths: Record<string, Record<string, { operationId: string; 'x-internal'?: true }>> }) =>
    Object.values(paths).flatMap((methods) => Object.values(methods));
  const full = idsOf(await (await fetch('/v1/openapi.json?all=1')).json());
  const forClients = idsOf(await (await fetch('/v1/openapi.json')).json());
  const internal = full.filter((operation) => operation['x-internal']).map(({ operationId }) => operationId);
  expect(internal).toEqual(expect.arrayContaining(['viewer-live', 'viewer-media', 'join-tenant', 'finish-openid-sign-in']));
  expect(forClients.map(({ operationId }) => operationId)).toEqual(
    full.map(({ operationId }) => operationId).filter((id) => !internal.includes(id)),
  );
});

it('a local gateway ignores credentials', async () => {
  const response = await fetch('/v1/capabilities', { headers: { Authorization: 'Bearer nonsense', 'X-Service-App-Id': 'nobody' } });
  expect(response.status).toBe(200);
});

it('tells coding agents in plain text how to use this gateway', async () => {
  const answer = await fetch('/llms.txt');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const guide = await answer.text();
  for (const part of [`OTEL_EXPORTER_OTLP_ENDPOINT=${gateway.url}`, `${gateway.url}/mcp`, 'last_run']) expect(guide).toContain(part);
});

it('every declared answer of these routes was received', () => {
  expect(unseen('platform')).toEqual([]);
});
