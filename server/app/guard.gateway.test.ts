/**
 * Requests that the local gateway admits. The guard decides every combination of Host, Origin and Sec-Fetch-Site here, for every route. Over raw
 * sockets, every route is sent enough of them to show that the guard stands in front of it, and a few routes every value.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { exchange, type RawAnswer, requestText } from '../fixtures/raw-socket.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';
import { loopbackGuard } from './guard.ts';
import { everyRoute } from './openapi.ts';

const secret = 'the-launch-code-is-0000';
const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const firstSeed = Number(process.env['GLASSHOUSE_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const viewerDir = mkdtempSync(join(tmpdir(), 'glasshouse-viewer-'));
let gateway: TestGateway;

beforeAll(async () => {
  mkdirSync(join(viewerDir, 'assets'));
  writeFileSync(join(viewerDir, 'index.html'), `<title>${secret}</title>`);
  writeFileSync(join(viewerDir, 'assets', 'app.js'), `'${secret}'`);
  gateway = await startTestGateway({ viewerDir });
  await gateway.ingest(aRequest([aSpan({ ...ids, name: secret, attributes: { 'session.id': secret } })], { service: secret }));
});
afterAll(async () => {
  await gateway.stop();
  rmSync(viewerDir, { recursive: true });
});

/** `P` stands for our port. */
const goodHosts = ['localhost:P', '127.0.0.1:P', '[::1]:P', 'LocalHost:P'];
const badHosts = [
  ...['evil.example', 'evil.example:P', 'localhost', '127.0.0.1', 'localhost:1', 'localhost:P0', '0.0.0.0:P', '127.0.0.2:P', '127.1:P'],
  ...['localhost.:P', 'localhost.evil.example:P', '127.0.0.1.nip.io:P', 'me@localhost:P', '[::]:P', '[::ffff:127.0.0.1]:P'],
  ...['2130706433:P', '0x7f.0.0.1:P', 'localhost:P:P', 'localhost:P, evil.example', ''],
  ...['127.0.0.1.:P', '[::1].:P', '::1:P', '[0:0:0:0:0:0:0:1]:P', '[::1%25lo]:P', '127.0.0.1:P@evil.example', 'evil.example#@localhost:P'],
  ...['7f000001.0a000001.rbndr.us:P', 'localtest.me:P', 'localhost.localdomain:P', 'http://localhost:P', 'localhost:P/', 'localhost%00:P'],
];
const ownOrigins = ['http://localhost:P', 'http://127.0.0.1:P', 'http://[::1]:P'];
const loopbackOrigins = [
  'http://localhost:3000',
  'https://localhost',
  'http://127.0.0.1:5173',
  'https://[::1]:8443',
  'https://localhost:P',
];
const foreignOrigins = [
  ...['null', '', 'http://evil.example', 'http://evil.example:P'],
  ...['http://localhost.evil.example:3000', 'http://localhost:3000.evil.example'],
  ...['http://localhost:3000/', 'http://localhost:123456', 'http://me@localhost:3000', 'http://192.168.1.5:3000', 'http://0.0.0.0:3000'],
  ...['http://localhost:P.evil.example', 'http://localhost:P@evil.example', 'http://LOCALHOST:P/', 'http://127.0.0.1:P#'],
  ...['http://localhost.:3000', 'http://localhost.:P', 'http://127.0.0.1.:3000', 'http://127.0.0.2:3000', 'http://127.1:3000'],
  ...['http://2130706433:3000', 'http://[::ffff:127.0.0.1]:3000', 'http://[0:0:0:0:0:0:0:1]:3000', 'http://[::1%25lo]:3000'],
  ...['http://::1:3000'],
  ...['http://user:word@localhost:P', 'http://localhost:3000@evil.example', 'http://evil.example#http://localhost:P', 'Null', 'NULL'],
  ...['http://rbndr.us:3000', 'http://localtest.me:3000', 'http://localhost.localdomain:3000', 'localhost:3000', '//localhost:3000'],
  ...['file://', 'chrome-extension://abcdef', 'ws://localhost:3000', 'http://localhost:3000 http://evil.example', 'xhttp://localhost:3000'],
];
const sites = [null, 'same-origin', 'same-site', 'none', 'cross-site'];

interface Case {
  line: string;
  host: string;
  origin: string | null;
  site: string | null;
  /** Method that a preflight asks for. */
  requestedMethod?: string;
  /** Destination of a navigation: a window, a frame. */
  destination?: string | null;
}

type Verdict = 'host_not_allowed' | 'origin_not_allowed' | 'pass' | 'pass with CORS';

/** The rule as documented in docs/reference/access.md#local-guard, written independently of the code under test. */
function verdictOn({ line, host, origin, site, requestedMethod = 'POST', destination = null }: Case): Verdict {
  if (!goodHosts.includes(host)) return 'host_not_allowed';
  const ingest = /^(POST|OPTIONS) (\/otel|\/api\/public\/otel)?\/v1\/(traces|logs)\/*(\?|$)/.test(line) && requestedMethod === 'POST';
  if (origin !== null && loopbackOrigins.includes(origin) && ingest) return 'pass with CORS';
  if (origin !== null && !ownOrigins.includes(origin)) return 'origin_not_allowed';
  const isLink = origin === null && destination === 'document' && /^GET \/(index\.html|assets\/app\.js)?(\?\S*)?$/.test(line);
  return !isLink && (site === 'cross-site' || site === 'same-site') ? 'origin_not_allowed' : 'pass';
}

const withPort = (text: string) => text.replaceAll('P', String(gateway.port));

function headersOf({ line, host, origin, site, requestedMethod = 'POST', destination = null }: Case): [string, string][] {
  const headers: [string, string][] = [['Host', withPort(host)]];
  if (origin !== null) headers.push(['Origin', withPort(origin)]);
  if (site !== null) headers.push(['Sec-Fetch-Site', site]);
  if (destination !== null) headers.push(['Sec-Fetch-Mode', 'navigate'], ['Sec-Fetch-Dest', destination]);
  if (line.startsWith('OPTIONS')) headers.push(['Access-Control-Request-Method', requestedMethod]);
  return headers;
}

async function send(request: Case): Promise<RawAnswer> {
  const headers = headersOf(request).map(([name, value]) => `${name}: ${value}`);
  const answer = await exchange(gateway.port, requestText(request.line, [...headers, 'Content-Length: 0', 'Connection: close']));
  if (!answer) throw new Error(`no answer to ${JSON.stringify(request)}`);
  return answer;
}

/** The decision of the guard, as the answer shows it. */
function decisionIn({ status, headers, body }: RawAnswer, { line, origin, host }: Case): Verdict | string {
  const allowed = headers.get('access-control-allow-origin');
  if (status !== 403) return allowed === undefined ? 'pass' : allowed === withPort(origin ?? '') ? 'pass with CORS' : `CORS for ${allowed}`;
  // The answer to HEAD has no body that would contain the reason.
  if (line.startsWith('HEAD')) return goodHosts.includes(host) ? 'origin_not_allowed' : 'host_not_allowed';
  const { error, ...rest } = JSON.parse(body) as { error: { code: string; message: string } };
  const leaks = body.includes(secret) || Object.keys(rest).length > 0 || Object.keys(error).length !== 2;
  const closes = headers.get('connection') === 'close' && headers.get('cache-control') === 'no-store';
  return allowed === undefined && !leaks && closes ? error.code : `a refusal with more than an error: ${body}`;
}

const noSocket = new Socket();

/** The decision of the guard about a request that nobody sent. */
function decisionOn(request: Case): Verdict | string {
  const [method, url] = request.line.split(' ');
  const headers = headersOf(request);
  const byName = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const incoming = Object.assign(new IncomingMessage(noSocket), { method, url, headers: byName, rawHeaders: headers.flat() });
  const response = new ServerResponse(incoming);
  let refusal = '';
  const guard = loopbackGuard(
    () => [gateway.port],
    (_, { code }) => {
      refusal = code;
    },
  );
  const isAnswered = guard(incoming, response) === 'answered';
  if (refusal !== '') return isAnswered && response.statusCode === 403 ? refusal : `noted ${refusal} and let it pass`;
  const allowed = response.getHeader('Access-Control-Allow-Origin');
  if (isAnswered && response.statusCode !== 204) return `answered ${response.statusCode}`;
  return allowed === undefined ? 'pass' : allowed === byName['origin'] ? 'pass with CORS' : `CORS for ${allowed}`;
}

const wrongly = (request: Case, decision: string): string[] =>
  decision === verdictOn(request) ? [] : [`${JSON.stringify(request)}: ${decision}, not ${verdictOn(request)}`];

/** Asks the guard about every case, and returns those that it decides against the rule. */
const wronglyDecided = (cases: Case[]): string[] => cases.flatMap((request) => wrongly(request, decisionOn(request)));

/** Sends every case, a few at a time, and returns those that were decided against the rule. */
async function wronglyAnswered(cases: Case[]): Promise<string[]> {
  const wrong: string[] = [];
  const queue = cases[Symbol.iterator]();
  const worker = async () => {
    for (const request of queue) wrong.push(...wrongly(request, decisionIn(await send(request), request)));
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  return wrong;
}

const everyOrigin = [null, ...ownOrigins, ...loopbackOrigins, ...foreignOrigins];
const matrix = (line: string): Case[] =>
  [...goodHosts, ...badHosts].flatMap((host) => everyOrigin.flatMap((origin) => sites.map((site) => ({ line, host, origin, site }))));
/** `GLASSHOUSE_PROPERTY_RUNS` random cases of the whole matrix, or all when it has no more. `GLASSHOUSE_FUZZ_SEED` repeats a run. */
function randomCases(line: string, index: number, ordinary = 5): Case[] {
  const all = matrix(line);
  const runs = propertyRuns(ordinary);
  return runs >= all.length ? all : fc.sample(fc.constantFrom(...all), { seed: firstSeed + index, numRuns: runs });
}
/** Each Host, each Origin and each Sec-Fetch-Site once, with the other headers as a program sends them. */
const sample = (line: string): Case[] => [
  ...[...goodHosts, ...badHosts].map((host) => ({ line, host, origin: null, site: null })),
  ...everyOrigin.map((origin) => ({ line, host: 'localhost:P', origin, site: null })),
  ...sites.map((site) => ({ line, host: 'localhost:P', origin: null, site })),
];

/** What a program, an own page, a foreign page and a rebound page send. */
const typical = (line: string): Case[] => [
  { line, host: '127.0.0.1:P', origin: null, site: null },
  { line, host: 'localhost:P', origin: 'http://localhost:P', site: 'same-origin' },
  { line, host: 'localhost:P', origin: 'http://localhost:3000', site: 'same-site' },
  { line, host: 'localhost:P', origin: 'http://evil.example', site: 'cross-site' },
  { line, host: 'localhost:P', origin: 'null', site: null },
  { line, host: 'localhost:P', origin: null, site: 'cross-site' },
  { line, host: 'localhost:P', origin: null, site: 'same-site' },
  { line, host: 'evil.example:P', origin: 'http://evil.example:P', site: 'same-origin' },
];

const withIds = (path: string) =>
  path.replace(':traceId', ids.traceId).replace(':spanId', ids.spanId).replace(':sessionId', secret).replace(/:\w+/g, 'x');
/** Allowed requests must not delete what refused ones are to be checked against. */
const declared = everyRoute.map(({ method, path }) => `${method} ${method === 'DELETE' ? path.replace(/:\w+/g, 'x') : withIds(path)}`);
const paths = [...new Set(everyRoute.map(({ path }) => withIds(path)))];
const undeclared = [
  ...[
    'GET /',
    'GET /index.html',
    'GET /assets/app.js',
    'HEAD /',
    'GET /missing.js',
    'GET /v1/nope',
    'DELETE /v1/traces',
    'PATCH /v1/traces',
  ],
  ...[
    'POST /v1/nope',
    'OPTIONS /v1/spans',
    'OPTIONS *',
    'TRACE /health',
    'GET /%',
    'GET //health',
    'GET /HEALTH',
    'GET /v1/traces?limit=1',
  ],
  ...['POST /v1/traces?x=1', 'OPTIONS /v1/traces', 'OPTIONS /v1/logs', 'POST /v1/traces/', 'POST /v1/traces/x'],
];

const everyLine = [...declared, ...undeclared];
const anyPage = ['GET /v1/traces', 'POST /v1/traces', 'OPTIONS /v1/traces', 'GET /assets/app.js'];

const destinations = [null, 'document', 'iframe', 'frame', 'embed', 'object', 'empty', 'document, iframe'];
const navigations = (line: string): Case[] =>
  [null, 'http://evil.example', 'null'].flatMap((origin) =>
    sites.flatMap((site) => destinations.map((destination) => ({ line, host: 'localhost:P', origin, site, destination }))),
  );

const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];
const preflights = (path: string): Case[] => {
  const common = { line: `OPTIONS ${path}`, site: 'cross-site' };
  const underEveryHost = [...goodHosts, ...badHosts].map((host) => ({ ...common, host, origin: 'http://localhost:3000' }));
  const ofEveryMethod = everyOrigin.flatMap((origin) =>
    methods.map((requestedMethod) => ({ ...common, host: 'localhost:P', origin, requestedMethod })),
  );
  return [...underEveryHost, ...ofEveryMethod];
};

describe('every Host with every Origin and every Sec-Fetch-Site', () => {
  it.each(anyPage)('is decided by the documented rule: %s', (line) => {
    expect(wronglyDecided(matrix(line))).toEqual([]);
  });

  it.each(anyPage)('is answered by the documented rule, each value and a sample of their combinations: %s', async (line) => {
    expect(await wronglyAnswered([...sample(line), ...randomCases(line, anyPage.indexOf(line), 200)])).toEqual([]);
  });
});

describe('every path there is, declared or not', () => {
  it('is behind the guard, and so is every route that is declared later', async () => {
    expect(declared.length).toBeGreaterThan(10);
    expect(wronglyDecided(everyLine.flatMap(sample))).toEqual([]);
    expect(await wronglyAnswered(everyLine.flatMap(typical))).toEqual([]);
  });

  it(`is behind the guard in any mixture of the three: seed ${firstSeed}`, { timeout: 300_000 + propertyRuns(50) * 2000 }, async () => {
    expect(await wronglyAnswered(everyLine.flatMap((line, index) => randomCases(line, index)))).toEqual([]);
  });

  it('opens the viewer, and nothing else, for a link on any page, but not in a frame or from a form', async () => {
    const viewer = ['GET /', 'GET /?x=1', 'GET /index.html', 'GET /assets/app.js'];
    const near = ['POST /', 'GET /assets/app.js/', 'GET /assets/..', 'GET /assets/%2e%2e/health'];
    const lines = [...new Set([...everyLine, ...viewer, ...near])];
    expect(wronglyDecided(lines.flatMap(navigations))).toEqual([]);
    const fromElsewhere = { host: 'localhost:P', origin: null, site: 'cross-site', destination: 'document' };
    expect(await wronglyAnswered(lines.map((line) => ({ ...fromElsewhere, line })))).toEqual([]);
    expect(await wronglyAnswered([...viewer, ...near].flatMap(navigations))).toEqual([]);
    const bare = requestText('GET /', [withPort('Host: localhost:P'), 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: document']);
    expect((await exchange(gateway.port, bare))?.status).toBe(403);
    const link = { line: 'GET /', ...fromElsewhere };
    const { status, headers, body } = await send(link);
    expect([status, body.includes(secret)]).toEqual([200, true]);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect((await send({ ...link, host: 'evil.example:P' })).status).toBe(403);
  });

  it('allows preflights of pages only for sending spans and logs', async () => {
    expect(wronglyDecided(paths.flatMap(preflights))).toEqual([]);
    const page = { host: 'localhost:P', origin: 'http://localhost:3000', site: 'cross-site' };
    const sent = paths.flatMap((path, index) => {
      const line = `OPTIONS ${path}`;
      const requestedMethod = methods[1 + (index % 4)] as string;
      return [
        { ...page, line },
        { ...page, line, requestedMethod },
        { ...page, line, origin: 'http://evil.example' },
      ];
    });
    expect(await wronglyAnswered(sent)).toEqual([]);
    expect(await wronglyAnswered(['/v1/traces', '/v1/logs', '/v1/spans'].flatMap(preflights))).toEqual([]);
  });

  it('answers its own pages and programs', async () => {
    const { body } = await send({ line: `GET /v1/traces`, host: 'localhost:P', origin: 'http://localhost:P', site: 'same-origin' });
    expect(body).toContain(secret);
    expect((await send({ line: 'GET /assets/app.js', host: '127.0.0.1:P', origin: null, site: 'same-origin' })).body).toContain(secret);
  });
});

describe('a request that names its host in an unusual way', () => {
  const lines = (...headers: string[]) =>
    exchange(gateway.port, requestText('GET /v1/traces', [...headers.map(withPort), 'Connection: close']));

  test.each([
    ['two hosts, ours first', ['Host: localhost:P', 'Host: evil.example']],
    ['two hosts, ours last', ['Host: evil.example', 'Host: localhost:P']],
    ['our host twice', ['Host: localhost:P', 'Host: localhost:P']],
    ['two spellings of the header', ['host: localhost:P', 'HOST: localhost:P']],
  ])('is refused: %s', async (_, headers) => {
    const answer = await lines(...headers);
    expect([answer?.status, answer?.body]).toEqual([403, expect.stringContaining('host_not_allowed')]);
  });

  it('is refused without any host', async () => {
    expect((await lines())?.status).toBe(400);
    expect((await exchange(gateway.port, 'GET /v1/traces HTTP/1.0\r\n\r\n'))?.status).toBe(403);
  });

  it('is refused when it asks for another protocol', async () => {
    const upgrade = [
      'Host: evil.example:P',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Key: x',
      'Sec-WebSocket-Version: 13',
    ];
    expect((await exchange(gateway.port, requestText('GET /v1/viewer/live', upgrade.map(withPort))))?.status).toBe(403);
  });

  it('cannot hide its Origin behind many headers', async () => {
    const many = Array.from({ length: 99 }, (_, index) => `X-${index}: 1`);
    expect((await lines('Host: localhost:P', ...many, 'Origin: http://evil.example'))?.status).toBe(431);
  });

  it('is answered over IPv6 loopback under the same rules', async () => {
    const ask = (host: string) =>
      exchange(gateway.port, requestText('GET /health', [`Host: ${withPort(host)}`, 'Connection: close']), '::1');
    const [good, bad] = [await ask('[::1]:P'), await ask('evil.example:P')];
    // A machine without IPv6 has no such listener; then nothing answers at all.
    if (good || bad) expect([good?.status, bad?.status]).toEqual([200, 403]);
  });
});

describe('another machine', () => {
  it('cannot connect at all: no address but loopback is listened on', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).filter(({ internal }) => !internal));
    for (const { address, family } of addresses) {
      // Link-local addresses of IPv6 need a zone to be reached at all.
      if (family === 'IPv6' && address.startsWith('fe80')) continue;
      expect(await exchange(gateway.port, requestText('GET /health', [withPort('Host: localhost:P')]), address)).toBeNull();
    }
  });
});

describe('a development server on loopback', () => {
  const origin = 'http://localhost:3000';

  it('may send a preflight, and learns exactly what is allowed', async () => {
    for (const path of ['/v1/traces', '/v1/logs']) {
      const { status, headers, body } = await send({ line: `OPTIONS ${path}`, host: 'localhost:P', origin, site: 'cross-site' });
      expect([status, body]).toEqual([204, '']);
      const cors = [...headers].filter(([name]) => name.startsWith('access-control') || name === 'vary');
      expect(Object.fromEntries(cors)).toEqual({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': [
          ...['content-type', 'content-encoding', 'authorization', 'x-request-id', 'traceparent', 'tracestate'],
          ...['x-service-app-id', 'x-alias-app-id', 'x-service-environment', 'x-service-pr-number'],
          ...['x-agentmark-app-id', 'x-puzzlet-app-id', 'x-agentmark-environment', 'x-agentmark-pr-number'],
        ].join(', '),
        'access-control-max-age': '600',
        vary: 'Origin',
      });
    }
  });

  it('may send spans and read the answer, errors too', async () => {
    for (const [body, status] of [
      [JSON.stringify(aRequest([aSpan()])), 200],
      ['{', 400],
    ] as const) {
      const headers = [`Host: localhost:${gateway.port}`, `Origin: ${origin}`, 'Content-Type: application/json'];
      const answer = await exchange(gateway.port, requestText('POST /v1/traces', headers, body));
      expect([answer?.status, answer?.headers.get('access-control-allow-origin')]).toEqual([status, origin]);
      expect(answer?.headers.get('access-control-allow-credentials')).toBeUndefined();
    }
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'GET, POST', ''])('is refused a preflight for %j', async (method) => {
    const headers = [`Host: localhost:${gateway.port}`, `Origin: ${origin}`, `Access-Control-Request-Method: ${method}`];
    const answer = await exchange(gateway.port, requestText('OPTIONS /v1/traces', headers));
    expect([answer?.status, answer?.headers.has('access-control-allow-origin')]).toEqual([403, false]);
  });

  it('may read neither the spans it sent nor anything else', async () => {
    for (const path of ['/v1/traces', `/v1/traces/${ids.traceId}`, '/v1/capabilities', '/'])
      expect((await send({ line: `GET ${path}`, host: 'localhost:P', origin, site: 'cross-site' })).body).not.toContain(secret);
  });
});
