/**
 * A module serves one group of the contract and names the services it needs. The group is mounted where the deployment provides them all.
 * Local and cloud gateways differ in nothing else.
 */
import type { IncomingMessage } from 'node:http';
import type { Client } from '../../shared/client.ts';
import type { Parsed, Reply, Route } from '../../shared/contract/core/route.ts';
import type { Contract } from '../../shared/contract/index.ts';
import type { Principal } from '../identity/authenticator.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from '../telemetry/encoded.ts';
import type { Services } from './services.ts';
import type { Accept } from './socket.ts';

/** Properties of a request in addition to its parsed parts. */
export interface Context {
  principal: Principal;
  /** Scope of the principal. */
  scope: Scope;
  requestId: string;
  /** Base URL of the request, for links back to it. */
  baseUrl: string;
  request: IncomingMessage;
  /** Calls other routes on behalf of the caller (own-calls.ts). */
  client(): Client;
}

/** A header with several values is sent once for each value. */
type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Success other than 200 with a JSON body. Bytes are sent unchanged. */
export class Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: AnswerHeaders;

  constructor(status: number, body: unknown, headers: AnswerHeaders = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** For routes with server-sent events: called once with the send function; returns the function that stops it. */
export type Follow = (send: (event: string, data: unknown) => void) => () => void;

/** Reply with `data` as JSON text. */
type EncodedReply<T> = T extends { data: infer D } ? Omit<T, 'data'> & { data: Encoded<D> } : never;

type Replies<R extends Route> = R extends { wire: 'events' }
  ? Follow
  : R extends { wire: 'socket' }
    ? Accept
    : R extends { wire: 'otlp' | 'bytes' }
      ? Answer
      : Reply<R> | EncodedReply<Reply<R>> | Answer;

export type Handler<R extends Route> = (context: Context, parsed: Parsed<R>) => Promise<Replies<R>> | Replies<R>;

export type Handlers<G> = { [N in keyof G]: G[N] extends Route ? Handler<G[N]> : never };

export interface Module {
  group: keyof Contract;
  needs: readonly (keyof Services)[];
  /** Optional services, used where they are provided. */
  wants?: readonly (keyof Services)[];
  /** Whether capabilities include the group, which a deployment may mount without what its routes need. Absent: whenever it is mounted. */
  isAnnounced?(services: Services): boolean;
  build(services: Services): Record<string, Handler<Route>>;
}

/** Binds handlers to their routes: a missing handler or a wrong answer does not compile. */
export function defineModule<G extends keyof Contract, const N extends keyof Services, const W extends keyof Services = never>(definition: {
  group: G;
  needs: readonly N[];
  wants?: readonly W[];
  isAnnounced?(services: Pick<Services, N>): boolean;
  build(services: Pick<Services, N> & Partial<Pick<Services, W>>): Handlers<Contract[G]>;
}): Module {
  return definition as unknown as Module;
}

/** List envelope: the rows of the page, with the requested range and the total. */
export function asPage<D>({ limit, offset }: PageQuery, { data, total, totalIsLowerBound }: Page<never, D>) {
  return { data, pagination: { limit, offset, total, ...(totalIsLowerBound && { total_is_lower_bound: totalIsLowerBound }) } };
}
