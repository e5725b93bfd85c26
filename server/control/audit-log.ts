import type { Page, PageQuery } from './page.ts';

/** One thing that somebody did, or was refused. Nothing in it is secret. */
export interface AuditEntry {
  id: number;
  at: string;
  app_id: string | null;
  actor_kind: string;
  actor_id: string;
  ip: string | null;
  /** Resource and verb: `api_key.create`. */
  action: string;
  /** Id of the record. */
  target: string;
  /** SHA-256 in hex of the record before and after; null where there was none. */
  before_hash: string | null;
  after_hash: string | null;
}

/** Who did what. Stores write it with what they change, in the same transaction; nobody changes or deletes a line. */
export interface AuditLog {
  /** Newest first. */
  list(tenantId: string, query: PageQuery): Promise<Page<AuditEntry>>;
}
