/** Sign-in and sign-out. A login is a row that its token refers to: without the row the token is invalid. */
import { passwordCharsMin } from '../../shared/contract/identity/auth.ts';
import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { Session } from '../control/session-store.ts';
import type { Role, Tenant, User } from '../control/tenant-store.ts';
import type { BucketStore } from '../coordination/bucket-store.ts';
import { AccountAttempts } from '../limits/account-attempts.ts';
import type { Clock } from '../platform/clock.ts';
import type { From } from './from.ts';
import { linkDigestOf } from './link-code.ts';
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

interface Begun {
  login: Login;
  by: Actor;
  sid: string;
}

export class Logins {
  readonly #control: ControlStore;
  readonly #tokens: SessionTokens;
  readonly #clock: Clock;
  readonly #attempts: AccountAttempts;

  /** @param buckets of sign-in attempts */
  constructor(control: ControlStore, tokens: SessionTokens, buckets: BucketStore, clock: Clock) {
    this.#control = control;
    this.#tokens = tokens;
    this.#clock = clock;
    this.#attempts = new AccountAttempts(buckets);
  }

  /**
   * Null for a wrong password, an unknown user, or a user outside the requested tenant; the caller cannot tell which.
   * @throws TooManyAttempts, PasswordsBusy
   */
  async withPassword(email: string, password: string, tenantId: string | undefined, from: From): Promise<Login | null> {
    const { ip } = from;
    const succeeded = await this.#attempts.begin(email, ip);
    const user = await this.#control.users.find(email);
    const stored = user && (await this.#control.users.passwordHash(user.id));
    const isRight = await isPassword(password, stored);
    if (isRight) await succeeded();
    else if (user) this.#recordRefused(user.id, ip);
    return user && isRight ? this.#startBy(stored, user, tenantId, from) : null;
  }

  /**
   * Accepts an invitation as the user of its address: an existing user with their password, or a new user with the given one. `gone` for an
   * invalid invitation, `wrong` for a wrong password, `short` for a new one that is too short.
   * @throws TooManyAttempts, PasswordsBusy
   */
  async join(code: string, password: string, from: From): Promise<Login | 'gone' | 'wrong' | 'short'> {
    const { ip } = from;
    const { invitations, users } = this.#control;
    const invitation = await invitations.find(linkDigestOf(code));
    if (!invitation) return 'gone';
    const { email, name, tenant_id } = invitation;
    const succeeded = await this.#attempts.begin(email, ip);
    const existing = await users.find(email);
    if (!existing && password.length < passwordCharsMin) return 'short';
    const joining: Actor = { kind: 'system', id: `invitation:${invitation.id}`, ip };
    const user = existing ?? (await users.ensure(joining, { email, name, password_hash: await hashPassword(password) }));
    // Also for a new user, because another request may have created it first.
    const stored = await users.passwordHash(user.id);
    if (!(await isPassword(password, stored))) {
      this.#recordRefused(user.id, ip);
      return 'wrong';
    }
    await succeeded();
    const isMember = await invitations.accept({ kind: 'user', id: user.id, ip }, invitation, user.id);
    return isMember ? ((await this.#startBy(stored, user, tenant_id, from)) ?? 'wrong') : 'gone';
  }

  /**
   * False when `current` is wrong. Ends all other logins of the user.
   * @throws TooManyAttempts, PasswordsBusy
   */
  async changePassword(by: Actor, sessionId: string, current: string, next: string): Promise<boolean> {
    const succeeded = await this.#attempts.begin(`of ${by.id}`, by.ip);
    const stored = await this.#control.users.passwordHash(by.id);
    if (!(await isPassword(current, stored)) || stored === null) {
      this.#recordRefused(by.id, by.ip);
      return false;
    }
    await succeeded();
    // The hashes take time, in which the password may be changed, or removed because the account has another owner.
    if (!(await this.#control.users.replacePassword(by, by.id, stored, await hashPassword(next)))) return false;
    await this.#control.sessions.endOthers(by, by.id, sessionId);
    return true;
  }

  /**
   * Not awaited, because the time of the answer would tell that the account exists. When it fails, the store fails, and so do all sign-ins,
   * which is reported.
   */
  #recordRefused(userId: string, ip: string | null): void {
    this.#control.audit.recordRefusedSignIn(userId, ip).catch(() => undefined);
  }

  /** For a user authenticated in another way, such as by an identity provider. */
  async start(user: User, tenantId: string | undefined, from: From): Promise<Login | null> {
    return (await this.#begin(user, tenantId, from))?.login ?? null;
  }

  /** A login to another tenant, instead of the one that the user has. Null when that one has ended, and for a user who is no member. */
  async enter(session: Pick<Session, 'id'>, user: User, tenantId: string, from: From): Promise<Login | null> {
    return (await this.#begin(user, tenantId, from, session.id))?.login ?? null;
  }

  /**
   * Starts a login for the password hash `stored`. During the check the password may have been changed, which ends existing logins: so the
   * new login is discarded when the hash has changed.
   */
  async #startBy(stored: string | null, user: User, tenantId: string | undefined, from: From): Promise<Login | null> {
    const started = await this.#begin(user, tenantId, from);
    if (!started || (await this.#control.users.passwordHash(user.id)) === stored) return started?.login ?? null;
    await this.#control.sessions.end(started.by, started.sid);
    return null;
  }

  /** @param insteadOf login that must not have ended, and ends */
  async #begin(user: User, tenantId: string | undefined, { ip, client }: From, insteadOf?: string): Promise<Begun | null> {
    const { tenants, sessions } = this.#control;
    const membership = (await tenants.memberships(user.id)).find(({ tenant }) => tenantId === undefined || tenant.id === tenantId);
    if (!membership) return null;
    const { tenant, role } = membership;
    const by: Actor = { kind: 'user', id: user.id, ip };
    const expires_at = new Date(this.#clock.now() + loginMs).toISOString();
    const draft = { user_id: user.id, tenant_id: tenant.id, expires_at, client };
    const session = await (insteadOf === undefined ? sessions.start(by, draft) : sessions.replace(by, insteadOf, draft));
    if (!session) return null;
    const sid = session.id;
    const token = await this.#tokens.sign({ sid, user_id: user.id, email: user.email, tenant_id: tenant.id, role, expires_at });
    return { login: { token, expires_at, user, tenant, role }, by, sid };
  }
}
