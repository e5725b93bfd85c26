import type { Actor } from './actor.ts';
import type { User } from './tenant-store.ts';

/** Identity of a user at another service (OpenID Connect: `iss` and `sub`). */
export interface LinkedIdentity {
  issuer: string;
  subject: string;
}

/** Users, independent of tenants. */
export interface UserStore {
  /** @param email in any case */
  find(email: string): Promise<User | null>;
  /** Result of `hashPassword`; null for a user who signs in by an identity provider. */
  passwordHash(userId: string): Promise<string | null>;
  /** User of the identity; null while it is not linked. */
  findLinked(identity: LinkedIdentity): Promise<User | null>;
  /**
   * Links an identity to the user. A linked identity stays with its user, and a user has one identity of each issuer: a second one means that
   * the address belongs to somebody else now. The first link removes the user's password, ends their logins and denies the machines that
   * they approved, atomically, because somebody may have created the account without owning the address.
   */
  link(by: Actor, userId: string, identity: LinkedIdentity): Promise<void>;
  /** User with that address, created when missing. An existing password stays. */
  ensure(by: Actor, user: { email: string; name: string | null; password_hash: string | null }): Promise<User>;
  setPassword(by: Actor, userId: string, passwordHash: string): Promise<void>;
  /** Replaces the password hash `from`. False when it was replaced or removed meanwhile. */
  replacePassword(by: Actor, userId: string, from: string, to: string): Promise<boolean>;
}
