/** Creates a tenant in a control store, with everything that its owner needs to send a first trace: an app, its default environment and a key. */
import { passwordCharsMax, passwordCharsMin } from '../../shared/contract/identity/auth.ts';
import { keyPermissions } from '../../shared/contract/identity/permissions.ts';
import type { Actor } from '../control/actor.ts';
import type { Plan, User } from '../control/tenant-store.ts';
import type { UserStore } from '../control/user-store.ts';
import { newKeyValue } from '../identity/key-value.ts';
import { hashPassword, isPassword, type PasswordCost } from '../identity/password.ts';
import { defaultPlan } from '../limits/plan-table.ts';
import { must } from '../platform/assert.ts';
import { systemClock } from '../platform/clock.ts';
import { type ControlPlace, hasControl, openControlBeside } from './open-control.ts';

export interface BootstrapOptions {
  dataDir: string;
  /** Of the control store; in the data folder when absent. */
  place?: ControlPlace;
  email: string;
  password: string;
  tenant: string;
  /** `defaultPlan` when absent. */
  plan?: Plan | undefined;
  /** Of the hash of a new account's password; that of `hashPassword` when absent. */
  passwordCost?: PasswordCost;
}

export interface Bootstrapped {
  tenant_id: string;
  user_id: string;
  app_id: string;
  environment_id: string;
  /** Shown only once. */
  api_key: string;
}

/** The account exists with another password. The password proves who owns it, because an invitee of any tenant may have created it. */
export class WrongPassword extends Error {
  constructor(email: string) {
    super(`There is an account with the address ${email} already, and this is not its password`);
  }
}

/** The dashboard would refuse this password for a new account. */
export class InvalidPassword extends Error {}

/** Reason why a password is refused; null for a valid one. The dashboard uses the same rule. */
export const passwordProblem = (password: string): string | null =>
  password.length < passwordCharsMin
    ? `must have at least ${passwordCharsMin} characters`
    : password.length > passwordCharsMax
      ? `must have at most ${passwordCharsMax} characters`
      : null;

const by: Actor = { kind: 'system', id: 'bootstrap', ip: null };

/**
 * @throws Duplicate when the tenant name is taken
 * @throws WrongPassword when the account exists with another password
 * @throws InvalidPassword when a new account's password is refused; its message has the reason
 */
export async function bootstrap({
  dataDir,
  place = null,
  email,
  password,
  tenant: name,
  plan = defaultPlan,
  passwordCost,
}: BootstrapOptions): Promise<Bootstrapped> {
  const problem = passwordProblem(password);
  if (problem && !hasControl(dataDir, place)) throw new InvalidPassword(problem);
  const control = await openControlBeside(dataDir, place, systemClock);
  try {
    const existing = await control.users.find(email);
    if (existing && !(await isPassword(password, await control.users.passwordHash(existing.id)))) throw new WrongPassword(email);
    if (!existing && problem) throw new InvalidPassword(problem);
    const tenant = await control.tenants.create(by, { name, plan });
    const user = existing ?? (await newUser(control.users, email, await hashPassword(password, passwordCost)));
    await control.tenants.setMember(by, tenant.id, user.id, 'owner');
    const owner: Actor = { kind: 'user', id: user.id, ip: null };
    const first = { name: 'default', display_name: null, runtime: 'nodejs', entry_point: null } as const;
    const app = await control.apps.create(owner, tenant.id, first, null);
    const scope = { tenant_id: tenant.id, app_id: app.id };
    const { id: environment_id } = must(await control.environments.findDefault(scope), 'every app has one');
    const { value, digest, key_prefix } = newKeyValue();
    const keyProperties = { permissions: keyPermissions, environment_id, environment_kinds: null, run_id: null, expires_at: null };
    await control.keys.create(owner, scope, { name: 'Full Access', digest, key_prefix, ...keyProperties }, null);
    return { tenant_id: tenant.id, user_id: user.id, app_id: app.id, environment_id, api_key: value };
  } finally {
    await control.stop();
  }
}

async function newUser(users: UserStore, email: string, password_hash: string): Promise<User> {
  const user = await users.ensure(by, { email, name: null, password_hash });
  // Another process may have created it meanwhile.
  if ((await users.passwordHash(user.id)) !== password_hash) throw new WrongPassword(email);
  return user;
}
