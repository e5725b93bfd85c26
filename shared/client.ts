/**
 * The typed client: the contract plus a way to send. It holds nothing per resource, so a new route is callable
 * the moment it is declared. A failure is a GatewayError with the code and the details of the envelope.
 */

import type { Reply, Route, RouteInput } from './contract/core/route.ts';
import type { Contract } from './contract/index.ts';
import { contract } from './contract/index.ts';

export interface ClientRequest {
  method: string;
  /** Path and query, relative to the base URL. */
  path: string;
  /** Sent as JSON, unless `type` names another media type; then it is bytes. */
  body?: unknown;
  type?: string;
}

export interface ClientResponse {
  status: number;
  /** Parsed JSON, or undefined for an empty body. */
  body: unknown;
}

/** Sends one request. Rejects only when there is no response. */
export type Send = (request: ClientRequest) => Promise<ClientResponse>;

export class GatewayError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, string>;
  readonly extras: Record<string, unknown>;

  constructor(status: number, body: unknown) {
    const error = (body as { error?: Record<string, unknown> } | null)?.error ?? {};
    const { code, message, details, ...extras } = error;
    super(typeof message === 'string' ? message : `The gateway answered ${status}`);
    this.name = 'GatewayError';
    this.status = status;
    this.code = typeof code === 'string' ? code : 'unknown';
    this.details = (details ?? {}) as Record<string, string>;
    this.extras = extras;
  }
}

type Call<R extends Route> =
  Record<never, never> extends RouteInput<R> ? (input?: RouteInput<R>) => Promise<Reply<R>> : (input: RouteInput<R>) => Promise<Reply<R>>;

export type Client = { [G in keyof Contract]: { [N in keyof Contract[G]]: Call<Extract<Contract[G][N], Route>> } };

/** Fills the parameters into a path; `%2F` and friends are escaped, so any id is safe. */
export function pathOf(path: string, params: Record<string, unknown> = {}, query: Record<string, unknown> = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : (Array.isArray(value) ? value : [value]).map((item) => `${key}=${encodeURIComponent(String(item))}`),
  );
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** Some routes declare a reply for an error status: a batch of which nothing was stored. */
const isReply = (route: Route, { status, body }: ClientResponse): boolean =>
  (route.status?.includes(status) ?? false) && !(typeof body === 'object' && body !== null && 'error' in body);

export function createClient(send: Send): Client {
  const call =
    (route: Route) =>
    async (input: { params?: object; query?: object; body?: unknown } = {}) => {
      const path = pathOf(route.path, input.params as never, input.query as never);
      const body = input.body === undefined ? {} : { body: input.body, ...(route.takes && { type: route.takes.type }) };
      const response = await send({ method: route.method, path, ...body });
      if (response.status >= 400 && !isReply(route, response)) throw new GatewayError(response.status, response.body);
      return response.body;
    };
  const groups = Object.entries(contract).map(([name, routes]) => [
    name,
    Object.fromEntries(Object.entries(routes as Record<string, Route>).map(([key, route]) => [key, call(route)])),
  ]);
  return Object.fromEntries(groups) as Client;
}
