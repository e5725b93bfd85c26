/** Cookie and redirect target of a browser that connects an app. */
import type { Actor } from '../../../control/actor.ts';
import type { StateClaims } from '../../../git/connect-states.ts';

/** Identifies the browser that started a connection. */
export const cookieName = 'glasshouse_git_connect';
const lifeSeconds = 600;

/**
 * Not SameSite=Strict, because it must be sent with the provider's redirect; limited to that path.
 * @param secret null removes it
 */
export function browserCookie(secret: string | null, baseUrl: string): string {
  const value = secret === null ? `${cookieName}=; Max-Age=0` : `${cookieName}=${secret}; Max-Age=${lifeSeconds}`;
  return `${value}; Path=/v1/git/callback; HttpOnly; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`;
}

/** Always our own dashboard, without a referrer, because the callback URL contains a code. */
export const dashboardAt = (appId: string, outcome: 'connected' | 'refused' | 'unavailable'): Record<string, string> => ({
  Location: `/#/settings/git?app=${encodeURIComponent(appId)}&git=${outcome}`,
  'Referrer-Policy': 'no-referrer',
});

/** The actor who started the connection, for use in its callback. */
export const initiatorOf = ({ actor_kind: kind, actor_id: id }: StateClaims, ip: string | null): Actor => ({ kind, id, ip });
