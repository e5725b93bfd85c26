/** The logins of the signed-in person. Additive, for the dashboard. */
import { z } from 'zod';
import { all, nothing } from '../core/envelope.ts';
import { route } from '../core/route.ts';

const login = z
  .object({
    id: z.uuid(),
    tenant_name: z.string(),
    client: z.string().nullable().meta({ description: 'Browser and system in words, such as “Firefox on Linux”; null when unknown.' }),
    ip: z.string().nullable().meta({ description: 'Address that the login began from.' }),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().meta({ description: 'To the minute.' }),
    expires_at: z.iso.datetime(),
    is_current: z.boolean().meta({ description: 'The login of this request.' }),
  })
  .meta({ id: 'Login' });

const declare = {
  tag: 'auth',
  only: 'cloud',
  touches: ['control'],
  app: 'none',
  internal: true,
  permission: 'signed-in',
  credential: 'session',
} as const;

export const logins = {
  logins: route({
    ...declare,
    id: 'list-logins',
    method: 'GET',
    path: '/v1/auth/logins',
    summary: 'List your logins in all tenants, newest first: those that have not ended, 100 at most. Additive',
    reply: all(login),
    errors: [],
  }),
  endLogin: route({
    ...declare,
    id: 'end-login',
    method: 'DELETE',
    path: '/v1/auth/logins/:loginId',
    summary: 'End one of your logins, at once. Additive',
    params: z.object({ loginId: z.uuid() }),
    reply: nothing,
    status: [204],
    errors: ['login_not_found'],
  }),
  endOtherLogins: route({
    ...declare,
    id: 'end-other-logins',
    method: 'DELETE',
    path: '/v1/auth/logins',
    summary: 'End all your logins but the one of this request, in all tenants, at once. Additive',
    reply: nothing,
    status: [204],
    errors: [],
  }),
};

export type Login = z.output<typeof login>;
