import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { Role } from './tenant-store.ts';

/** What readers of a link do not get. */
export interface ShareLinkHides {
  contents: boolean;
  attributes: boolean;
  costs: boolean;
}

export interface ShareLink {
  id: string;
  trace_id: string;
  hides: ShareLinkHides;
  created_by: string;
  /** Null for somebody who is no longer known. */
  author_name: string | null;
  /** Null for somebody who is no member any more. */
  author_role: Role | null;
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  openings: number;
  last_opened_at: string | null;
}

export interface ShareLinkDraft extends Pick<ShareLink, 'trace_id' | 'hides' | 'expires_at'> {
  /** Of the token, which is not stored. */
  digest: Uint8Array;
}

/** A link that may be read now. */
export interface OpenShareLink extends Pick<ShareLink, 'id' | 'trace_id' | 'hides' | 'expires_at'> {
  scope: Scope;
  tenant_name: string;
  author_role: Role;
}

/** Links by which anybody reads one trace. They go with their app, and some time after they have ended. */
export interface ShareLinkStore {
  /**
   * Null where the tenant does not allow links. Links that ended long ago are forgotten.
   * @throws LimitReached when the app has `max` links that have not ended
   */
  create(by: Actor, scope: Scope, draft: ShareLinkDraft, max: number): Promise<ShareLink | null>;
  /** Those that have not ended first, and newest first. */
  list(scope: Scope, query: PageQuery & { trace_id?: string | undefined }): Promise<Page<ShareLink>>;
  /** False for an unknown or revoked link. */
  revoke(by: Actor, scope: Scope, id: string): Promise<boolean>;
  /** Null for an unknown, expired or revoked link, where the tenant does not allow links, and when its author is no member any more. */
  findOpen(digest: Uint8Array): Promise<OpenShareLink | null>;
  /** Openings within a minute count once. */
  countOpening(id: string): Promise<void>;
  /** Revokes a link whose trace is gone. */
  end(id: string): Promise<void>;
  areAllowed(tenantId: string): Promise<boolean>;
  /** Without permission all links stop at once; with it again, those that have not ended work again. */
  allow(by: Actor, tenantId: string, isAllowed: boolean): Promise<void>;
}
