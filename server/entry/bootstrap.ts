/** Puts a tenant into a control store, with all that its owner needs to send a first trace: an app, its default environment and a key. */
import { permissions } from '../../shared/contract/permissions.ts';
import type { Actor } from '../control/actor.ts';
import { openSqliteControl } from '../control/drizzle/store.ts';
import { newKeyValue } from '../identity/key-value.ts';
import { hashPassword } from '../identity/password.ts';
import { must } from '../platform/assert.ts';
import { systemClock } from '../platform/clock.ts';

export interface BootstrapOptions {
  dataDir: string;
  email: string;
  password: string;
  tenant: string;
}

export interface Bootstrapped {
  tenant_id: string;
  user_id: string;
  app_id: string;
  environment_id: string;
  /** Shown this once. */
  api_key: string;
}

const by: Actor = { kind: 'system', id: 'bootstrap', ip: null };

/** @throws Duplicate when there is a tenant of that name */
export async function bootstrap({ dataDir, email, password, tenant: name }: BootstrapOptions): Promise<Bootstrapped> {
  const control = openSqliteControl(dataDir, systemClock);
  try {
    const tenant = await control.tenants.create(by, { name, plan: 'enterprise' });
    const user = await control.users.ensure(by, { email, name: null, password_hash: await hashPassword(password) });
    await control.tenants.setMember(by, tenant.id, user.id, 'owner');
    const owner: Actor = { kind: 'user', id: user.id, ip: null };
    const first = { name: 'default', display_name: null, runtime: 'nodejs', entry_point: null } as const;
    const app = await control.apps.create(owner, tenant.id, first);
    const scope = { tenant_id: tenant.id, app_id: app.id };
    const { id: environment_id } = must(await control.environments.findDefault(scope), 'an app begins with one');
    const { value, digest, key_prefix } = newKeyValue();
    const rights = { permissions, environment_id, environment_kinds: null, run_id: null, expires_at: null };
    await control.keys.create(owner, scope, { name: 'Full Access', digest, key_prefix, ...rights });
    return { tenant_id: tenant.id, user_id: user.id, app_id: app.id, environment_id, api_key: value };
  } finally {
    await control.stop();
  }
}
