/**
 * Fair shares of concurrent work, checked twice: by network address when a request arrives, and by principal after authentication. A request
 * beyond a share is answered with an HTTP error and a `Retry-After` that differs between callers, so that they do not return together.
 */
import type { IncomingMessage } from 'node:http';
import type { Route } from '../../shared/contract/core/route.ts';
import type { Principal } from '../identity/authenticator.ts';
import { ClientAddresses } from '../identity/client-addresses.ts';
import { networkOf } from '../limits/network-of.ts';
import type { Share, ShareTable } from '../limits/share-table.ts';
import { Slots } from '../limits/slots.ts';
import { Connections } from './connections.ts';
import { Failure } from './fail.ts';

/** Ingest routes, by HTTP and by gRPC. */
const callPaths = /^\/opentelemetry\.proto\.collector\./;
const ingestPaths = /^(?:\/otel|\/api\/public\/otel)?\/v1\/(?:traces|logs|metrics|scores|scores\/batch)\/*$/;
/** Answered always: they decide whether a supervisor restarts the gateway, and whether a load balancer uses it. */
const unsharedPaths: ReadonlySet<string> = new Set(['/health', '/ready']);
const retrySecondsMax = 5;

const pools = ['ingest', 'requests', 'streams'] as const;

type Pool = (typeof pools)[number];

/** What ends a request: its answer, or its connection. */
export interface Ending {
  readonly closed: boolean;
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

export class Shares {
  readonly connections: Connections;
  readonly #table: ShareTable;
  readonly #clients: ClientAddresses;
  readonly #pools: Record<Pool, Slots> = { ingest: new Slots(), requests: new Slots(), streams: new Slots() };
  readonly #refusals = new Map<Pool, number>(pools.map((pool) => [pool, 0]));
  readonly #entered = new WeakMap<IncomingMessage, () => void>();

  /** @param clients determines the network address of requests */
  constructor(table: ShareTable, clients = new ClientAddresses()) {
    this.#table = table;
    this.#clients = clients;
    this.connections = new Connections(table.connections, clients);
  }

  /** Number of open requests and streams, by pool. */
  inFlight(): ReadonlyMap<string, number> {
    return new Map(pools.map((pool) => [pool, this.#pools[pool].used('all')]));
  }

  /** Number of refusals since the start, by pool. */
  refusals(): ReadonlyMap<string, number> {
    return this.#refusals;
  }

  /**
   * Checks the network share before anything else. The slot is released with the answer.
   * @param hasRoom whether the connection was within its limits
   * @returns the reason of a refusal, or null
   */
  enter(request: IncomingMessage, response: Ending, hasRoom: boolean): Failure | null {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (unsharedPaths.has(path)) return null;
    const pool = poolOf(request, path);
    if (!hasRoom && pool !== 'ingest') return this.#refuse(pool, 'The gateway has as many connections as it can hold');
    const { all, perNetwork } = this.#table[pool];
    const network = perNetwork === null ? '' : networkOf(this.#clients.of(request) ?? '');
    const slot = this.#pools[pool].take([
      ['all', all],
      [`network ${network}`, perNetwork],
    ]);
    if (slot === 0) return this.#refuse(pool, 'The gateway has as many requests as it can answer at once');
    if (slot === 1) return this.#refuse(pool, 'Too many requests at once come from your network');
    this.#entered.set(request, slot as () => void);
    response.once('close', slot as () => void);
    return null;
  }

  /** Checks the shares of the principal. @throws Failure when one is exhausted */
  admitPrincipal(route: Route, principal: Principal, request: IncomingMessage, response: Ending): void {
    if (route.wire === 'events' || route.wire === 'socket') this.#openStream(route.wire, principal, request, response);
    else {
      const pool = poolOf(request, (request.url ?? '').split('?')[0] ?? '');
      const free = this.#take(pool, callersOf(principal, this.#table[pool]), 'requests at once');
      freeWhenClosed(response, free);
    }
  }

  /** Counts it as a stream instead of a request. */
  #openStream(wire: 'events' | 'socket', principal: Principal, request: IncomingMessage, response: Ending): void {
    const share = this.#table.streams;
    const network = `network ${networkOf(this.#clients.of(request) ?? '')}`;
    const limits = [['all', share.all], [network, share.perNetwork], ...callersOf(principal, share)] as const;
    const free = this.#take('streams', limits, 'live connections');
    freeWhenClosed(wire === 'socket' ? request.socket : response, free);
    this.#entered.get(request)?.();
  }

  #take(pool: Pool, limits: readonly (readonly [string, number | null])[], what: string): () => void {
    const slot = this.#pools[pool].take(limits);
    if (typeof slot === 'function') return slot;
    const [name, most] = limits[slot] as (typeof limits)[number];
    if (name === 'all') throw this.#refuse(pool, `The gateway has as many ${what} as it can hold`);
    const caller = name.split(' ')[0] as keyof typeof callerNames;
    throw this.#refuse(pool, `${callerNames[caller]} has as many ${what} as it may: ${most}`, 'rate_limit_exceeded');
  }

  /** Counts a refusal. */
  #refuse(pool: Pool, message: string, code: 'rate_limit_exceeded' | 'service_unavailable' = 'service_unavailable'): Failure {
    this.#refusals.set(pool, (this.#refusals.get(pool) ?? 0) + 1);
    return new Failure(code, message, {}, 1 + Math.floor(Math.random() * retrySecondsMax));
  }
}

/** The caller may have left during authentication. */
function freeWhenClosed(end: Ending, free: () => void): void {
  if (end.closed || end.destroyed) free();
  else end.once('close', free);
}

const callerNames = { network: 'Your network', tenant: 'Your team', login: 'This login', key: 'This key' } as const;

const poolOf = ({ method }: IncomingMessage, path: string): 'ingest' | 'requests' =>
  method === 'POST' && (ingestPaths.test(path) || callPaths.test(path)) ? 'ingest' : 'requests';

/** Known callers of a request, with their limits. */
function callersOf({ scope, session, key }: Principal, { perTenant, perLogin }: Share): [string, number | null][] {
  const callers: [string, number | null][] = [];
  if (scope.tenant_id !== '') callers.push([`tenant ${scope.tenant_id}`, perTenant]);
  if (session) callers.push([`login ${session.id}`, perLogin]);
  if (key) callers.push([`key ${key.id}`, perLogin]);
  return callers;
}
