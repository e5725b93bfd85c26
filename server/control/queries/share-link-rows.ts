import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import type { OpenShareLink, ShareLink, ShareLinkDraft, ShareLinkStore } from '../share-link-store.ts';
import { type ControlDatabase, countRows, type Reads } from './control-database.ts';
import { tenants, users } from './schema/identity.ts';
import { shareLinkBans, shareLinks } from './schema/share-links.ts';

type Row = typeof shareLinks.$inferSelect;

/** How long the lists show a link that has ended. */
const keptAfterEndMs = 30 * 24 * 3600 * 1000;

const hidesOf = ({ hides_contents, hides_attributes, hides_costs }: Row) => ({
  ...{ contents: hides_contents === 1, attributes: hides_attributes === 1, costs: hides_costs === 1 },
});

const hiddenColumns = ({ contents, attributes, costs }: ShareLink['hides']) => ({
  ...{ hides_contents: Number(contents), hides_attributes: Number(attributes), hides_costs: Number(costs) },
});

const asShareLink = (row: Row, author_name: string | null): ShareLink => ({
  author_name,
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

/** Newest first. */
async function linksOf(reads: Reads, filter: SQL | undefined, { limit, offset }: PageQuery): Promise<ShareLink[]> {
  const rows = await reads
    .select({ link: shareLinks, name: users.name, email: users.email })
    .from(shareLinks)
    .leftJoin(users, eq(users.id, shareLinks.created_by))
    .where(filter)
    .orderBy(desc(shareLinks.created_at), asc(shareLinks.id))
    .limit(limit)
    .offset(offset)
    .all();
  return rows.map(({ link, name, email }) => asShareLink(link, name ?? email));
}

export class ShareLinkRows implements ShareLinkStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async create(by: Actor, scope: Scope, { digest, hides, ...draft }: ShareLinkDraft): Promise<ShareLink | null> {
    const id = randomUUID();
    return this.#database.write({ by, ...scope, action: 'share_link.create', target: id }, async (write, created_at) => {
      if (await isBanned(write, scope.tenant_id)) return { result: null, unchanged: true };
      const longAgo = new Date(Date.parse(created_at) - keptAfterEndMs).toISOString();
      const isOld = and(ofApp(scope), lt(shareLinks.expires_at, longAgo));
      await write.delete(shareLinks).where(isOld).run();
      const first = { ...draft, openings: 0, last_opened_at: null, revoked_at: null, created_by: signatureOf(by), created_at };
      const row = { id, digest: Buffer.from(digest), ...scope, ...first, ...hiddenColumns(hides) };
      await write.insert(shareLinks).values(row).run();
      const [link] = await linksOf(write, isLink(scope, id), { limit: 1, offset: 0 });
      if (!link) throw new Error('it was just made');
      return { result: link, after: inWords(link) };
    });
  }

  async list(scope: Scope, { limit, offset, trace_id }: PageQuery & { trace_id?: string | undefined }): Promise<Page<ShareLink>> {
    const { queries } = this.#database;
    const filter = and(ofApp(scope), trace_id === undefined ? undefined : eq(shareLinks.trace_id, trace_id));
    return { data: await linksOf(queries, filter, { limit, offset }), total: await countRows(queries, shareLinks, filter) };
  }

  async revoke(by: Actor, scope: Scope, id: string): Promise<boolean> {
    return this.#database.write({ by, ...scope, action: 'share_link.revoke', target: id }, async (write, revoked_at) => {
      const row = await write.select().from(shareLinks).where(isLink(scope, id)).get();
      if (!row || row.revoked_at !== null) return { result: false, unchanged: true };
      await write.update(shareLinks).set({ revoked_at }).where(isLink(scope, id)).run();
      const before = asShareLink(row, null);
      return { result: true, before: inWords(before), after: inWords({ ...before, revoked_at }) };
    });
  }

  async findOpen(digest: Uint8Array): Promise<OpenShareLink | null> {
    const isOpen = and(
      eq(shareLinks.digest, Buffer.from(digest)),
      isNull(shareLinks.revoked_at),
      gt(shareLinks.expires_at, this.#database.now()),
      isNull(shareLinkBans.tenant_id),
    );
    const found = await this.#database.queries
      .select({ link: shareLinks, tenant_name: tenants.name })
      .from(shareLinks)
      .innerJoin(tenants, eq(tenants.id, shareLinks.tenant_id))
      .leftJoin(shareLinkBans, eq(shareLinkBans.tenant_id, shareLinks.tenant_id))
      .where(isOpen)
      .get();
    if (!found) return null;
    const { id, trace_id, expires_at, tenant_id, app_id } = found.link;
    return { id, trace_id, expires_at, hides: hidesOf(found.link), scope: { tenant_id, app_id }, tenant_name: found.tenant_name };
  }

  async countOpening(id: string): Promise<void> {
    await this.#database.transaction(async (write, last_opened_at) => {
      const openings = sql`${shareLinks.openings} + 1`;
      await write.update(shareLinks).set({ openings, last_opened_at }).where(eq(shareLinks.id, id)).run();
    });
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
