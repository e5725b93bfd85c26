import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { AuditChange } from './audit-changes.ts';

/** Action of a user or key, or a refused one. Contains no secrets. */
export interface AuditEntry {
  id: number;
  at: string;
  app_id: string | null;
  actor_kind: Actor['kind'];
  actor_id: string;
  ip: string | null;
  /** Resource and verb, such as `api_key.create`; `refused` for a forbidden action. */
  action: string;
  /** Id of the record; of the route for a refused action. */
  target: string;
  /** SHA-256 in hex of the record before and after; null where there was none. */
  before_hash: string | null;
  after_hash: string | null;
  /** Null where it is not recorded. */
  changes: AuditChange[] | null;
}

/** Entries that match all that is given. */
export interface AuditFilter {
  /** Id of the user or key. */
  actor?: string | undefined;
  /** Exact, or the resource alone for all actions on it. */
  action?: string | undefined;
  target?: string | undefined;
  app_id?: string | undefined;
  /** Milliseconds since the epoch, inclusive. */
  from?: number | undefined;
  /** Exclusive. */
  to?: number | undefined;
}

/** Audit log. Stores write each entry in the transaction of its change; entries are never changed or deleted. */
export interface AuditLog {
  /** Records a forbidden change by an authenticated caller. */
  recordRefusal(by: Actor, scope: Scope, routeId: string): Promise<void>;
  /** Records that traces are deleted. @param id of the deletion */
  recordDeletion(by: Actor, scope: Scope, id: string, deleted: { traces: number; spans: number }): Promise<void>;
  /** Records a sign-in with a wrong password, in every tenant of the user. */
  recordRefusedSignIn(userId: string, ip: string | null): Promise<void>;
  /** Newest first. */
  list(tenantId: string, query: PageQuery & AuditFilter): Promise<Page<AuditEntry>>;
  /** Names of users, keys, apps and environments by id, as far as they still exist. @param ids from entries of the tenant */
  names(tenantId: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>>;
}
