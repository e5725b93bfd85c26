import { fail, failForNow } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import type { Actor } from '../../control/actor.ts';
import type { ControlStore } from '../../control/control-store.ts';
import type { Invitation } from '../../control/invitation-store.ts';
import type { User } from '../../control/tenant-store.ts';
import type { UserStore } from '../../control/user-store.ts';
import { cookieOf } from '../../identity/credential.ts';
import { type OpenIdProvider, OpenIdUnavailable, type Vouched } from '../../identity/openid-provider.ts';
import { sessionCookieFor } from '../../identity/session-cookie.ts';

const cookieName = 'glasshouse_openid';
const callbackPath = '/v1/auth/openid/callback';
const lifeSeconds = 600;
const retrySeconds = 5;
/** The addresses contain a code or the target page. */
const unreferred = { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' };

export const openIdSignInModule = defineModule({
  group: 'openIdSignIn',
  needs: ['control', 'logins', 'openId'],
  isAnnounced: ({ openId }) => openId !== null,
  build: ({ control, logins, openId }) => ({
    begin: async ({ baseUrl }, { query: { return_to } }) => {
      const { url, sealed } = await orLater(() => configured(openId).begin(baseUrl + callbackPath, return_to));
      return new Answer(302, undefined, { ...unreferred, Location: url, 'Set-Cookie': waitingCookie(sealed, baseUrl) });
    },

    finish: async ({ baseUrl, request, principal: { actor } }) => {
      const noWaiting = waitingCookie(null, baseUrl);
      const spent = { ...unreferred, 'Set-Cookie': noWaiting };
      const came = new URL(request.url ?? '', baseUrl).href;
      const vouched = await orLater(() => configured(openId).finish(came, cookieOf(request.headers.cookie, cookieName)));
      if (!vouched) return new Answer(302, undefined, { ...spent, Location: '/#/sign-in?problem=refused' });
      const user = await userOf(control, actor, vouched);
      const login = user && (await logins.start(user, undefined, actor.ip));
      if (!login) return new Answer(302, undefined, { ...spent, Location: '/#/sign-in?problem=unknown' });
      const cookies = [noWaiting, sessionCookieFor(login, baseUrl)];
      return new Answer(302, undefined, { ...unreferred, Location: `/${vouched.returnTo}`, 'Set-Cookie': cookies });
    },
  }),
});

const configured = (openId: OpenIdProvider | null): OpenIdProvider =>
  openId ?? fail('openid_not_configured', 'This deployment has no identity provider. docs/deploy.md says how its operator sets one up');

/** User of an identity. Sign-in alone does not join a team: the user must have been added, or the verified address invited. */
async function userOf({ users, invitations }: ControlStore, anybody: Actor, vouched: Vouched): Promise<User | null> {
  const { identity, email } = vouched;
  const known = await users.findLinked(identity);
  if (email === null) return known;
  const invited = await invitations.listTo(email);
  const user = known ?? (await linkedFirst(users, anybody, { ...vouched, email }, invited[0]));
  // Data for the address is not for a user with another one.
  if (user?.email !== email.toLowerCase()) return user;
  for (const each of invited) await invitations.accept({ ...anybody, kind: 'user', id: user.id }, each, user.id);
  return user;
}

/**
 * Links an identity to the user with its verified address on the first sign-in, and invalidates the user's password and logins, because an
 * invitee may have created the account. The address no longer matters afterwards.
 * @param invitation permits the creation of a user
 */
async function linkedFirst(users: UserStore, anybody: Actor, whose: Vouched & { email: string }, invitation: Invitation | undefined) {
  const { identity, email, name } = whose;
  const begun = async ({ id, name: given }: Invitation) =>
    users.ensure({ ...anybody, id: `invitation:${id}` }, { email, name: given ?? name, password_hash: null });
  const user = (await users.find(email)) ?? (invitation && (await begun(invitation)));
  if (!user) return null;
  await users.link({ ...anybody, kind: 'user', id: user.id }, user.id, identity);
  return users.findLinked(identity);
}

/** Not SameSite=Strict, because it must be sent with the provider's redirect; limited to that path. */
function waitingCookie(sealed: string | null, baseUrl: string): string {
  const value = sealed === null ? `${cookieName}=; Max-Age=0` : `${cookieName}=${sealed}; Max-Age=${lifeSeconds}`;
  return `${value}; Path=${callbackPath}; HttpOnly; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`;
}

async function orLater<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OpenIdUnavailable) failForNow('service_unavailable', error.message, retrySeconds);
    throw error;
  }
}
