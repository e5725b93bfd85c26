import type { Actor } from './actor.ts';
import type { Role } from './tenant-store.ts';

/** Offer to join a tenant, made to the owner of an email address. */
export interface Invitation {
  id: string;
  tenant_id: string;
  /** In lower case. */
  email: string;
  name: string | null;
  role: Role;
  created_at: string;
  created_by: string;
  expires_at: string;
}

export interface InvitationDraft extends Pick<Invitation, 'email' | 'name' | 'role' | 'expires_at'> {
  /** Digest of the invitation code. */
  digest: Uint8Array;
}

/** Invitations. Expired ones are not found. */
export interface InvitationStore {
  /**
   * Replaces an earlier one to the same address.
   * @param max number of members that the tenant may have, including invited ones; null for no limit
   * @throws Duplicate when the address is a member's, or else LimitReached
   */
  create(by: Actor, tenantId: string, draft: InvitationDraft, max: number | null): Promise<Invitation>;
  /** Newest first. */
  list(tenantId: string): Promise<Invitation[]>;
  /** False for an unknown invitation. */
  remove(by: Actor, tenantId: string, id: string): Promise<boolean>;
  find(digest: Uint8Array): Promise<Invitation | null>;
  /** Invitations to an address by any tenant, oldest first. @param email in any case */
  listTo(email: string): Promise<Invitation[]>;
  /** Makes the user a member and consumes the invitation, both or neither. A member keeps their role. False when it was consumed meanwhile. */
  accept(by: Actor, invitation: Pick<Invitation, 'id' | 'tenant_id'>, userId: string): Promise<boolean>;
}
