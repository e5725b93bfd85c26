import { z } from 'zod';
import { nothing } from '../core/envelope.ts';
import { text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const declare = { tag: 'auth', only: 'cloud', app: 'none', permission: 'public', rate: 'login' } as const;

/** Signing in with the identity provider of the deployment (OpenID Connect). Both routes are for browsers and answer with redirects. */
export const openIdSignIn = {
  begin: route({
    ...declare,
    id: 'begin-openid-sign-in',
    internal: true,
    method: 'GET',
    path: '/v1/auth/openid',
    summary: 'Redirect the browser to the identity provider',
    query: z.object({
      return_to: z
        .string()
        .max(2000)
        .regex(/^#\/[\x21-\x7e]*$/, 'must be a page of the dashboard, such as #/traces')
        .default('#/')
        .meta({ description: 'The page of the dashboard to come back to.' }),
    }),
    reply: nothing,
    status: [302],
    errors: ['openid_not_configured'],
  }),
  finish: route({
    ...declare,
    id: 'finish-openid-sign-in',
    internal: true,
    method: 'GET',
    path: '/v1/auth/openid/callback',
    summary: 'Callback of the identity provider: sign in and redirect to the dashboard',
    query: z.looseObject({ code: text.optional(), state: text.optional(), error: text.optional() }),
    reply: nothing,
    status: [302],
    errors: ['openid_not_configured'],
  }),
};
