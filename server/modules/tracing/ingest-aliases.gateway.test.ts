import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRequest, aSpan, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { requestBytes } from '../../../shared/fixtures/otlp-protobuf.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const prefixes = ['/otel', '/api/public/otel'];
const asJson = { 'Content-Type': 'application/json' };
const post = (path: string, body: string, headers: Record<string, string> = asJson) =>
  gateway.fetch(path, { method: 'POST', headers, body });

describe('paths of other backends', () => {
  it.each([...prefixes.map((prefix) => `${prefix}/v1/traces`), '/v1/traces/', '/otel/v1/traces//', '/v1/traces/?source=x'])(
    'spans that are sent to %s are stored',
    async (path) => {
      const traceId = aTraceId();
      const response = await post(path, JSON.stringify(aRequest([aSpan({ traceId })])));
      expect(response.status).toBe(200);
      expect((await gateway.client.traces.get({ params: { traceId }, query: {} })).data.spans).toHaveLength(1);
    },
  );

  it('protobuf is answered in protobuf there, failures too', async () => {
    const headers = { 'Content-Type': 'application/x-protobuf' };
    const body = requestBytes(aRequest([aSpan()]));
    const accepted = await gateway.fetch('/api/public/otel/v1/traces', { method: 'POST', headers, body: new Uint8Array(body) });
    expect([accepted.status, accepted.headers.get('content-type')]).toEqual([200, 'application/x-protobuf']);
    const refused = await post('/api/public/otel/v1/traces', 'no protobuf', headers);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/x-protobuf']);
  });

  it.each(['', ...prefixes].flatMap((prefix) => [`${prefix}/v1/logs/`, `${prefix}/v1/metrics/`]))('%s accepts its signal', async (path) => {
    expect((await post(path, '{}')).status).toBe(200);
  });

  it.each([...prefixes.map((prefix) => `${prefix}/v1/traces`), '/v1/traces/'])('nothing can be read from %s', async (path) => {
    const response = await gateway.fetch(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
  });

  it.each(['/otel/v1/scores', '/x/otel/v1/traces', '/otel//v1/traces', '/otel/v1/traces/x', '/otel/v1/tracesx'])(
    '%s is not an alias of an ingest route',
    async (path) => {
      expect((await post(path, '{}')).status).toBe(404);
    },
  );

  it('a page on another port may send there as to the routes themselves', async () => {
    const origin = 'http://localhost:3000';
    const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' };
    const preflight = await gateway.fetch('/api/public/otel/v1/traces', { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    const sent = await post('/api/public/otel/v1/traces', JSON.stringify(aRequest([aSpan()])), { ...asJson, Origin: origin });
    expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect((await post('/otel/v1/metrics', '{}', { ...asJson, Origin: origin })).status).toBe(403);
  });
});
