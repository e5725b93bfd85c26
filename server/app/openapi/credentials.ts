/** Who may call an operation, as OpenAPI security schemes and in a sentence. */
import type { Route } from '../../../shared/contract/core/route.ts';

type SchemeName = keyof typeof securitySchemes;

export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'sk_service_…',
    description: 'An API key: `Authorization: Bearer sk_service_…`. A cloud gateway issues keys; a local one needs none.',
  },
  rawApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key without the prefix `Bearer`: `Authorization: sk_service_…`. Telemetry exporters send it like this.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `token` that `POST /v1/auth/login` returns. It identifies a signed-in user, with the permissions of their role.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'glasshouse_session',
    description:
      'The same token in the cookie of the dashboard. It is accepted only with the header `X-Glasshouse-Page`, which pages of other sites cannot send.',
  },
} as const;

/** A local gateway has a guard instead of credentials. */
const needsNone = ({ permission, only }: Route): boolean => permission === 'public' || only === 'local';

/** The accepted schemes, of which one is enough; empty where none is needed. */
export function securityOf(route: Route): Partial<Record<SchemeName, string[]>>[] {
  if (needsNone(route)) return [];
  if (route.credential === 'bearer-key') return [{ apiKey: [] }];
  // A session token is accepted too. If it were listed, clients with a single token would send it in the form of the last scheme.
  if (route.credential === 'raw-key') return [{ rawApiKey: [] }];
  const ofUsers = [{ session: [] }, ...(isOfDashboard(route) ? [{ sessionCookie: [] }] : [])];
  if (route.credential === 'session') return ofUsers;
  return [{ apiKey: [] }, ...ofUsers];
}

/** Browsers send the cookie automatically; documented clients should not. */
const isOfDashboard = ({ internal, path }: Route): boolean => internal === true || path.startsWith('/v1/viewer/');

/** Not declared as required, because a local gateway has no apps. */
export const appHeader = {
  name: 'X-Service-App-Id',
  in: 'header',
  required: false,
  description: 'The app of the request. A cloud gateway requires it, even with a key, which belongs to one app; a local one ignores it.',
  schema: { type: 'string', format: 'uuid' },
  example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
} as const;

export const namesApp = (route: Route): boolean => !needsNone(route) && route.app === undefined;

/** Gateways and permission of a route, as text. */
export function accessOf(route: Route): string {
  return [permissionOf(route), modesOf(route)].filter((sentence) => sentence !== '').join(' ');
}

function permissionOf({ permission, credential, only, runKeyAccess }: Route): string {
  if (permission === 'public') return 'No credentials are needed.';
  if (only === 'local') return '';
  if (permission === 'signed-in')
    return credential === 'session' ? 'For signed-in users; API keys are refused.' : 'Needs a valid credential, with any permissions.';
  const ofRun =
    runKeyAccess === 'nothing'
      ? ' Keys of eval runs are refused.'
      : runKeyAccess === 'own'
        ? ' The key of an eval run is accepted for its own run only.'
        : '';
  const ofUsers = credential === 'session' ? ', and is for signed-in users: API keys are refused' : '';
  const raw = credential === 'raw-key' ? ' Send an API key without the prefix `Bearer`, and a session token with it.' : '';
  return `Needs the permission \`${permission}\`${ofUsers}.${raw}${ofRun}`;
}

function modesOf({ only }: Route): string {
  if (only === 'cloud') return 'Only a cloud gateway serves it; a local one answers 501 `not_available_locally`.';
  if (only === 'local') return 'Only a local gateway serves it, without credentials; a cloud answers 501 `not_available_on_cloud`.';
  return '';
}
