/** What the browser that connects an app holds, and where it is led in the end. */
import type { Actor } from '../../control/actor.ts';
import type { StateClaims } from '../../git/connect-states.ts';

/** Tells the browser that began a connection from all others. */
export const cookieName = 'glasshouse_git_connect';
const lifeSeconds = 600;

/**
 * It must come along when the provider leads back to us, so it cannot be strict; nothing but that way reads it.
 * @param secret null takes it away
 */
export function browserCookie(secret: string | null, baseUrl: string): string {
  const value = secret === null ? `${cookieName}=; Max-Age=0` : `${cookieName}=${secret}; Max-Age=${lifeSeconds}`;
  return `${value}; Path=/v1/git/callback; HttpOnly; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`;
}

/** Our own dashboard, whatever was asked; the address that leads there holds a code, and is told to nobody. */
export const dashboardAt = (appId: string, outcome: 'connected' | 'refused' | 'unavailable'): Record<string, string> => ({
  Location: `/#/settings/git?app=${encodeURIComponent(appId)}&git=${outcome}`,
  'Referrer-Policy': 'no-referrer',
});

/** Whoever began it, at the address that it is ended from. */
export const beginnerOf = ({ actor_kind: kind, actor_id: id }: StateClaims, ip: string | null): Actor => ({ kind, id, ip });
