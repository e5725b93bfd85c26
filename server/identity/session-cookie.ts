/** Session cookie: no script can read it, and no other site can send it. */
import { sessionCookie } from './credential.ts';
import type { Login } from './logins.ts';

/** @param baseUrl where the page is: over https a cookie must never leave by plain http */
export const sessionCookieFor = ({ token, expires_at }: Pick<Login, 'token' | 'expires_at'>, baseUrl: string): string =>
  `${sessionCookie}=${token}; Expires=${new Date(expires_at).toUTCString()}; ${rules(baseUrl)}`;

/** Takes it away. */
export const noSessionCookie = (baseUrl: string): string => `${sessionCookie}=; Max-Age=0; ${rules(baseUrl)}`;

const rules = (baseUrl: string): string => `Path=/; HttpOnly; SameSite=Strict${baseUrl.startsWith('https:') ? '; Secure' : ''}`;
