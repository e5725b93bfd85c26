import type { IncomingMessage } from 'node:http';
import type { Route } from '../../shared/contract/route.ts';
import { keyStart } from '../platform/key-form.ts';

/** The dashboard's login, kept where no script can read it. */
export const sessionCookie = 'glasshouse_session';

/**
 * Sent by the dashboard with every request. No other site can make a browser send it without asking first, and nobody is ever allowed:
 * that is what lets a cookie count as a credential.
 */
const pageHeader = 'x-glasshouse-page';

export interface Credential {
  kind: 'key' | 'login';
  value: string;
}

const bearerWord = /^bearer +/i;

/** What a request shows of itself, told apart by how it begins. Null when there is nothing, or not in the form that the route takes. */
export function credentialOf({ headers }: IncomingMessage, route: Route): Credential | null {
  const sent = headers.authorization;
  if (sent === undefined) {
    const cookie = headers[pageHeader] === undefined ? undefined : cookieOf(headers.cookie, sessionCookie);
    return cookie === undefined || route.credential === 'bearer-key' ? null : { kind: 'login', value: cookie };
  }
  const bearer = bearerWord.exec(sent)?.[0] ?? '';
  const value = sent.slice(bearer.length).trim();
  if (!value.startsWith(keyStart)) return route.credential === 'bearer-key' ? null : { kind: 'login', value };
  // Exporters send the key as it is; the worker socket wants the word before it.
  if (route.credential === 'raw-key' && bearer !== '') return null;
  if (route.credential === 'bearer-key' && bearer === '') return null;
  return { kind: 'key', value };
}

/** What to do differently, of a request that `credentialOf` finds nothing in. */
export function whyNoCredential({ headers: { authorization: sent } }: IncomingMessage, { credential }: Route): string {
  const form = credential === 'bearer-key' ? 'an API key, as Authorization: Bearer sk_service_…' : 'an API key or a login';
  if (sent === undefined) return `There is no Authorization header. Send ${form}`;
  const isKey = sent.replace(bearerWord, '').trim().startsWith(keyStart);
  if (credential === 'raw-key' && isKey) return 'Here a key stands alone in the Authorization header: send the key without Bearer';
  return isKey ? 'Send the key with Bearer before it: Authorization: Bearer sk_service_…' : `This takes ${form}, not a login`;
}

export function cookieOf(header: string | undefined, cookie: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === cookie)?.[1];
}
