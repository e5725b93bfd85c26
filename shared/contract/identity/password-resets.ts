import { z } from 'zod';
import { nothing } from '../core/envelope.ts';
import { bounded } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { passwordCharsMax, passwordCharsMin } from './auth.ts';

const declare = { tag: 'auth', only: 'cloud', app: 'none', permission: 'public', rate: 'login' } as const;

/** A forgotten password: a link by e-mail, where the deployment sends e-mail. */
export const passwordResets = {
  request: route({
    ...declare,
    internal: true,
    id: 'request-password-reset',
    method: 'POST',
    path: '/v1/auth/password-resets',
    summary: 'Send a link to choose a new password, if the address has an account with a password; the answer does not tell. Additive',
    body: z.object({ email: bounded(1, 320) }),
    reply: nothing,
    status: [204],
    errors: ['mail_not_configured'],
  }),
  use: route({
    ...declare,
    internal: true,
    id: 'reset-password',
    touches: ['control'],
    method: 'PUT',
    path: '/v1/auth/password-resets',
    summary:
      'Choose a new password with the code of such a link, once; every login of the user ends, and the login that the request carries. Additive',
    body: z.object({
      code: bounded(1, 200),
      password: z.string().min(passwordCharsMin, `must have at least ${passwordCharsMin} characters`).max(passwordCharsMax),
    }),
    reply: nothing,
    status: [204],
    errors: ['mail_not_configured', 'password_reset_not_found'],
  }),
};
