/** What all answers have in common: error envelope, status and headers. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { exchange, requestText } from '../fixtures/raw-socket.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import { everyRoute } from './openapi.ts';

const traceId = 'c'.repeat(32);
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.ingest(aRequest([aSpan({ traceId, attributes: { 'session.id': 'a/b c' } })]));
});
afterAll(() => gateway.stop());

const raw = async (line: string, ...headers: string[]) => {
  const answer = await exchange(gateway.port, requestText(line, [`Host: localhost:${gateway.port}`, ...headers]));
  if (!answer) throw new Error(`no answer to ${line}`);
  return answer;
};
const errorIn = ({ body }: { body: string }) => (JSON.parse(body) as { error: { code: string; message: string; details?: object } }).error;

describe('what is not there', () => {
  test.each([
    ...[
      'GET /v1/nope',
      'GET /v1',
      'GET /v1/',
      'GET /V1/traces',
      'GET /v1/traces/',
      'GET /v1//traces',
      'GET /nope.html',
      'GET /favicon.ico',
    ],
    ...[
      'PATCH /v1/traces',
      'DELETE /v1/traces',
      'PUT /v1/spans',
      'POST /v1/spans',
      'POST /health',
      'POST /',
      'OPTIONS /v1/traces',
      'TRACE /',
    ],
    ...[
      'GET /.git/config',
      'GET /../package.json',
      'GET /%2e%2e/package.json',
      'GET /..%2fpackage.json',
      'GET /..%5cpackage.json',
      'GET /%00',
    ],
    ...['GET /v1/..%2F', 'GET /v1/..%2F../', 'GET /v1/../', 'GET /./', 'GET //', 'GET /v1/..%5c', 'GET /%69ndex.html'],
    ...['GET /assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd', 'GET /v1/traces/x/y/z', 'PROPFIND /v1/traces', 'OPTIONS *'],
  ])('is not_found in the envelope, path and method alike: %s', async (line) => {
    const answer = await raw(line);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(errorIn(answer)).toEqual({ code: 'not_found', message: expect.stringContaining(line.split(' ')[0] as string) });
  });

  it('is reported without the query, which may contain secrets', async () => {
    expect((await raw('GET /v1/nope?api_key=hidden')).body).not.toContain('hidden');
  });

  test.each([
    'GET /%',
    'GET /v1/%zz',
    'GET /v1/traces/%ff',
    'GET /v1/traces/%c0%ae',
    'GET /v1/traces/a%',
    'GET /v1/sessions/%e0%a4/traces',
  ])('is 400 where the percent-encoding is broken: %s', async (line) => {
    const answer = await raw(line);
    expect([answer.status, errorIn(answer)]).toEqual([
      400,
      { code: 'invalid_path_params', message: 'Invalid path parameters', details: { _: 'is not valid percent-encoding' } },
    ]);
  });

  it('has a code of its own for a missing record', async () => {
    expect(errorIn(await raw('GET /v1/traces/missing')).code).toBe('trace_not_found');
    expect(errorIn(await raw(`GET /v1/traces/${traceId}/spans/missing`)).code).toBe('span_not_found');
  });

  it('is 501 with a hint where only the cloud serves it', async () => {
    const cloudOnly = everyRoute.filter(({ only }) => only === 'cloud');
    expect(cloudOnly.length).toBeGreaterThan(0);
    for (const { method, path } of cloudOnly) {
      const answer = await raw(`${method} ${path.replace(/:\w+/g, 'x')}`);
      expect([answer.status, errorIn(answer)]).toEqual([
        501,
        expect.objectContaining({ code: 'not_available_locally', hint: expect.any(String) }),
      ]);
    }
  });
});

describe('an invalid request', () => {
  test.each<[query: string, field: string]>([
    ...['0', '1001', '-1', '1.5', '1e2', '0x10', '', 'many', ' 1'].map((limit): [string, string] => [
      `limit=${encodeURIComponent(limit)}`,
      'limit',
    ]),
    ['offset=-1', 'offset'],
    ['offset=2147483649', 'offset'],
    ['limit=1&limit=2', 'limit'],
    ['start_date=soon', 'start_date'],
    ['start_date=2026-02-30', 'start_date'],
    ['sort_order=up', 'sort_order'],
    ['sort_by=id;DROP TABLE span', 'sort_by'],
  ])('is 400 and names the field: %s', async (query, field) => {
    const answer = await raw(`GET /v1/traces?${query.replaceAll(' ', '%20')}`);
    expect(answer.status).toBe(400);
    expect(errorIn(answer)).toMatchObject({ code: 'invalid_query_params', message: 'Invalid query parameters' });
    expect(Object.keys(errorIn(answer).details ?? {})).toEqual([field]);
  });

  it('is 431 when the headers are larger than 16 KiB or more than a hundred', async () => {
    expect((await raw('GET /health', `X: ${'a'.repeat(17_000)}`)).status).toBe(431);
    expect((await raw('GET /health', ...Array.from({ length: 120 }, (_, index) => `X-${index}: 1`))).status).toBe(431);
  });

  test.each([
    'NONSENSE',
    'GET /health HTTP/9.9',
    'GET /health HTTP/1.1\r\n Host: x',
    'GET /health HTTP/1.1\r\nno colon',
    'GET /a b HTTP/1.1',
  ])('is 400 and closes the connection when it is not HTTP: %j', async (text) => {
    const answer = await exchange(gateway.port, `${text}\r\n\r\n`);
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([400, 'close']);
  });

  it('is 400 when its length is given in two ways, so that no second request hides in the first', async () => {
    const smuggled = `POST /v1/traces HTTP/1.1\r\nHost: localhost:${gateway.port}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\n\r\n`;
    expect((await exchange(gateway.port, smuggled))?.status).toBe(400);
  });
});

describe('every answer', () => {
  const lines = everyRoute.map(({ method, path }) => `${method} ${path.replace(':traceId', traceId).replace(/:\w+/g, 'x')}`);

  it('is JSON, or what the route declares, and never HTML', async () => {
    for (const line of [...lines, 'GET /nope', 'GET /%']) {
      const { headers, body } = await raw(line);
      const type = headers.get('content-type');
      expect(type, line).toMatch(
        line === 'GET /llms.txt' ? /^text\/plain; charset=utf-8$/ : /^(application\/json|text\/event-stream); charset=utf-8$/,
      );
      expect(headers.get('x-content-type-options'), line).toBe('nosniff');
      // Pages of other ports belong to the same site, and could embed what they may not read.
      expect(headers.get('cross-origin-resource-policy'), line).toBe('same-origin');
      if (body !== '' && !type?.startsWith('text/plain')) JSON.parse(body);
    }
  });

  it('is not stored by caches, except where the route says so', async () => {
    for (const { method, path, cache } of everyRoute) {
      const { status, headers } = await raw(`${method} ${path.replace(':traceId', traceId).replace(/:\w+/g, 'x')}`);
      expect(headers.get('cache-control'), path).toBe(status < 400 && cache ? cache : 'no-store');
    }
  });

  it('carries the X-Request-Id it was sent, or a new UUID', async () => {
    const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    for (const line of ['GET /health', 'GET /v1/traces', 'GET /v1/nope', 'GET /%', 'GET /v1/traces?limit=0', 'POST /v1/traces']) {
      expect((await raw(line, 'X-Request-Id: my-id-42')).headers.get('x-request-id'), line).toBe('my-id-42');
      expect((await raw(line)).headers.get('x-request-id'), line).toMatch(uuid);
    }
  });

  test.each(['', 'with space', 'x'.repeat(129), 'ümlaut', '<script>"'.padEnd(200, '!')])(
    'makes a new id where the one sent is %j',
    async (id) => {
      const { headers } = await raw('GET /health', `X-Request-Id: ${id}`);
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('names no software and no version', async () => {
    const { headers } = await raw('GET /v1/traces');
    for (const name of ['x-powered-by', 'server', 'etag']) expect(headers.has(name)).toBe(false);
  });

  it('leaves the connection open for the next request', async () => {
    for (const line of ['GET /v1/traces', 'GET /v1/nope', 'GET /%', 'GET /v1/traces?limit=0', 'GET /v1/spans/x'])
      expect((await raw(line)).headers.get('connection'), line).toBe('keep-alive');
  });

  it('to HEAD is the answer to GET without its body', async () => {
    const answer = await raw('HEAD /v1/traces', 'Connection: close');
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0);
  });
});

describe('a deprecated route', () => {
  const sunset = 'Wed, 21 Oct 2026 00:00:00 GMT';

  test.each<[path: string, link: string, sunset: string | undefined]>([
    [`/v1/traces/${traceId}/graph`, `</v1/traces/${traceId}?fields=graph>; rel="successor-version"`, sunset],
    ['/v1/sessions/a%2Fb%20c/traces', '</v1/traces?session_id=a%2Fb%20c>; rel="successor-version"', sunset],
    ['/v1/runs/my%20run/traces', '</v1/traces?dataset_run_id=my%20run>; rel="successor-version"', undefined],
  ])('%s names its replacement, with the id filled in', async (path, link, until) => {
    const { status, headers } = await raw(`GET ${path}`);
    expect([status, headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([200, 'true', until, link]);
  });

  it('has a Deprecation header, and no other route has one', async () => {
    for (const { method, path, deprecated, only } of everyRoute) {
      const { headers } = await raw(`${method} ${path.replace(/:\w+/g, 'x')}`);
      expect(headers.has('deprecation'), path).toBe(deprecated !== undefined && only !== 'cloud');
    }
  });

  it('has the Deprecation header on a failure, too', async () => {
    expect((await raw('GET /v1/runs/x/traces?limit=0')).headers.get('deprecation')).toBe('true');
  });
});
