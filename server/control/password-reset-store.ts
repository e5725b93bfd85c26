import type { Actor } from './actor.ts';
import type { User } from './tenant-store.ts';

export interface PasswordResetDraft {
  /** Digest of the code that is sent. */
  digest: Uint8Array;
  expires_at: string;
}

/** Password resets, each with a code for one use. They are for users who have a password, and every change of it ends them. */
export interface PasswordResetStore {
  /** False for a user without a password, or with `max` open ones already. */
  create(by: Actor, userId: string, draft: PasswordResetDraft, max: number): Promise<boolean>;
  /** Removes one whose code was not sent. */
  withdraw(by: Actor, digest: Uint8Array): Promise<void>;
  /** User of an open one. */
  find(digest: Uint8Array): Promise<User | null>;
  /** Replaces the password, ends all logins of the user and denies the machines that they approved, all or nothing. False when the code was used or has expired meanwhile. */
  use(by: Actor, digest: Uint8Array, passwordHash: string): Promise<boolean>;
}
