/** Mounts every declared route in Express: a route is served by its module, or answers 501 without one. Knows no particular resource. */
import type { Express, NextFunction, Request, Response } from 'express';
import type { Client } from '../../shared/client.ts';
import type { Method, Route } from '../../shared/contract/core/route.ts';
import { type Contract, contract } from '../../shared/contract/index.ts';
import type { Authenticator, Principal } from '../identity/authenticator.ts';
import { forCaller } from '../platform/caller.ts';
import type { Log } from '../platform/log.ts';
import type { AnsweredRequest, Observer } from '../platform/observer.ts';
import { admit, ifAllowed, isStillAdmitted } from './admit.ts';
import { answer, answerFailure, failureOf, requestIdOf } from './answer.ts';
import type { BodyReader } from './body-reader.ts';
import { encodeInTurns } from './encode-in-turns.ts';
import { streamEvents } from './event-stream.ts';
import { Failure, fail } from './fail.ts';
import { Answer, type Context, type Follow, type Handler, type Module } from './module.ts';
import { ownCalls } from './own-calls.ts';
import { readRaw } from './read-body.ts';
import type { RouteRequest, RouteResponse } from './route-request.ts';
import type { Services } from './services.ts';
import type { Shares } from './shares.ts';
import { type Accept, assertSocketRequest, openSocket } from './socket.ts';
import { StreamAdmissions, type Watch } from './stream-admissions.ts';
import { hintOf } from './unserved-hints.ts';
import { readQuery, validate } from './validate.ts';

export interface Mounting {
  app: Express;
  modules: readonly Module[];
  services: Partial<Services> & { auth: Authenticator };
  /** Error code of routes that this gateway does not serve. */
  unavailable: 'not_available_locally' | 'not_available_on_cloud';
  log: Log;
  bodies: BodyReader;
  /** Base URL of links to this gateway; default: the address of the request. */
  publicUrl?: string | null;
  observers?: readonly Observer[];
  /** Limits for each caller. */
  shares: Shares;
}

type ClientOf = (context: Omit<Context, 'client'>) => Client;

type Serving = Mounting & { clientOf: ClientOf };

interface Entry {
  route: Route;
  handler: Handler<Route> | null;
}

/** Handles a gRPC call like its HTTP route. @throws Failure */
export type Call = (request: RouteRequest, response: RouteResponse & { statusCode: number }) => Promise<Answer>;

interface Mounted {
  /** The groups that capabilities announce. */
  served: Set<keyof Contract>;
  /** By the path of their method. */
  calls: ReadonlyMap<string, Call>;
}

export function mount(mounting: Mounting): Mounted {
  const { app, modules, services } = mounting;
  const served = modules.filter(({ needs }) => needs.every((need) => services[need] !== undefined));
  const handlers = new Map(served.map((module) => [module.group as string, module.build(services as Services)]));
  const handlerOf = (group: string, name: string) => handlers.get(group)?.[name] ?? null;
  const clientOf: ClientOf = (context) => ownCalls(handlerOf, services, mounting.unavailable, context);
  const entries = Object.entries(contract).flatMap(([group, routes]) =>
    Object.entries(routes as Record<string, Route>).map(([name, route]): Entry => ({ route, handler: handlerOf(group, name) })),
  );
  const verb: Record<Method, 'get' | 'post' | 'put' | 'patch' | 'delete'> = {
    GET: 'get',
    POST: 'post',
    PUT: 'put',
    PATCH: 'patch',
    DELETE: 'delete',
  };
  const admissions = new StreamAdmissions((principals) => services.auth.unchanged(principals));
  for (const entry of entries.sort(literalFirst))
    app[verb[entry.route.method]](entry.route.path, serve(entry, { ...mounting, clientOf }, admissions));
  for (const { route } of entries) if (route.isOnlyMethod) app.all(route.path, refuseMethod(route, mounting.log));
  const calls = new Map(
    entries.flatMap(({ route, handler }) =>
      route.grpc && handler ? [[route.grpc, serveCall(route, handler, { ...mounting, clientOf })]] : [],
    ),
  );
  const announced = served.filter((module) => module.isAnnounced?.(services as Services) ?? true);
  return { served: new Set(announced.map(({ group }) => group)), calls };
}

const refuseMethod = (route: Route, log: Log) => (request: Request, response: Response) => {
  const failure = new Failure('method_not_allowed', `${route.path} takes ${route.method} only`, {}, null, { Allow: route.method });
  answerFailure(request, response, route, failure, log);
};

/** `/v1/scores/names` must be tried before `/v1/scores/:scoreId`, and an unserved literal must answer 501 instead of being taken for an id. */
function literalFirst(a: Entry, b: Entry): number {
  const left = a.route.path.split('/');
  const right = b.route.path.split('/');
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = Number(left[index]?.startsWith(':')) - Number(right[index]?.startsWith(':'));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function serve({ route, handler }: Entry, mounting: Serving, admissions: StreamAdmissions) {
  const { services, unavailable, log } = mounting;
  return async (request: Request, response: Response, _next: NextFunction): Promise<void> => {
    const observed = watch(route, request, response, mounting, 'http');
    try {
      if (!handler) {
        fail(unavailable, `${route.method} ${route.path} is not served here`, { hint: hintOf(route, unavailable) });
      }
      deprecate(route, request, response);
      if (route.wire === 'socket') assertSocketRequest(request, response);
      const { principal, reply } = await perform(route, handler, request, response, mounting, observed);
      const watchAdmission: Watch = (ended) =>
        admissions.watch(admissionKey(route, principal, request), {
          ...{ principal, ended },
          isAdmitted: () => isStillAdmitted(route, request, services),
        });
      await send(route, request, response, reply, watchAdmission);
    } catch (error) {
      observed.code = answerFailure(request, response, route, error, log).code;
    }
  };
}

const serveCall =
  (route: Route, handler: Handler<Route>, mounting: Serving): Call =>
  async (request, response) => {
    const observed = watch(route, request, response, mounting, 'grpc');
    try {
      return (await perform(route, handler, request, response, mounting, observed)).reply as Answer;
    } catch (error) {
      const failure = failureOf(request, route, error, mounting.log);
      response.statusCode = failure.status;
      observed.code = failure.code;
      throw failure;
    }
  };

/** Authenticates and handles a request. */
async function perform(
  route: Route,
  handler: Handler<Route>,
  request: RouteRequest,
  response: RouteResponse,
  { services, shares, publicUrl = null, bodies, clientOf }: Serving,
  observed: ObservedRequest,
): Promise<{ principal: Principal; reply: unknown }> {
  const principal = await admit(route, request, response, services);
  observed.tenant_id = principal.scope.tenant_id || null;
  shares.admitPrincipal(route, principal, request, response);
  const reply = await forCaller(disconnectSignal(response), () =>
    ifAllowed(route, principal, request.params, services, () =>
      handle(route, handler, request, principal, { publicUrl, bodies, clientOf }),
    ),
  );
  return { principal, reply };
}

async function send(route: Route, request: Request, response: Response, reply: unknown, watch: Watch): Promise<void> {
  if (route.wire === 'events') {
    response.setHeader('Cache-Control', route.cache ?? 'no-store');
    streamEvents(response, reply as Follow, watch);
  } else if (route.wire === 'socket') {
    openSocket(request, response, reply as Accept, watch);
  } else {
    const { status, body, headers } = reply instanceof Answer ? reply : new Answer(route.status?.[0] ?? 200, reply);
    answer(request, response, route, { status, body: await encodeInTurns(body), headers });
  }
}

/** Aborts when the connection is closed before the answer has been sent. */
function disconnectSignal(response: RouteResponse): AbortSignal {
  if (response.closed) return AbortSignal.abort();
  const disconnected = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}

/** Streams with the same key are admitted or ended together: same route, path parameters, credential and app. */
const admissionKey = ({ id }: Route, { scope, session, key, actor }: Principal, { params }: RouteRequest): string =>
  JSON.stringify([id, params, session?.id ?? key?.id ?? actor.id, scope.app_id]);

async function handle(
  route: Route,
  handler: Handler<Route>,
  request: RouteRequest,
  principal: Principal,
  { publicUrl, bodies, clientOf }: { publicUrl: string | null; bodies: BodyReader; clientOf: ClientOf },
): Promise<unknown> {
  const parsed = {
    params: validate(route.params, request.params, 'invalid_path_params'),
    query: validate(route.query, readQuery(request.originalUrl), 'invalid_query_params'),
    ...(route.body && route.wire !== 'otlp' ? { body: await readBody(request, route, principal, bodies) } : {}),
  };
  const baseUrl = publicUrl ?? `http://${request.headers.host}`;
  const context = { principal, scope: principal.scope, requestId: requestIdOf(request), baseUrl, request };
  return handler({ ...context, client: () => clientOf(context) }, parsed as never);
}

type ObservedRequest = Pick<AnsweredRequest, 'tenant_id' | 'code'>;

/** Notifies observers of an answer after it is sent; the caller adds the tenant and the error code. */
function watch(
  { id, method }: Route,
  request: RouteRequest,
  response: RouteResponse,
  { observers = [] }: Mounting,
  protocol: AnsweredRequest['protocol'],
): ObservedRequest {
  const observed: ObservedRequest = { tenant_id: null, code: null };
  if (observers.length === 0) return observed;
  const startMs = performance.now();
  response.once('close', () => {
    const duration_ms = performance.now() - startMs;
    const { statusCode: status } = response;
    const answered = { route: id, method, protocol, status, duration_ms, request_id: requestIdOf(request), ...observed };
    for (const observer of observers) observer.answered(answered);
  });
  return observed;
}

const readBody = async (request: RouteRequest, route: Route, { scope }: Principal, bodies: BodyReader): Promise<unknown> =>
  route.takes
    ? validate(route.body, await readRaw(request, route.takes), 'invalid_request_body')
    : bodies.read(request, route, scope.tenant_id);

/** docs/reference/http-api.md#versions: on every answer of a deprecated route, with the id put into the successor's address. */
function deprecate({ deprecated }: Route, request: Request, response: Response): void {
  if (!deprecated) return;
  const use = deprecated.use.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(request.params[name])));
  response.setHeader('Deprecation', 'true');
  if (deprecated.sunset) response.setHeader('Sunset', deprecated.sunset);
  response.setHeader('Link', `<${use}>; rel="successor-version"`);
}
