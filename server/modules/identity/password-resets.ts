import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { translateOverload } from '../../app/password-overload.ts';
import type { PasswordResets } from '../../identity/password-resets.ts';

export const passwordResetsModule = defineModule({
  group: 'passwordResets',
  needs: ['passwordResets'],
  isAnnounced: ({ passwordResets }) => passwordResets !== null,
  build: ({ passwordResets }) => ({
    request: ({ principal: { actor } }, { body: { email } }) => {
      requireMail(passwordResets).request(email, actor.ip);
      return new Answer(202, undefined);
    },

    use: async ({ principal: { actor } }, { body: { code, password } }) => {
      const isReset = await translateOverload(() => requireMail(passwordResets).use(code, password, actor.ip));
      if (!isReset) fail('password_reset_not_found', 'The link was used, or has expired');
      return new Answer(204, undefined);
    },
  }),
});

const requireMail = (resets: PasswordResets | null): PasswordResets =>
  resets ?? fail('mail_not_configured', 'This deployment sends no e-mail. docs/deploy.md says how its operator sets it up');
