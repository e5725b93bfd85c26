import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import { assertBelow } from '../limit-reached.ts';
import type { OpenShareLink, ShareLink, ShareLinkDraft, ShareLinkStore } from '../share-link-store.ts';
import type { Role } from '../tenant-store.ts';
import { type ControlDatabase, countRows, type Reads } from './control-database.ts';
import { members, tenants, users } from './schema/identity.ts';
import { shareLinkBans, shareLinks } from './schema/share-links.ts';

type Row = typeof shareLinks.$inferSelect;

/** How long the lists show a link that has ended. */
const keptAfterEndMs = 30 * 24 * 3600 * 1000;
/** An opening is counted at most this often, so that readers do not wait for each other. */
const countEveryMs = 60_000;

const hidesOf = ({ hides_contents, hides_attributes, hides_costs }: Row) => ({
  ...{ contents: hides_contents === 1, attributes: hides_attributes === 1, costs: hides_costs === 1 },
});

const hiddenColumns = ({ contents, attributes, costs }: ShareLink['hides']) => ({
  ...{ hides_contents: Number(contents), hides_attributes: Number(attributes), hides_costs: Number(costs) },
});

interface Author {
  name: string | null;
  role: Role | null;
}

const asShareLink = (row: Row, { name, role }: Author): ShareLink => ({
  ...{ author_name: name, author_role: role },
  ...{ id: row.id, trace_id: row.trace_id, hides: hidesOf(row), created_by: row.created_by, created_at: row.created_at },
  ...{ expires_at: row.expires_at, revoked_at: row.revoked_at, openings: row.openings, last_opened_at: row.last_opened_at },
});

/** For the audit log. */
const inWords = ({ trace_id, hides, expires_at, revoked_at }: ShareLink) => ({
  ...{ trace_id, expires_at, revoked_at },
  hides: Object.entries(hides).flatMap(([what, isHidden]) => (isHidden ? [what] : [])),
});

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(shareLinks.tenant_id, tenant_id), eq(shareLinks.app_id, app_id));
const isLink = (scope: Scope, id: string) => and(ofApp(scope), eq(shareLinks.id, id));

const isBanned = async (reads: Reads, tenantId: string): Promise<boolean> =>
  (await countRows(reads, shareLinkBans, eq(shareLinkBans.tenant_id, tenantId))) > 0;

const hasNotEnded = (now: string) => and(isNull(shareLinks.revoked_at), gt(shareLinks.expires_at, now));
const endOf = sql<string>`coalesce(${shareLinks.revoked_at}, ${shareLinks.expires_at})`;
const isAuthor = and(eq(members.tenant_id, shareLinks.tenant_id), eq(members.user_id, shareLinks.created_by));

/** Those that have not ended first, and newest first. */
async function linksOf(reads: Reads, now: string, filter: SQL | undefined, { limit, offset }: PageQuery): Promise<ShareLink[]> {
  const rows = await reads
    .select({ link: shareLinks, name: users.name, email: users.email, role: members.role })
    .from(shareLinks)
    .leftJoin(users, eq(users.id, shareLinks.created_by))
    .leftJoin(members, isAuthor)
    .where(filter)
    .orderBy(sql`case when ${hasNotEnded(now)} then 0 else 1 end`, desc(shareLinks.created_at), asc(shareLinks.id))
    .limit(limit)
    .offset(offset)
    .all();
  return rows.map(({ link, name, email, role }) => asShareLink(link, { name: name ?? email, role }));
}

export class ShareLinkRows implements ShareLinkStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async create(by: Actor, scope: Scope, { digest, hides, ...draft }: ShareLinkDraft, max: number): Promise<ShareLink | null> {
    const id = randomUUID();
    return this.#database.write({ by, ...scope, action: 'share_link.create', target: id }, async (write, created_at) => {
      if (await isBanned(write, scope.tenant_id)) return { result: null, unchanged: true };
      const longAgo = new Date(Date.parse(created_at) - keptAfterEndMs).toISOString();
      await write
        .delete(shareLinks)
        .where(and(ofApp(scope), lt(endOf, longAgo)))
        .run();
      assertBelow(max, await countRows(write, shareLinks, and(ofApp(scope), hasNotEnded(created_at))));
      const first = { ...draft, openings: 0, last_opened_at: null, revoked_at: null, created_by: signatureOf(by), created_at };
      const row = { id, digest: Buffer.from(digest), ...scope, ...first, ...hiddenColumns(hides) };
      await write.insert(shareLinks).values(row).run();
      const [link] = await linksOf(write, created_at, isLink(scope, id), { limit: 1, offset: 0 });
      if (!link) throw new Error('it was just made');
      return { result: link, after: inWords(link) };
    });
  }

  async list(scope: Scope, { limit, offset, trace_id }: PageQuery & { trace_id?: string | undefined }): Promise<Page<ShareLink>> {
    const { queries } = this.#database;
    const now = this.#database.now();
    const filter = and(ofApp(scope), trace_id === undefined ? undefined : eq(shareLinks.trace_id, trace_id));
    return { data: await linksOf(queries, now, filter, { limit, offset }), total: await countRows(queries, shareLinks, filter) };
  }

  async revoke(by: Actor, scope: Scope, id: string): Promise<boolean> {
    return this.#database.write({ by, ...scope, action: 'share_link.revoke', target: id }, async (write, revoked_at) => {
      const row = await write.select().from(shareLinks).where(isLink(scope, id)).get();
      if (!row || row.revoked_at !== null) return { result: false, unchanged: true };
      await write.update(shareLinks).set({ revoked_at }).where(isLink(scope, id)).run();
      const before = asShareLink(row, { name: null, role: null });
      return { result: true, before: inWords(before), after: inWords({ ...before, revoked_at }) };
    });
  }

  async findOpen(digest: Uint8Array): Promise<OpenShareLink | null> {
    const isOpen = and(eq(shareLinks.digest, Buffer.from(digest)), hasNotEnded(this.#database.now()), isNull(shareLinkBans.tenant_id));
    const found = await this.#database.queries
      .select({ link: shareLinks, tenant_name: tenants.name, author_role: members.role })
      .from(shareLinks)
      .innerJoin(members, isAuthor)
      .innerJoin(tenants, eq(tenants.id, shareLinks.tenant_id))
      .leftJoin(shareLinkBans, eq(shareLinkBans.tenant_id, shareLinks.tenant_id))
      .where(isOpen)
      .get();
    if (!found) return null;
    const { link, tenant_name, author_role } = found;
    const { id, trace_id, expires_at, tenant_id, app_id } = link;
    return { id, trace_id, expires_at, hides: hidesOf(link), scope: { tenant_id, app_id }, tenant_name, author_role };
  }

  async countOpening(id: string): Promise<void> {
    const { queries } = this.#database;
    const last_opened_at = this.#database.now();
    const longAgo = new Date(Date.parse(last_opened_at) - countEveryMs).toISOString();
    const isDue = or(isNull(shareLinks.last_opened_at), lt(shareLinks.last_opened_at, longAgo));
    const isUncounted = and(eq(shareLinks.id, id), isDue);
    if (!(await queries.select({ id: shareLinks.id }).from(shareLinks).where(isUncounted).get())) return;
    const openings = sql`${shareLinks.openings} + 1`;
    await this.#database.transaction((write) => write.update(shareLinks).set({ openings, last_opened_at }).where(isUncounted).run());
  }

  async end(id: string): Promise<void> {
    const isOpen = and(eq(shareLinks.id, id), isNull(shareLinks.revoked_at));
    await this.#database.transaction((write, revoked_at) => write.update(shareLinks).set({ revoked_at }).where(isOpen).run());
  }

  async areAllowed(tenantId: string): Promise<boolean> {
    return !(await isBanned(this.#database.queries, tenantId));
  }

  async allow(by: Actor, tenant_id: string, isAllowed: boolean): Promise<void> {
    await this.#database.write({ by, tenant_id, action: 'share_link.allow', target: tenant_id }, async (write, created_at) => {
      const wasAllowed = !(await isBanned(write, tenant_id));
      if (wasAllowed === isAllowed) return { result: undefined, unchanged: true };
      if (isAllowed) await write.delete(shareLinkBans).where(eq(shareLinkBans.tenant_id, tenant_id)).run();
      else await write.insert(shareLinkBans).values({ tenant_id, created_at }).run();
      return { result: undefined, before: { are_allowed: wasAllowed }, after: { are_allowed: isAllowed } };
    });
  }
}
