/** Signing in and out. A login is a row that its token points to: where the row is gone, the token is worth nothing. */
import { passwordCharsMin } from '../../shared/contract/auth.ts';
import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { Role, Tenant, User } from '../control/tenant-store.ts';
import { AccountAttempts } from '../limits/account-attempts.ts';
import type { Clock } from '../platform/clock.ts';
import { invitationDigestOf } from './invitation-code.ts';
import { hashPassword, isPassword } from './password.ts';
import type { SessionTokens } from './session-token.ts';

const loginMs = 12 * 60 * 60 * 1000;

export interface Login {
  token: string;
  expires_at: string;
  user: User;
  tenant: Tenant;
  role: Role;
}

export class Logins {
  readonly #control: ControlStore;
  readonly #tokens: SessionTokens;
  readonly #clock: Clock;
  readonly #attempts: AccountAttempts;

  constructor(control: ControlStore, tokens: SessionTokens, clock: Clock) {
    this.#control = control;
    this.#tokens = tokens;
    this.#clock = clock;
    this.#attempts = new AccountAttempts(clock);
  }

  /**
   * Null when the password is not the user's, there is no such user, or they are not in the tenant that is asked for; nobody learns which.
   * @throws TooManyAttempts, PasswordsBusy
   */
  async withPassword(email: string, password: string, tenantId: string | undefined, ip: string | null): Promise<Login | null> {
    const succeeded = this.#attempts.begin(email, ip);
    const user = await this.#control.users.find(email);
    const stored = user && (await this.#control.users.passwordHash(user.id));
    const isRight = await isPassword(password, stored);
    if (isRight) succeeded();
    return user && isRight ? this.#startBy(stored, user, tenantId, ip) : null;
  }

  /**
   * Joins the tenant of an invitation, as the user of its address: with their password, or as a new user with the one that is given. `gone`
   * when nobody is invited by that code any more, `wrong` when the password is not theirs, `short` when a new one is.
   * @throws TooManyAttempts, PasswordsBusy
   */
  async join(code: string, password: string, ip: string | null): Promise<Login | 'gone' | 'wrong' | 'short'> {
    const { invitations, users } = this.#control;
    const invitation = await invitations.find(invitationDigestOf(code));
    if (!invitation) return 'gone';
    const { email, name, tenant_id } = invitation;
    const succeeded = this.#attempts.begin(email, ip);
    const known = await users.find(email);
    if (!known && password.length < passwordCharsMin) return 'short';
    const joining: Actor = { kind: 'system', id: `invitation:${invitation.id}`, ip };
    const user = known ?? (await users.ensure(joining, { email, name, password_hash: await hashPassword(password) }));
    // Also of one that was just made: somebody else may have made it first.
    const stored = await users.passwordHash(user.id);
    if (!(await isPassword(password, stored))) return 'wrong';
    succeeded();
    const isMember = await invitations.accept({ kind: 'user', id: user.id, ip }, invitation, user.id);
    return isMember ? ((await this.#startBy(stored, user, tenant_id, ip)) ?? 'wrong') : 'gone';
  }

  /**
   * False when `current` is not the password of the user. Ends every other login of theirs: whoever knew the old one is out.
   * @throws TooManyAttempts, PasswordsBusy
   */
  async changePassword(by: Actor, sessionId: string, current: string, next: string): Promise<boolean> {
    const succeeded = this.#attempts.begin(`of ${by.id}`, by.ip);
    if (!(await isPassword(current, await this.#control.users.passwordHash(by.id)))) return false;
    succeeded();
    await this.#control.users.setPassword(by, by.id, await hashPassword(next));
    await this.#control.sessions.endOthers(by, by.id, sessionId);
    return true;
  }

  /** For a user whose word has been taken: by another login of theirs, or by another service that knows them. */
  async start(user: User, tenantId: string | undefined, ip: string | null): Promise<Login | null> {
    return (await this.#begin(user, tenantId, ip))?.login ?? null;
  }

  /**
   * A login by the password that was `stored` when it was checked. That takes long enough for a change to come between, which ends the
   * logins it finds: so one that has begun is given up when the password is another by then.
   */
  async #startBy(stored: string | null, user: User, tenantId: string | undefined, ip: string | null): Promise<Login | null> {
    const begun = await this.#begin(user, tenantId, ip);
    if (!begun || (await this.#control.users.passwordHash(user.id)) === stored) return begun?.login ?? null;
    await this.#control.sessions.end(begun.by, begun.sid);
    return null;
  }

  async #begin(user: User, tenantId: string | undefined, ip: string | null): Promise<{ login: Login; by: Actor; sid: string } | null> {
    const memberships = await this.#control.tenants.memberships(user.id);
    const chosen = memberships.find(({ tenant }) => tenantId === undefined || tenant.id === tenantId);
    if (!chosen) return null;
    const { tenant, role } = chosen;
    const by: Actor = { kind: 'user', id: user.id, ip };
    const expires_at = new Date(this.#clock.now() + loginMs).toISOString();
    const { id: sid } = await this.#control.sessions.start(by, { user_id: user.id, tenant_id: tenant.id, expires_at });
    const token = await this.#tokens.sign({ sid, user_id: user.id, email: user.email, tenant_id: tenant.id, role, expires_at });
    return { login: { token, expires_at, user, tenant, role }, by, sid };
  }
}
