import type { z } from 'zod';
import type { apiKey } from '../../shared/contract/identity/api-keys.ts';
import type { Permission } from '../../shared/contract/identity/permissions.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { EnvironmentKind } from './environment-store.ts';

export type ApiKey = z.output<typeof apiKey>;

export interface KeyDraft {
  name: string;
  permissions: readonly Permission[];
  /** The only environment that it writes to; null for a key that names an environment of the allowed kinds with each request. */
  environment_id: string | null;
  environment_kinds: readonly EnvironmentKind[] | null;
  /** The run whose end revokes the key; null for other keys. */
  run_id: string | null;
  expires_at: string | null;
  /** SHA-256 of the value, which is not stored. */
  digest: Uint8Array;
  /** The first characters of the value, to tell keys apart. */
  key_prefix: string;
}

/** Properties of a key that authentication needs. */
export interface KnownKey extends Pick<ApiKey, 'id' | 'name' | 'expires_at' | 'revoked_at'> {
  scope: Scope;
  permissions: ReadonlySet<Permission>;
  environment_id: string | null;
  environment_kinds: readonly EnvironmentKind[] | null;
  run_id: string | null;
}

/** The keys of an app. */
export interface KeyStore {
  /**
   * @param max number of keys that the app may have; null for no limit. A device sign-in that is approved and has not fetched its key counts
   * as one; run keys do not count.
   * @throws LimitReached, or else Duplicate when an active key of the app has that name
   */
  create(by: Actor, scope: Scope, draft: KeyDraft, max: number | null): Promise<ApiKey>;
  /** Finds revoked and expired keys too: the caller refuses them. MUST see a revocation as soon as `revoke` has resolved. */
  findByDigest(digest: Uint8Array): Promise<KnownKey | null>;
  /** Those of these keys that are neither revoked nor expired. As `findByDigest`, sees a revocation at once. */
  active(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Keys that are not revoked, newest first. */
  list(scope: Scope, query: PageQuery): Promise<Page<ApiKey>>;
  /** Number of keys that are not revoked, without run keys, which end with their runs. */
  count(scope: Scope): Promise<number>;
  /** False when the app has no such active key. */
  revoke(by: Actor, scope: Scope, id: string): Promise<boolean>;
  /** Records that it was used, at most once a minute. */
  touch(id: string): Promise<void>;
}
