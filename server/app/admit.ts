/** Admission before every handler: authentication, rate limit, permission, in this order (docs/reference/http-api.md#order-of-checks). */
import type { Route } from '../../shared/contract/core/route.ts';
import type { RateLimitStatus } from '../coordination/bucket-store.ts';
import { type Authenticator, CredentialRefused, type Principal } from '../identity/authenticator.ts';
import { StorageError } from '../telemetry/storage-error.ts';
import { Failure, fail, failForNow } from './fail.ts';
import type { RouteRequest, RouteResponse } from './route-request.ts';
import type { Services } from './services.ts';

/** Path parameters as received. */
type Params = Record<string, unknown>;
type AdmissionServices = { auth: Authenticator } & Partial<Pick<Services, 'rateLimits'>>;

export async function admit(
  route: Route,
  request: RouteRequest,
  response: RouteResponse,
  { auth, rateLimits }: AdmissionServices,
): Promise<Principal> {
  const principal = await authenticate(auth, route, request);
  if (rateLimits) limitRate(response, await rateLimits.admit(principal, route));
  return principal;
}

async function authenticate(auth: Authenticator, route: Route, request: RouteRequest): Promise<Principal> {
  try {
    return await auth.authenticate(request, route, request.params);
  } catch (error) {
    if (error instanceof CredentialRefused) fail(error.code, error.message);
    throw error;
  }
}

/** Runs the handler if the principal has the permission; the audit log records forbidden changes to the tenant's own objects. */
export async function ifAllowed<T>(
  route: Route,
  principal: Principal,
  params: Params,
  { control }: Partial<Pick<Services, 'control'>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    authorise(route, principal, params);
    return await work();
  } catch (error) {
    if (error instanceof Failure && error.code === 'forbidden' && administers(route)) {
      await control?.audit.recordRefusal(principal.actor, principal.scope, route.id);
    }
    throw error;
  }
}

/** Not telemetry senders: one wrong key would fill the log with thousands of entries. */
const administers = ({ only, method, permission }: Route): boolean => only === 'cloud' && method !== 'GET' && !permission.endsWith('.read');

/**
 * Whether the caller would still be admitted: keys are revoked and logins end during a long answer.
 * @throws StorageError when this cannot be determined now
 */
export async function isStillAdmitted(route: Route, request: RouteRequest, { auth }: AdmissionServices): Promise<boolean> {
  try {
    authorise(route, await authenticate(auth, route, request), request.params);
    return true;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    return false;
  }
}

/** Sets the rate limit headers, and rejects the request when nothing is left. */
function limitRate(response: RouteResponse, quota: RateLimitStatus | null): void {
  if (!quota) return;
  response.setHeader('RateLimit-Limit', quota.limit);
  response.setHeader('RateLimit-Remaining', quota.remaining);
  response.setHeader('RateLimit-Reset', quota.resetSeconds);
  if (quota.retryAfterSeconds !== null) failForNow('rate_limit_exceeded', 'Too many requests', quota.retryAfterSeconds);
}

function authorise({ permission, credential, runKeyAccess }: Route, principal: Principal, params: Params): void {
  if (permission === 'public') return;
  // Before the permission: no key is accepted, whatever its permissions.
  if (credential === 'session' && !principal.session) fail('forbidden', 'This is for signed-in users, not for keys');
  if (permission === 'signed-in') return;
  if (!principal.may(permission)) fail('forbidden', `This needs the permission ${permission}`, { required_permission: permission });
  const run = principal.key?.run_id ?? null;
  if (run !== null && runKeyAccess === 'nothing') fail('forbidden', 'This is not for the key of a run');
  if (run !== null && runKeyAccess === 'own' && params['runId'] !== run) fail('forbidden', 'The key of a run is for that run only');
}
