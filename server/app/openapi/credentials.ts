/** Who may call an operation, in the words of OpenAPI and in a sentence. */
import type { Route } from '../../../shared/contract/core/route.ts';

type SchemeName = keyof typeof securitySchemes;

export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'sk_service_…',
    description: 'An API key: `Authorization: Bearer sk_service_…`. A cloud gateway makes keys; a local one takes requests without.',
  },
  rawApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key as it is, without `Bearer` before it: `Authorization: sk_service_…`. Exporters of telemetry send it so.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `token` that `POST /v1/auth/login` answers: a person who has signed in, with the permissions of their role.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'glasshouse_session',
    description:
      'The same token as the cookie of the dashboard. It counts only beside the header `X-Glasshouse-Page`, which pages of other sites cannot send.',
  },
} as const;

/** A local gateway has a guard instead of credentials. */
const needsNone = ({ permission, only }: Route): boolean => permission === 'public' || only === 'local';

/** The schemes that will do, any one of them; empty where none is needed. */
export function securityOf(route: Route): Partial<Record<SchemeName, string[]>>[] {
  if (needsNone(route)) return [];
  if (route.credential === 'bearer-key') return [{ apiKey: [] }];
  // A login would do too. Named beside the key it would make clients that are given one token send it in the form of the last scheme.
  if (route.credential === 'raw-key') return [{ rawApiKey: [] }];
  const ofPeople = [{ session: [] }, ...(isOfDashboard(route) ? [{ sessionCookie: [] }] : [])];
  if (route.credential === 'session') return ofPeople;
  return [{ apiKey: [] }, ...ofPeople];
}

/** Browsers send the cookie automatically; documented clients should not. */
const isOfDashboard = ({ internal, path }: Route): boolean => internal === true || path.startsWith('/v1/viewer/');

/** Not required by the letter, because a local gateway has no apps. */
export const appHeader = {
  name: 'X-Service-App-Id',
  in: 'header',
  required: false,
  description:
    'The app that the request is about. A cloud gateway requires it, beside a key too, though a key is of one app; a local one ignores it.',
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
    return credential === 'session'
      ? 'For people who have signed in; API keys are refused.'
      : 'Needs a valid credential, whatever it may do.';
  const ofRun =
    runKeyAccess === 'nothing'
      ? ' Keys of eval runs are refused.'
      : runKeyAccess === 'own'
        ? ' The key of an eval run serves for its own run only.'
        : '';
  const ofPeople = credential === 'session' ? ', and is for people who have signed in: API keys are refused' : '';
  const raw = credential === 'raw-key' ? ' An API key is sent without `Bearer` before it, the token of a session with it.' : '';
  return `Needs the permission \`${permission}\`${ofPeople}.${raw}${ofRun}`;
}

function modesOf({ only }: Route): string {
  if (only === 'cloud') return 'Only a cloud gateway serves it; a local one answers 501 `not_available_locally`.';
  if (only === 'local') return 'Only a local gateway serves it, without credentials; a cloud answers 501 `not_available_on_cloud`.';
  return '';
}
