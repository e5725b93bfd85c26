/** Session cookie: no script can read it, and no other site can send it. */
import { sessionCookie } from './credential.ts';
import type { Login } from './logins.ts';

/** @param baseUrl URL of the dashboard: with https the cookie is never sent over plain http */
export const sessionCookieFor = ({ token, expires_at }: Pick<Login, 'token' | 'expires_at'>, baseUrl: string): string =>
  `${sessionCookie}=${token}; Expires=${new Date(expires_at).toUTCString()}; ${attributes(baseUrl)}`;

/** Removes it. */
export const noSessionCookie = (baseUrl: string): string => `${sessionCookie}=; Max-Age=0; ${attributes(baseUrl)}`;

const attributes = (baseUrl: string): string => `Path=/; HttpOnly; SameSite=Strict${baseUrl.startsWith('https:') ? '; Secure' : ''}`;
