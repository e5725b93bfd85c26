import type { IncomingMessage } from 'node:http';
import { auth as authRoutes } from '../../../shared/contract/identity/auth.ts';
import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { translateOverload } from '../../app/password-overload.ts';
import type { Services } from '../../app/services.ts';
import { CredentialRefused, type Principal } from '../../identity/authenticator.ts';
import type { PasswordResets } from '../../identity/password-resets.ts';
import { noSessionCookie } from '../../identity/session-cookie.ts';

export const passwordResetsModule = defineModule({
  group: 'passwordResets',
  needs: ['passwordResets', 'auth', 'control'],
  isAnnounced: ({ passwordResets }) => passwordResets !== null,
  build: ({ passwordResets, auth, control }) => ({
    request: ({ principal: { actor } }, { body: { email } }) => {
      requireMail(passwordResets).request(email, actor.ip);
      return new Answer(204, undefined);
    },

    use: async ({ principal: { actor }, request, baseUrl }, { body: { code, password } }) => {
      const isReset = await translateOverload(() => requireMail(passwordResets).use(code, password, actor.ip));
      if (!isReset) fail('password_reset_not_found', 'The link was used, or has expired');
      // Of whoever is signed in where the link was opened.
      const carried = await principalOf(auth, request);
      if (carried?.session) await control.sessions.end(carried.actor, carried.session.id);
      return new Answer(204, undefined, { 'Set-Cookie': noSessionCookie(baseUrl) });
    },
  }),
});

const requireMail = (resets: PasswordResets | null): PasswordResets =>
  resets ?? fail('mail_not_configured', 'This deployment sends no e-mail. docs/deploy.md says how its operator sets it up');

/** Caller of a route that needs none. */
async function principalOf(auth: Services['auth'], request: IncomingMessage): Promise<Principal | null> {
  try {
    return await auth.authenticate(request, authRoutes.logout, {});
  } catch (error) {
    if (error instanceof CredentialRefused) return null;
    throw error;
  }
}
