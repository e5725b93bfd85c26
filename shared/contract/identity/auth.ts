import { z } from 'zod';
import { nothing, one } from '../core/envelope.ts';
import { bounded } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { app } from './apps.ts';
import { logins } from './logins.ts';
import { permissions } from './permissions.ts';
import { role } from './role.ts';

const user = z.object({ id: z.uuid(), email: z.string(), name: z.string().nullable() }).meta({ id: 'User' });

const tenant = z.object({ id: z.uuid(), name: z.string(), plan: z.enum(['free', 'growth', 'team', 'enterprise']) }).meta({ id: 'Tenant' });

const login = z.object({
  email: bounded(1, 320),
  password: z.string().min(1).max(1024),
  tenant_id: z.uuid().optional().meta({ description: 'For members of several tenants; the one joined first when absent.' }),
});

export const passwordCharsMin = 12;
export const passwordCharsMax = 1024;

const newPassword = z.object({
  current: z.string().min(1).max(1024),
  next: z.string().min(passwordCharsMin, `must have at least ${passwordCharsMin} characters`).max(passwordCharsMax),
});

const loginReply = one(z.object({ token: z.string(), expires_at: z.iso.datetime(), user, tenant, apps: z.array(app) }));

const declare = { tag: 'auth', only: 'cloud', touches: ['control'], app: 'none' } as const;

/** Logins of people. Programs use keys (api-keys.ts). See docs/reference/access.md#logins. */
export const auth = {
  ...logins,
  login: route({
    ...declare,
    id: 'log-in',
    method: 'POST',
    path: '/v1/auth/login',
    summary: 'Sign in with email and password; the token is returned in the body and as an HttpOnly cookie',
    permission: 'public',
    rate: 'login',
    body: login,
    reply: loginReply,
    errors: ['unauthorized'],
  }),
  join: route({
    ...declare,
    id: 'join-tenant',
    internal: true,
    method: 'POST',
    path: '/v1/auth/join',
    summary:
      'Accept an invitation and sign in: with the password of the existing account, or with a new password where there is none. Additive',
    permission: 'public',
    rate: 'login',
    body: z.object({ code: bounded(1, 200), password: z.string().min(1).max(1024) }),
    reply: loginReply,
    errors: ['unauthorized', 'invitation_not_found'],
  }),
  logout: route({
    ...declare,
    id: 'log-out',
    method: 'POST',
    path: '/v1/auth/logout',
    summary: 'End this login at once',
    permission: 'signed-in',
    credential: 'session',
    reply: nothing,
    status: [204],
    errors: [],
  }),
  me: route({
    ...declare,
    id: 'get-me',
    method: 'GET',
    path: '/v1/auth/me',
    summary: 'Read who is signed in, to which tenant and with which permissions',
    permission: 'signed-in',
    credential: 'session',
    reply: one(z.object({ user, tenant, role, permissions: z.array(z.enum(permissions)), tenants: z.array(tenant), apps: z.array(app) })),
    errors: [],
  }),
  enter: route({
    ...declare,
    id: 'enter-tenant',
    internal: true,
    method: 'POST',
    path: '/v1/auth/tenant',
    summary: 'Switch to another tenant of the user: this login ends and a new one begins. Additive',
    permission: 'signed-in',
    credential: 'session',
    body: z.object({ tenant_id: z.uuid() }),
    reply: loginReply,
    errors: [],
  }),
  changePassword: route({
    ...declare,
    id: 'change-password',
    internal: true,
    method: 'PUT',
    path: '/v1/auth/password',
    summary: 'Change your own password; every other login of the user ends. Additive',
    permission: 'signed-in',
    credential: 'session',
    rate: 'login',
    body: newPassword,
    reply: nothing,
    status: [204],
    errors: [],
  }),
};
