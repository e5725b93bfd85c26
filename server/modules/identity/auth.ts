import { passwordCharsMin } from '../../../shared/contract/identity/auth.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { fail } from '../../app/fail.ts';
import { Answer, defineModule, type Handlers } from '../../app/module.ts';
import { translateOverload } from '../../app/password-overload.ts';
import type { ControlStore } from '../../control/control-store.ts';
import type { ListedSession } from '../../control/session-store.ts';
import type { Tenant, User } from '../../control/tenant-store.ts';
import { fromOf } from '../../identity/from.ts';
import type { Login } from '../../identity/logins.ts';
import { permissionsOf } from '../../identity/role-permissions.ts';
import { noSessionCookie, sessionCookieFor } from '../../identity/session-cookie.ts';
import { must } from '../../platform/assert.ts';

const appsMax = 1000;
const loginsMax = 100;
const tooShort = `must have at least ${passwordCharsMin} characters`;
const publicUser = ({ id, email, name }: User) => ({ id, email, name });
const publicLogin = ({ id, tenant_name, client, ip, created_at, last_used_at, expires_at }: ListedSession, currentId: string) => ({
  ...{ id, tenant_name, client, ip, created_at },
  ...{ last_used_at: last_used_at ?? created_at, expires_at, is_current: id === currentId },
});
const publicTenant = ({ id, name, plan }: Tenant) => ({ id, name, plan });

export const authModule = defineModule({
  group: 'auth',
  needs: ['control', 'logins'],
  build: ({ control, logins }) => ({
    login: async ({ principal, request, baseUrl }, { body }) => {
      const login = await translateOverload(() =>
        logins.withPassword(body.email, body.password, body.tenant_id, fromOf(principal, request)),
      );
      if (!login) fail('unauthorized', 'Wrong email or password');
      return signInAnswer(control, login, baseUrl);
    },

    join: async ({ principal, request, baseUrl }, { body: { code, password } }) => {
      const login = await translateOverload(() => logins.join(code, password, fromOf(principal, request)));
      if (login === 'gone') fail('invitation_not_found', 'Invalid or expired invitation code');
      if (login === 'wrong') fail('unauthorized', 'There is an account with that address, and this is not its password');
      if (login === 'short') fail('invalid_request_body', 'Invalid request body', { details: { password: tooShort } });
      return signInAnswer(control, login, baseUrl);
    },

    ...ownLogins(control),

    enter: async ({ principal, request, baseUrl }, { body }) => {
      const own = must(principal.session, 'the route takes logins only');
      const user = await control.tenants.findMember(body.tenant_id.toLowerCase(), own.user_id);
      if (!user) fail('forbidden', 'You are not a member of that tenant');
      const login = await logins.enter(own, user, body.tenant_id.toLowerCase(), fromOf(principal, request));
      // Between the request and its answer somebody signed out, or lost the membership.
      if (!login) fail('unauthorized', 'This login has ended');
      return signInAnswer(control, login, baseUrl);
    },

    changePassword: async ({ principal: { session, actor } }, { body: { current, next } }) => {
      const { id } = must(session, 'the route takes logins only');
      if (!(await translateOverload(() => logins.changePassword(actor, id, current, next))))
        fail('invalid_request_body', 'Invalid request body', { details: { current: 'is not your password' } });
      return new Answer(204, undefined);
    },

    me: async ({ principal: { scope, session } }) => {
      const member = must(
        await control.tenants.findMember(scope.tenant_id, must(session, 'the route takes logins only').user_id),
        'a signed-in user is a member',
      );
      const memberships = await control.tenants.memberships(member.id);
      const membership = must(
        memberships.find(({ tenant }) => tenant.id === scope.tenant_id),
        'a login is about a tenant of the user',
      );
      return {
        data: {
          user: publicUser(member),
          tenant: publicTenant(membership.tenant),
          role: membership.role,
          permissions: [...permissionsOf[membership.role]],
          tenants: memberships.map(({ tenant }) => publicTenant(tenant)),
          apps: await appsOf(control, scope.tenant_id),
        },
      };
    },
  }),
});

/** What people see of their logins, and how they end them. */
const ownLogins = ({ sessions }: ControlStore): Pick<Handlers<Contract['auth']>, 'logins' | 'endLogin' | 'endOtherLogins' | 'logout'> => ({
  logout: async ({ principal, baseUrl }) => {
    await sessions.end(principal.actor, must(principal.session, 'the route takes logins only').id);
    return new Answer(204, undefined, { 'Set-Cookie': noSessionCookie(baseUrl) });
  },

  logins: async ({ principal: { session } }) => {
    const own = must(session, 'the route takes logins only');
    const list = await sessions.list(own.user_id, loginsMax);
    return { data: list.map((login) => publicLogin(login, own.id)) };
  },

  endLogin: async ({ principal: { session, actor } }, { params: { loginId } }) => {
    const { user_id } = must(session, 'the route takes logins only');
    if (!(await sessions.endOf(actor, user_id, loginId.toLowerCase()))) fail('login_not_found', `You have no login ${loginId}`);
    return new Answer(204, undefined);
  },

  endOtherLogins: async ({ principal: { session, actor } }) => {
    const { id, user_id } = must(session, 'the route takes logins only');
    await sessions.endOthers(actor, user_id, id);
    return new Answer(204, undefined);
  },
});

/** Answer to a successful sign-in. */
async function signInAnswer(control: ControlStore, login: Login, baseUrl: string): Promise<Answer> {
  const { token, expires_at, user, tenant } = login;
  const data = { token, expires_at, user: publicUser(user), tenant: publicTenant(tenant), apps: await appsOf(control, tenant.id) };
  return new Answer(200, { data }, { 'Set-Cookie': sessionCookieFor(login, baseUrl) });
}

const appsOf = async (control: ControlStore, tenantId: string) => (await control.apps.list(tenantId, { limit: appsMax, offset: 0 })).data;
