import { fail, failForNow } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import type { Actor } from '../../control/actor.ts';
import type { ControlStore } from '../../control/control-store.ts';
import type { Invitation } from '../../control/invitation-store.ts';
import type { User } from '../../control/tenant-store.ts';
import type { UserStore } from '../../control/user-store.ts';
import { cookieOf } from '../../identity/credential.ts';
import { fromOf } from '../../identity/from.ts';
import { type OpenIdProvider, OpenIdUnavailable, type VerifiedUser } from '../../identity/openid-provider.ts';
import { sessionCookieFor } from '../../identity/session-cookie.ts';

const cookieName = 'glasshouse_openid';
const callbackPath = '/v1/auth/openid/callback';
const lifeSeconds = 600;
const retrySeconds = 5;
/** The URLs contain a code or the target page. */
const noReferrer = { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' };

export const openIdSignInModule = defineModule({
  group: 'openIdSignIn',
  needs: ['control', 'logins', 'openId'],
  isAnnounced: ({ openId }) => openId !== null,
  build: ({ control, logins, openId }) => ({
    begin: async ({ baseUrl }, { query: { return_to } }) => {
      const { url, sealed } = await translateUnavailable(() => requireProvider(openId).begin(baseUrl + callbackPath, return_to));
      return new Answer(302, undefined, { ...noReferrer, Location: url, 'Set-Cookie': stateCookie(sealed, baseUrl) });
    },

    finish: async ({ baseUrl, request, principal: { actor } }) => {
      const clearedCookie = stateCookie(null, baseUrl);
      const cleared = { ...noReferrer, 'Set-Cookie': clearedCookie };
      const callbackUrl = new URL(request.url ?? '', baseUrl).href;
      const verified = await translateUnavailable(() =>
        requireProvider(openId).finish(callbackUrl, cookieOf(request.headers.cookie, cookieName)),
      );
      if (!verified) return new Answer(302, undefined, { ...cleared, Location: '/#/sign-in?problem=refused' });
      const user = await userOf(control, actor, verified);
      const login = user && (await logins.start(user, undefined, fromOf({ actor }, request)));
      if (!login) return new Answer(302, undefined, { ...cleared, Location: '/#/sign-in?problem=unknown' });
      const cookies = [clearedCookie, sessionCookieFor(login, baseUrl)];
      return new Answer(302, undefined, { ...noReferrer, Location: `/${verified.returnTo}`, 'Set-Cookie': cookies });
    },
  }),
});

const requireProvider = (openId: OpenIdProvider | null): OpenIdProvider =>
  openId ?? fail('openid_not_configured', 'This deployment has no identity provider. docs/deploy.md says how its operator sets one up');

/** User of an identity. Sign-in alone does not join a team: the user must have been added, or the verified address invited. */
async function userOf({ users, invitations }: ControlStore, caller: Actor, verified: VerifiedUser): Promise<User | null> {
  const { identity, email } = verified;
  const linked = await users.findLinked(identity);
  if (email === null) return linked;
  const pending = await invitations.listTo(email);
  const user = linked ?? (await linkFirstSignIn(users, caller, { ...verified, email }, pending[0]));
  // Data for the address is not for a user with another one.
  if (user?.email !== email.toLowerCase()) return user;
  for (const invitation of pending) await invitations.accept({ ...caller, kind: 'user', id: user.id }, invitation, user.id);
  return user;
}

/**
 * Links an identity to the user with its verified address on the first sign-in, and invalidates the user's password and logins, because an
 * invitee may have created the account. The address no longer matters afterwards.
 * @param invitation permits the creation of a user
 */
async function linkFirstSignIn(
  users: UserStore,
  caller: Actor,
  verified: VerifiedUser & { email: string },
  invitation: Invitation | undefined,
) {
  const { identity, email, name } = verified;
  const createUser = async ({ id, name: invitedName }: Invitation) =>
    users.ensure({ ...caller, id: `invitation:${id}` }, { email, name: invitedName ?? name, password_hash: null });
  const user = (await users.find(email)) ?? (invitation && (await createUser(invitation)));
  if (!user) return null;
  await users.link({ ...caller, kind: 'user', id: user.id }, user.id, identity);
  return users.findLinked(identity);
}

/** Not SameSite=Strict, because it must be sent with the provider's redirect; limited to that path. */
function stateCookie(sealed: string | null, baseUrl: string): string {
  const value = sealed === null ? `${cookieName}=; Max-Age=0` : `${cookieName}=${sealed}; Max-Age=${lifeSeconds}`;
  return `${value}; Path=${callbackPath}; HttpOnly; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`;
}

async function translateUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OpenIdUnavailable) failForNow('service_unavailable', error.message, retrySeconds);
    throw error;
  }
}
