import { fail, failForNow } from '../app/fail.ts';
import { Answer, defineModule } from '../app/module.ts';
import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { Invitation } from '../control/invitation-store.ts';
import type { User } from '../control/tenant-store.ts';
import type { UserStore } from '../control/user-store.ts';
import { cookieOf } from '../identity/credential.ts';
import { type OpenIdProvider, OpenIdUnavailable, type Vouched } from '../identity/openid-provider.ts';
import { sessionCookieFor } from '../identity/session-cookie.ts';

const cookieName = 'glasshouse_openid';
const callbackPath = '/v1/auth/openid/callback';
const lifeSeconds = 600;
const retrySeconds = 5;
/** The addresses hold a code or what one wanted to see: nobody else's business. */
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

/** Whose identity it is. Nobody joins by signing in alone: somebody must have added them, or invited the address that is proved to be theirs. */
async function userOf({ users, invitations }: ControlStore, anybody: Actor, vouched: Vouched): Promise<User | null> {
  const { identity, email } = vouched;
  const known = await users.findLinked(identity);
  if (email === null) return known;
  const invited = await invitations.listTo(email);
  const user = known ?? (await linkedFirst(users, anybody, { ...vouched, email }, invited[0]));
  // What is for the address is not for somebody who goes by another one here.
  if (user?.email !== email.toLowerCase()) return user;
  for (const each of invited) await invitations.accept({ ...anybody, kind: 'user', id: user.id }, each, user.id);
  return user;
}

/**
 * The first time an identity becomes that of the user with the address, which the provider says is theirs, and whatever let somebody in as
 * them before is worth nothing: whoever had an invitation's code may have begun the account. From then on the address no longer matters.
 * @param invitation by which there may be such a user, when there is none yet
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

/** It must come along when the provider leads back, so it cannot be strict; nothing but that way reads it. */
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
