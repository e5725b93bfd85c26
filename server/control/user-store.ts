import type { Actor } from './actor.ts';
import type { User } from './tenant-store.ts';

/** The people there are, whatever tenants they belong to. */
export interface UserStore {
  /** @param email in any case */
  find(email: string): Promise<User | null>;
  /** What `hashPassword` made; null for a user who signs in elsewhere. */
  passwordHash(userId: string): Promise<string | null>;
  /** The user with that address, made when there is none. The password of one that exists stays as it is. */
  ensure(by: Actor, user: { email: string; name: string | null; password_hash: string | null }): Promise<User>;
}
