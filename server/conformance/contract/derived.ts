/** Triggers derived from the document alone: refusals that are the same for every route. */
import type { Operation, PublishedApi } from '../published/published-api.ts';
import { declares, type Target } from './declared.ts';
import { type Call, rateLimited, starting, stranger, type Trigger, unprivileged, withoutControl } from './trigger.ts';

/** Larger than the limit of any route, in bytes. */
const tooLarge = 64 * 1024 * 1024;

type Derive = (api: PublishedApi, operation: Operation) => Partial<Trigger>;

/** For each error code, a request that gets it from any operation that declares it. */
const refusals: Record<string, { status: number; ask: Derive }> = {
  host_not_allowed: { status: 403, ask: () => ({ headers: { host: 'glasshouse.example' } }) },
  origin_not_allowed: { status: 403, ask: () => ({ headers: { origin: 'https://page.example' } }) },
  not_available_locally: { status: 501, ask: () => ({}) },
  not_available_on_cloud: { status: 501, ask: () => ({}) },
  service_unavailable: { status: 503, ask: () => ({ at: starting }) },
  invalid_path_params: { status: 400, ask: (_, { parameters }) => ({ params: { [nameOf(parameters, 'path')]: '%zz' } }) },
  invalid_query_params: {
    status: 400,
    ask: (api, operation) => ({ query: `${singleQuery(api, operation)}=1&${singleQuery(api, operation)}=2` }),
  },
  invalid_request_body: { status: 400, ask: () => ({ body: '{' }) },
  invalid_otlp_payload: { status: 400, ask: () => ({ body: '{' }) },
  invalid_content_encoding: { status: 400, ask: () => ({ body: 'not gzip', headers: { 'content-encoding': 'gzip' } }) },
  payload_too_large: { status: 413, ask: () => ({ announced: tooLarge }) },
  unsupported_media_type: { status: 415, ask: () => ({ body: 'x', headers: { 'content-type': 'text/plain' } }) },
};

/** Error codes of authentication and rate limits: the status and the caller for each. */
const admission: Record<string, { status: number; at: string }> = {
  unauthorized: { status: 401, at: stranger },
  rate_limit_exceeded: { status: 429, at: rateLimited },
  forbidden: { status: 403, at: unprivileged },
  storage_unavailable: { status: 503, at: withoutControl },
};

/** Triggers for gateways with authentication: every protected operation refuses these callers first. */
export function guarded(api: PublishedApi, target: Target): Trigger[] {
  const guardedOperations = api.operations.filter(
    (operation) => operation.permission !== undefined && declares(operation, target, 401, 'unauthorized'),
  );
  return guardedOperations.flatMap((operation) =>
    Object.entries(admission)
      .filter(([code, { status }]) => declares(operation, target, status, code))
      .map(([code, { status, at }]): Trigger => ({ call: `${operation.method} ${operation.path}` as Call, at, status, code })),
  );
}

export function derived(api: PublishedApi, target: Target): Trigger[] {
  return api.operations.flatMap((operation) =>
    Object.entries(refusals)
      .filter(([code, { status }]) => declares(operation, target, status, code) && takes(operation, code))
      .map(
        ([code, { status, ask }]): Trigger => ({
          call: `${operation.method} ${operation.path}` as Call,
          status,
          code,
          ...ask(api, operation),
        }),
      ),
  );
}

/** GET routes declare `payload_too_large` for other reasons; their own triggers cover it. */
const takes = ({ method }: Operation, code: string): boolean => code !== 'payload_too_large' || method !== 'GET';

const nameOf = (parameters: Operation['parameters'], where: 'path' | 'query'): string =>
  parameters.find((parameter) => parameter.in === where)?.name ?? '';

/** Query parameter with a single value and no error code of its own. */
function singleQuery(api: PublishedApi, { parameters }: Operation): string {
  const single = parameters.filter(({ in: where, name, schema }) => {
    const { type } = api.resolve(schema);
    return where === 'query' && name !== 'filter' && type !== 'array';
  });
  return nameOf(single, 'query');
}
