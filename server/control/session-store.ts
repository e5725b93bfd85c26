import type { Actor } from './actor.ts';
import type { Role } from './tenant-store.ts';

/** A login of one user to one tenant, until it expires or is ended. */
export interface Session {
  id: string;
  user_id: string;
  tenant_id: string;
  created_at: string;
  expires_at: string;
  /** Browser and system in words; null when unknown. */
  client: string | null;
  /** Address that it began from. */
  ip: string | null;
  /** To the minute; null before the first use. */
  last_used_at: string | null;
}

/** Its address is that of the actor. */
export type SessionDraft = Pick<Session, 'user_id' | 'tenant_id' | 'expires_at'> & Partial<Pick<Session, 'client'>>;

export type ListedSession = Session & { tenant_name: string };

export interface SessionStore {
  start(by: Actor, session: SessionDraft): Promise<Session>;
  /** Null for an expired or ended login. MUST see an end as soon as `end` has resolved. */
  find(id: string): Promise<Session | null>;
  /** Those of these logins that have not ended, and whose users are members, with their role. As `find`, sees an end at once. */
  roles(ids: readonly string[]): Promise<ReadonlyMap<string, Role>>;
  /** Starts a login instead of another one of the same user, both or neither. Null when that one has ended. */
  replace(by: Actor, id: string, session: SessionDraft): Promise<Session | null>;
  /** Records a use, at most once a minute. Not audited. @param session as found */
  touch(session: Pick<Session, 'id' | 'last_used_at'>): Promise<void>;
  /** Those of a user that have not ended, in all tenants, newest first. */
  list(userId: string, limit: number): Promise<ListedSession[]>;
  end(by: Actor, id: string): Promise<void>;
  /** False unless it is a login of the user that has not ended. */
  endOf(by: Actor, userId: string, id: string): Promise<boolean>;
  /** Ends all logins of a member to one tenant, and denies the machines that they approved for it and that have no key yet. */
  endIn(by: Actor, tenantId: string, userId: string): Promise<void>;
  /** Ends all logins of a user, in any tenant, except the given one, and denies approved machines that have no key yet. */
  endOthers(by: Actor, userId: string, exceptId: string): Promise<void>;
}
