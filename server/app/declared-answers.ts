/**
 * All answers of a route, from its declaration: replies, its own error codes, codes that follow from its shape, and codes of every route. The
 * OpenAPI document lists them as `x-answers`, and the contract test in `server/conformance/contract` triggers each one.
 */
import { bodyLimitOf } from '../../shared/contract/core/body-limit.ts';
import { type ErrorCode, errorStatus } from '../../shared/contract/core/errors.ts';
import type { Route } from '../../shared/contract/core/route.ts';

/** Gateways that give an answer. */
export type Where = 'local' | 'cloud' | 'both';

export interface DeclaredAnswer {
  status: number;
  /** Null for a reply. */
  code: ErrorCode | null;
  where: Where;
}

/** The local gateway has a guard and no credentials; it checks percent-encoding and readiness before it looks for a route. */
const gatewaysOfCode: Partial<Record<ErrorCode, Where>> = {
  host_not_allowed: 'local',
  origin_not_allowed: 'local',
  not_available_locally: 'local',
  not_available_on_cloud: 'cloud',
  unauthorized: 'cloud',
  rate_limit_exceeded: 'cloud',
  span_limit_exceeded: 'cloud',
  storage_cap_exceeded: 'cloud',
  invalid_path_params: 'both',
  service_unavailable: 'both',
};

export function answersOf(route: Route): DeclaredAnswer[] {
  const servedBy = route.only ?? 'both';
  const own = new Set<ErrorCode>([...route.errors, ...storeCodes(route)]);
  const shape = shapeCodes(route);
  const replies = (route.status ?? [200]).map((status): DeclaredAnswer => ({ status, code: null, where: servedBy }));
  const codes = [...new Set([...shape, ...own])].map((code): DeclaredAnswer => {
    const isCredentialCode = credentialCodes.has(code) && !own.has(code);
    return { status: errorStatus[code], code, where: isCredentialCode ? 'cloud' : (gatewaysOfCode[code] ?? servedBy) };
  });
  const localOnly = (route.localErrors ?? []).map((code): DeclaredAnswer => ({ status: errorStatus[code], code, where: 'local' }));
  return [...replies, ...codes, ...localOnly];
}

/** Codes of looking up the caller in the control store. */
const credentialCodes: ReadonlySet<ErrorCode> = new Set(['forbidden', 'storage_unavailable']);

export const codesOf = (route: Route): ErrorCode[] => answersOf(route).flatMap(({ code }) => code ?? []);

function shapeCodes(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (route.params) codes.push('invalid_path_params');
  if (route.query) codes.push('invalid_query_params');
  if (route.takes) codes.push('payload_too_large', 'unsupported_media_type');
  else if (route.body && route.wire !== 'otlp') {
    codes.push('invalid_request_body', 'payload_too_large', 'unsupported_media_type');
    if (bodyLimitOf(route).gzip) codes.push('invalid_content_encoding');
  }
  // A gateway refuses routes that it does not serve before it authenticates.
  if (route.permission !== 'public' && route.only !== 'local') codes.push('unauthorized', 'storage_unavailable');
  if ((route.permission !== 'public' || route.rate) && route.only !== 'local') codes.push('rate_limit_exceeded');
  if (isRestricted(route) && route.only !== 'local') codes.push('forbidden');
  if (route.only === 'cloud') codes.push('not_available_locally');
  if (route.only === 'local') codes.push('not_available_on_cloud');
  return [...codes, 'host_not_allowed', 'origin_not_allowed', 'service_unavailable'];
}

const isRestricted = ({ permission, credential }: Route): boolean =>
  permission !== 'public' && (permission !== 'signed-in' || credential === 'session');

/** Error codes of the stores that a route touches. */
function storeCodes({ touches = [], method }: Route): ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (touches.length > 0) codes.push('storage_unavailable');
  if (touches.length > 0 && method !== 'GET') codes.push('storage_full');
  if (touches.includes('templates')) codes.push('forbidden');
  return codes;
}
