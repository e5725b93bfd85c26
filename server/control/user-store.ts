import type { Actor } from './actor.ts';
import type { User } from './tenant-store.ts';

/** Somebody as another service knows them (OpenID Connect: `iss` and `sub`). */
export interface LinkedIdentity {
  issuer: string;
  subject: string;
}

/** The people there are, whatever tenants they belong to. */
export interface UserStore {
  /** @param email in any case */
  find(email: string): Promise<User | null>;
  /** What `hashPassword` made; null for a user who signs in elsewhere. */
  passwordHash(userId: string): Promise<string | null>;
  /** Whose identity it is; null while it is nobody's. */
  findLinked(identity: LinkedIdentity): Promise<User | null>;
  /**
   * From now on it is this user's. One that is somebody's already stays theirs, and a user gets one of each issuer: another there is
   * somebody else's, who has the address now. The first takes the user's password away and ends their logins, all or nothing: an account
   * may have been begun by somebody who never proved whose address it is.
   */
  link(by: Actor, userId: string, identity: LinkedIdentity): Promise<void>;
  /** The user with that address, made when there is none. The password of one that exists stays as it is. */
  ensure(by: Actor, user: { email: string; name: string | null; password_hash: string | null }): Promise<User>;
  setPassword(by: Actor, userId: string, passwordHash: string): Promise<void>;
}
