import { randomUUID } from 'node:crypto';
import { and, asc, eq, isNotNull, lt, lte, max, ne, type SQL } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import type { DueLink, GitConnection, GitStore, LinkDraft, Push, RepositoryLink } from '../git-store.ts';
import type { Claim } from '../lease-store.ts';
import { type ControlDatabase, conflictOn, orDuplicate, type Queries, type Reads } from './control-database.ts';
import { isHeld } from './lease-rows.ts';
import { connectNonces, gitConnections, gitDeliveries, repositoryLinks } from './schema/repositories.ts';

/** Providers repeat an event within days, not later. */
const deliveryRetentionMs = 30 * 24 * 60 * 60 * 1000;

type ScopedTable = typeof gitConnections | typeof repositoryLinks | typeof connectNonces;
const ofApp = (table: ScopedTable, { tenant_id, app_id }: Scope) => and(eq(table.tenant_id, tenant_id), eq(table.app_id, app_id));

const asLink = ({ id, provider, repository_id, repository, branch }: typeof repositoryLinks.$inferSelect): RepositoryLink => ({
  ...{ id, provider, repository_id },
  ...{ repository, branch },
});

/** Properties for the audit log. */
const auditedOf = ({ provider, installation_id }: GitConnection) => ({ provider, installation_id });

export class GitRows implements GitStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async findConnection(scope: Scope): Promise<GitConnection | null> {
    return this.#connection(this.#database.queries, scope);
  }

  async connect(by: Actor, scope: Scope, connection: GitConnection): Promise<void> {
    const { provider, installation_id, sealed_tokens } = connection;
    await this.#database.write({ by, ...scope, action: 'git.connect', target: scope.app_id }, async (write, created_at) => {
      const before = await this.#connection(write, scope);
      const set = { provider, installation_id, sealed_tokens, created_at, created_by: signatureOf(by) };
      await write
        .insert(gitConnections)
        .values({ ...scope, ...set })
        .onConflictDoUpdate({ target: conflictOn(gitConnections.app_id), set, setWhere: eq(gitConnections.tenant_id, scope.tenant_id) })
        .run();
      await write
        .delete(repositoryLinks)
        .where(and(ofApp(repositoryLinks, scope), ne(repositoryLinks.provider, provider)))
        .run();
      return { result: undefined, ...(before && { before: auditedOf(before) }), after: auditedOf(connection) };
    });
  }

  async renew(scope: Scope, from: string, to: string): Promise<boolean> {
    const mine = and(ofApp(gitConnections, scope), eq(gitConnections.sealed_tokens, from));
    return this.#database.transaction(
      async (write) => (await write.update(gitConnections).set({ sealed_tokens: to }).where(mine).run()).changes > 0,
    );
  }

  async findLink(scope: Scope): Promise<RepositoryLink | null> {
    return this.#link(this.#database.queries, scope);
  }

  async link(by: Actor, scope: Scope, draft: LinkDraft): Promise<RepositoryLink | null> {
    const id = randomUUID();
    return this.#database.write({ by, ...scope, action: 'git.link', target: id }, async (write, created_at) => {
      if ((await this.#connection(write, scope))?.provider !== draft.provider) return { result: null, unchanged: true };
      const before = await this.#link(write, scope);
      if (before && isSame(before, draft)) return { result: before, unchanged: true };
      await write.delete(repositoryLinks).where(ofApp(repositoryLinks, scope)).run();
      const row = { ...draft, id, ...scope, due_since: null, created_at, created_by: signatureOf(by) };
      await orDuplicate('app linked to the branch', draft.branch, () => write.insert(repositoryLinks).values(row).run());
      return { result: asLink(row), before, after: asLink(row) };
    });
  }

  async unlink(by: Actor, scope: Scope): Promise<boolean> {
    return this.#database.write({ by, ...scope, action: 'git.unlink', target: scope.app_id }, async (write) => {
      const before = await this.#link(write, scope);
      if (!before) return { result: false, unchanged: true };
      await write.delete(repositoryLinks).where(ofApp(repositoryLinks, scope)).run();
      return { result: true, before };
    });
  }

  async issueNonce(scope: Scope, nonce: string, expires_at: string): Promise<void> {
    await this.#database.transaction(async (write, now) => {
      await write.delete(connectNonces).where(lt(connectNonces.expires_at, now)).run();
      await write
        .insert(connectNonces)
        .values({ ...scope, nonce, expires_at })
        .run();
    });
  }

  async consumeNonce(scope: Scope, nonce: string): Promise<boolean> {
    const mine = and(ofApp(connectNonces, scope), eq(connectNonces.nonce, nonce));
    return this.#database.transaction(async (write, now) => {
      const deleted = await write.delete(connectNonces).where(mine).returning().get();
      return deleted !== undefined && deleted.expires_at > now;
    });
  }

  async receivePush({ provider, delivery, repository_id, branch }: Push): Promise<number | null> {
    return this.#database.transaction(async (write, received_at) => {
      const longAgo = new Date(Date.parse(received_at) - deliveryRetentionMs).toISOString();
      await write.delete(gitDeliveries).where(lt(gitDeliveries.received_at, longAgo)).run();
      const inserted = await write.insert(gitDeliveries).values({ provider, delivery, received_at }).onConflictDoNothing().run();
      if (inserted.changes === 0) return null;
      // A push concerns a repository, whichever apps follow it: this is the only query across tenants, and it returns no data of any.
      const follows = and(
        ...[eq(repositoryLinks.provider, provider), eq(repositoryLinks.repository_id, repository_id), eq(repositoryLinks.branch, branch)],
      );
      return this.#markDue(write, follows, received_at);
    });
  }

  makeDue(by: Actor, scope: Scope): Promise<void> {
    return this.#database.write({ by, ...scope, action: 'git.deploy', target: scope.app_id }, async (write, now) => {
      const changes = await this.#markDue(write, ofApp(repositoryLinks, scope), now);
      return changes === 0 ? { result: undefined, unchanged: true } : { result: undefined };
    });
  }

  /** @returns number of links */
  async #markDue(write: Queries, links: SQL | undefined, now: string): Promise<number> {
    const { last } =
      (await write
        .select({ last: max(repositoryLinks.due_since) })
        .from(repositoryLinks)
        .where(links)
        .get()) ?? {};
    // Later than an earlier push, even within its millisecond: the deployment of that one must not settle this one.
    const due_since = last && last >= now ? new Date(Date.parse(last) + 1).toISOString() : now;
    return (await write.update(repositoryLinks).set({ due_since }).where(links).run()).changes;
  }

  async due(): Promise<DueLink[]> {
    const { tenant_id, app_id, due_since } = repositoryLinks;
    return (
      await this.#database.queries
        .select({ tenant_id, app_id, due_since })
        .from(repositoryLinks)
        .where(isNotNull(due_since))
        .orderBy(asc(due_since), asc(app_id))
        .all()
    ).map((row) => ({ scope: { tenant_id: row.tenant_id, app_id: row.app_id }, due_since: row.due_since as string }));
  }

  async settle(claim: Claim, scope: Scope, due_since: string): Promise<void> {
    await this.#database.transaction(async (write) => {
      const done = and(ofApp(repositoryLinks, scope), lte(repositoryLinks.due_since, due_since), isHeld(write, claim));
      await write.update(repositoryLinks).set({ due_since: null }).where(done).run();
    });
  }

  async #connection(queries: Reads, scope: Scope): Promise<GitConnection | null> {
    const { provider, installation_id, sealed_tokens } = gitConnections;
    const mine = ofApp(gitConnections, scope);
    return (await queries.select({ provider, installation_id, sealed_tokens }).from(gitConnections).where(mine).get()) ?? null;
  }

  async #link(queries: Reads, scope: Scope): Promise<RepositoryLink | null> {
    const row = await queries.select().from(repositoryLinks).where(ofApp(repositoryLinks, scope)).get();
    return row ? asLink(row) : null;
  }
}

const isSame = (link: RepositoryLink, { provider, repository_id, branch }: LinkDraft): boolean =>
  link.provider === provider && link.repository_id === repository_id && link.branch === branch;
