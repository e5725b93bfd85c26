import type { IncomingMessage } from 'node:http';
import type { Route } from '../../shared/contract/core/route.ts';
import { keyStart } from '../platform/key-form.ts';

/** Cookie with the dashboard's login, which no script can read. */
export const sessionCookie = 'glasshouse_session';

/**
 * Header of all dashboard requests. Another site cannot send it without a CORS preflight, which is never allowed, so a cookie counts as a
 * credential.
 */
const pageHeader = 'x-glasshouse-page';

export interface Credential {
  kind: 'key' | 'login';
  value: string;
}

const bearerPrefix = /^bearer +/i;

/** Credential of a request. Null for none, or for one in the wrong form for the route. */
export function credentialOf({ headers }: IncomingMessage, route: Route): Credential | null {
  const sent = headers.authorization;
  if (sent === undefined) {
    const cookie = headers[pageHeader] === undefined ? undefined : cookieOf(headers.cookie, sessionCookie);
    return cookie === undefined || route.credential === 'bearer-key' ? null : { kind: 'login', value: cookie };
  }
  const bearer = bearerPrefix.exec(sent)?.[0] ?? '';
  const value = sent.slice(bearer.length).trim();
  if (!value.startsWith(keyStart)) return route.credential === 'bearer-key' ? null : { kind: 'login', value };
  // Exporters send the plain key; the worker socket requires `Bearer`.
  if (route.credential === 'raw-key' && bearer !== '') return null;
  if (route.credential === 'bearer-key' && bearer === '') return null;
  return { kind: 'key', value };
}

/** Hint for a request without a valid credential. */
export function whyNoCredential({ headers: { authorization: sent } }: IncomingMessage, { credential }: Route): string {
  const form = credential === 'bearer-key' ? 'an API key, as Authorization: Bearer sk_service_…' : 'an API key or a login';
  if (sent === undefined) return `There is no Authorization header. Send ${form}`;
  const isKey = sent.replace(bearerPrefix, '').trim().startsWith(keyStart);
  if (credential === 'raw-key' && isKey) return 'Send the key without Bearer';
  return isKey ? 'Send the key with Bearer before it: Authorization: Bearer sk_service_…' : `This takes ${form}, not a login`;
}

export function cookieOf(header: string | undefined, cookie: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === cookie)?.[1];
}
