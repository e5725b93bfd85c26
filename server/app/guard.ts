/**
 * Guard of the local gateway, in front of every request, whether routed or not. The gateway has no login, so the threat is the browser: any
 * page can send requests to loopback, and DNS rebinding makes them same-origin. A rebound page still sends its own name as Host, and browsers
 * reveal the origin of a request (Origin, Sec-Fetch-Site, Sec-Fetch-Dest); programs send neither. See docs/reference/access.md#local-guard.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure } from './fail.ts';
import { ingestPathOf } from './ingest-paths.ts';
import type { NoteRejection } from './rejected-connections.ts';
import { isViewerPage } from './viewer-pages.ts';

export type Guard = (request: IncomingMessage, response: ServerResponse) => 'pass' | 'answered';

const names = ['localhost', '127.0.0.1', '[::1]'];
const loopbackOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Browser SDKs send spans from a development server's origin; these two paths, with all their aliases and for writing only, are open to them. */
const openToLoopback = new Set(['/v1/traces', '/v1/logs']);

/** `same-site` means another port of this machine, such as a development server or a notebook: as foreign as any other page. */
const foreignSites: ReadonlySet<string> = new Set(['cross-site', 'same-site']);

/** Paths of the viewer page and its assets, none of the API. */
const viewerPaths = /^\/(?:index\.html|assets\/[\w-][\w.-]*)?$/;

const corsHeaders = [
  'content-type',
  'content-encoding',
  'authorization',
  'x-request-id',
  'traceparent',
  'tracestate',
  'x-service-app-id',
  'x-alias-app-id',
  'x-service-environment',
  'x-service-pr-number',
  'x-agentmark-app-id',
  'x-puzzlet-app-id',
  'x-agentmark-environment',
  'x-agentmark-pr-number',
].join(', ');

/**
 * @param ports the listening ports, once known
 * @param note receives rejected requests
 */
export function loopbackGuard(ports: () => number[], note: NoteRejection = () => {}): Guard {
  return (request, response) => {
    const refuse = (failure: Failure) => {
      note(request, failure);
      return sendRefusal(response, failure);
    };
    const hosts = hostsOf(ports());
    const wrongHost = hostRefusal(request, hosts);
    if (wrongHost) return refuse(wrongHost);
    const origin = request.headers.origin;
    const isOwn = origin !== undefined && hosts.some((host) => origin === `http://${host}`);
    if (origin !== undefined && !isOwn && isOpen(request) && loopbackOrigin.test(origin)) return allowLoopback(request, response, origin);
    if (origin === undefined && opensViewer(request)) return 'pass';
    const foreignOrigin = originRefusal(request, hosts);
    return foreignOrigin ? refuse(foreignOrigin) : 'pass';
  };
}

/** Returns why a gRPC call is refused; null when it is allowed. */
export type CallGuard = (request: IncomingMessage) => Failure | null;

/** The same for gRPC, which web pages cannot use: nothing is open to other origins. */
export function loopbackCallGuard(ports: () => number[], note: NoteRejection = () => {}): CallGuard {
  return (request) => {
    const hosts = hostsOf(ports());
    const failure = hostRefusal(request, hosts) ?? originRefusal(request, hosts);
    if (failure) note(request, failure);
    return failure;
  };
}

const hostsOf = (ports: number[]): string[] => ports.flatMap((port) => names.map((name) => `${name}:${port}`));

function hostRefusal(request: IncomingMessage, hosts: string[]): Failure | null {
  const isOurs = countOf(request, 'host') === 1 && hosts.includes((request.headers.host ?? '').toLowerCase());
  return isOurs ? null : new Failure('host_not_allowed', 'This gateway answers only under its loopback names');
}

function originRefusal({ headers }: IncomingMessage, hosts: string[]): Failure | null {
  const { origin } = headers;
  const isForeign = origin !== undefined && !hosts.some((host) => origin === `http://${host}`);
  if (!isForeign && !foreignSites.has(String(headers['sec-fetch-site']))) return null;
  return new Failure('origin_not_allowed', 'Web pages of other origins may not talk to this gateway');
}

function countOf(request: IncomingMessage, header: string): number {
  return request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === header).length;
}

function isOpen(request: IncomingMessage): boolean {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const method = request.method === 'OPTIONS' ? request.headers['access-control-request-method'] : request.method;
  return method === 'POST' && openToLoopback.has(ingestPathOf(path) ?? '');
}

/**
 * A link to the viewer from any page: it opens as a top-level document, which the linking page cannot read. In a frame or by a script it is
 * refused.
 */
function opensViewer({ method, url = '', headers }: IncomingMessage): boolean {
  const isWindow = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return method === 'GET' && isWindow && (viewerPaths.test(url.split('?')[0] ?? '') || isViewerPage(url));
}

function allowLoopback(request: IncomingMessage, response: ServerResponse, origin: string): 'pass' | 'answered' {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Vary', 'Origin');
  if (request.method !== 'OPTIONS') return 'pass';
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': corsHeaders,
    'Access-Control-Max-Age': '600',
  });
  response.end();
  return 'answered';
}

function sendRefusal(response: ServerResponse, failure: Failure): 'answered' {
  response.writeHead(failure.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    Connection: 'close',
  });
  response.end(JSON.stringify(failure.body()));
  return 'answered';
}
