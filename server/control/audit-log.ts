import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

/** One thing that somebody did, or was refused. Nothing in it is secret. */
export interface AuditEntry {
  id: number;
  at: string;
  app_id: string | null;
  actor_kind: string;
  actor_id: string;
  ip: string | null;
  /** Resource and verb: `api_key.create`; `refused` for what somebody may not do. */
  action: string;
  /** Id of the record; of the route for what was refused. */
  target: string;
  /** SHA-256 in hex of the record before and after; null where there was none. */
  before_hash: string | null;
  after_hash: string | null;
}

/** Who did what. Stores write it with what they change, in the same transaction; nobody changes or deletes a line. */
export interface AuditLog {
  /** Somebody who is known asked for a change that they may not make. */
  noteRefusal(by: Actor, scope: Scope, routeId: string): Promise<void>;
  /** Newest first. */
  list(tenantId: string, query: PageQuery): Promise<Page<AuditEntry>>;
}
