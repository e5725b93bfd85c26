import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, getTableColumns, gt, inArray, ne, type SQL } from 'drizzle-orm';
import { type Actor, signatureOf } from '../actor.ts';
import { Duplicate } from '../duplicate.ts';
import type { Invitation, InvitationDraft, InvitationStore } from '../invitation-store.ts';
import { assertBelow } from '../limit-reached.ts';
import { type ControlDatabase, countRows, type Reads } from './control-database.ts';
import { invitations, members, users } from './schema/identity.ts';

const { digest: _, ...publicColumns } = getTableColumns(invitations);

export class InvitationRows implements InvitationStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async create(by: Actor, tenant_id: string, { digest, email, ...draft }: InvitationDraft, max: number | null): Promise<Invitation> {
    const id = randomUUID();
    return this.#database.write({ by, tenant_id, action: 'invitation.create', target: id }, async (write, created_at) => {
      await this.#assertMayInvite(write, tenant_id, email.toLowerCase(), max);
      const invitation = { ...draft, email: email.toLowerCase(), id, tenant_id, created_at, created_by: signatureOf(by) };
      await write
        .delete(invitations)
        .where(and(eq(invitations.tenant_id, tenant_id), eq(invitations.email, invitation.email)))
        .run();
      await write
        .insert(invitations)
        .values({ ...invitation, digest: Buffer.from(digest) })
        .run();
      return { result: invitation, after: invitation };
    });
  }

  async list(tenantId: string): Promise<Invitation[]> {
    const isOpen = and(eq(invitations.tenant_id, tenantId), this.#isCurrent());
    return this.#select(this.#database.queries).where(isOpen).orderBy(desc(invitations.created_at), desc(invitations.id)).all();
  }

  async remove(by: Actor, tenant_id: string, id: string): Promise<boolean> {
    return this.#database.write({ by, tenant_id, action: 'invitation.remove', target: id }, async (write) => {
      const mine = and(eq(invitations.tenant_id, tenant_id), eq(invitations.id, id), this.#isCurrent());
      const before = await this.#select(write).where(mine).get();
      if (!before) return { result: false, unchanged: true };
      await write.delete(invitations).where(mine).run();
      return { result: true, before };
    });
  }

  async find(digest: Uint8Array): Promise<Invitation | null> {
    return this.#find(this.#database.queries, eq(invitations.digest, Buffer.from(digest)));
  }

  async listTo(email: string): Promise<Invitation[]> {
    const isOpen = and(eq(invitations.email, email.toLowerCase()), this.#isCurrent());
    return this.#select(this.#database.queries).where(isOpen).orderBy(asc(invitations.created_at), asc(invitations.id)).all();
  }

  async accept(by: Actor, { id, tenant_id }: Pick<Invitation, 'id' | 'tenant_id'>, user_id: string): Promise<boolean> {
    return this.#database.write({ by, tenant_id, action: 'member.join', target: user_id }, async (write, joined_at) => {
      const invitation = await this.#find(write, and(eq(invitations.tenant_id, tenant_id), eq(invitations.id, id)));
      if (!invitation) return { result: false, unchanged: true };
      await write.delete(invitations).where(eq(invitations.id, id)).run();
      const member = { tenant_id, user_id, role: invitation.role, joined_at };
      await write.insert(members).values(member).onConflictDoNothing().run();
      return { result: true, before: invitation, after: member };
    });
  }

  async #find(queries: Reads, which: SQL | undefined): Promise<Invitation | null> {
    return (await this.#select(queries).where(and(which, this.#isCurrent())).get()) ?? null;
  }

  /** @throws Duplicate, LimitReached */
  async #assertMayInvite(write: Reads, tenant_id: string, email: string, max: number | null): Promise<void> {
    const ofTenant = eq(members.tenant_id, tenant_id);
    const hasAddress = inArray(members.user_id, write.select({ id: users.id }).from(users).where(eq(users.email, email)));
    if ((await countRows(write, members, and(ofTenant, hasAddress))) > 0) throw new Duplicate('member', email);
    const others = and(eq(invitations.tenant_id, tenant_id), ne(invitations.email, email), this.#isCurrent());
    assertBelow(max, (await countRows(write, members, ofTenant)) + (await countRows(write, invitations, others)));
  }

  #select(queries: Reads) {
    return queries.select(publicColumns).from(invitations);
  }

  #isCurrent() {
    return gt(invitations.expires_at, this.#database.now());
  }
}
