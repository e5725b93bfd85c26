/**
 * Lets a handler call other routes on behalf of its caller, in process: validated, authorised and refused like HTTP requests. The caller's request has
 * been counted already, so these calls are not.
 */
import { type Client, GatewayError, pathOf } from '../../shared/client.ts';
import type { Route } from '../../shared/contract/core/route.ts';
import { contract } from '../../shared/contract/index.ts';
import { Encoded } from '../telemetry/encoded.ts';
import { ifAllowed } from './admit.ts';
import { Failure, fail } from './fail.ts';
import { Answer, type Context, type Handler } from './module.ts';
import type { Services } from './services.ts';
import { readQuery, validate } from './validate.ts';

/** Longest reply. Parsing a longer one would hold up other requests. */
const replyBytesMax = 8 * 1024 * 1024;

interface Input {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** @param handlerOf null for a route that is not served */
export function ownCalls(
  handlerOf: (group: string, name: string) => Handler<Route> | null,
  services: Partial<Pick<Services, 'control'>>,
  unavailable: 'not_available_locally' | 'not_available_on_cloud',
  context: Omit<Context, 'client'>,
): Client {
  const call = (route: Route, handler: Handler<Route> | null) => async (input: Input) => {
    try {
      if (!handler) return fail(unavailable, `${route.method} ${route.path} is not served here`);
      if (route.wire !== undefined && route.wire !== 'json') throw new Error(`${route.id} has no JSON reply`);
      return await perform(route, handler, input);
    } catch (error) {
      throw error instanceof Failure ? new GatewayError(error.status, error.body()) : error;
    }
  };
  const perform = async (route: Route, handler: Handler<Route>, { params = {}, query = {}, body }: Input): Promise<unknown> => {
    const asText = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
    const parsed = {
      params: validate(route.params, asText, 'invalid_path_params'),
      query: validate(route.query, readQuery(pathOf('', {}, query)), 'invalid_query_params'),
      ...(route.body ? { body: validate(route.body, body, 'invalid_request_body') } : {}),
    };
    const called = { ...context, client: () => ownCalls(handlerOf, services, unavailable, context) };
    return decoded(await ifAllowed(route, context.principal, asText, services, async () => handler(called, parsed as never)));
  };
  const groups = Object.entries(contract).map(([group, routes]) => [
    group,
    Object.fromEntries(
      Object.entries(routes as Record<string, Route>).map(([name, route]) => {
        const own = call(route, handlerOf(group, name));
        return [name, (input: Input = {}) => own(input)];
      }),
    ),
  ]);
  return Object.fromEntries(groups) as Client;
}

function decoded(reply: unknown): unknown {
  const body = reply instanceof Answer ? reply.body : reply;
  if (typeof body !== 'object' || body === null || !('data' in body) || !(body.data instanceof Encoded)) return body;
  const { length } = body.data.json;
  if (length > replyBytesMax)
    fail('payload_too_large', `The reply has ${length} bytes; reports can read at most ${replyBytesMax}. Narrow the request`);
  return { ...body, data: body.data.decode() };
}
