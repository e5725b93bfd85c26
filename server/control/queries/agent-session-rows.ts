import { and, asc, desc, eq, gt, inArray, isNotNull, lt, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { inSlices } from '../../platform/in-slices.ts';
import { nextTurn } from '../../platform/next-turn.ts';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Actor } from '../actor.ts';
import type {
  AgentBlob,
  AgentEvent,
  AgentPart,
  AgentQuota,
  AgentRefusal,
  AgentSession,
  AgentSessionStore,
  OutgoingPart,
  PartContents,
  RecordResult,
} from '../agent-session-store.ts';
import { AgentBlobRows, addBlobs } from './agent-blob-rows.ts';
import { addEvents, bytesOf } from './agent-part-rows.ts';
import { type ControlDatabase, conflictOn, countRows, type Reads } from './control-database.ts';
import type { LargeValues } from './large-values.ts';
import { mergedSession, type SessionRow } from './merged-session.ts';
import { agentBlobs, agentEvents, agentOutbox, agentSessions } from './schema/agents.ts';

/** Limit for the events of one session, which is read as a whole. */
const sessionBytesMax = 32 * 1024 * 1024;
/** Read together: a session of tens of megabytes is read page by page, so that other work can run in between. */
const pageEvents = 50;
const precedingMax = 20;
const unansweredMax = 1000;
/** A call has one result, so ids shared by more events are ignored. */
const counterpartsMax = 4000;

type Table = typeof agentSessions | typeof agentEvents | typeof agentBlobs | typeof agentOutbox;

const ofApp = (table: Table, { tenant_id, app_id }: Scope) => and(eq(table.tenant_id, tenant_id), eq(table.app_id, app_id));
const ofSession = (table: typeof agentSessions | typeof agentEvents | typeof agentOutbox, scope: Scope, id: string) =>
  and(ofApp(table, scope), eq(table.session_id, id));

/** As in the API: without absent properties. */
function asSession({ tenant_id, app_id, event_bytes, revision, ...row }: SessionRow): AgentSession {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as AgentSession;
}

export class AgentSessionRows implements AgentSessionStore {
  readonly #database: ControlDatabase;
  readonly #blobs: AgentBlobRows;

  constructor(database: ControlDatabase, values: LargeValues) {
    this.#database = database;
    this.#blobs = new AgentBlobRows(database, values);
  }

  async record(by: Actor, scope: Scope, part: AgentPart): Promise<RecordResult | AgentRefusal> {
    const { session_id } = part.about;
    const refusal = this.#blobs.hasLarge(part.blobs) ? await this.check(scope, part) : null;
    if (refusal) return refusal;
    const elsewhere = await this.#blobs.putLarge(scope, part.blobs);
    return this.#database.write<RecordResult | AgentRefusal>(
      { by, ...scope, action: 'agent_session.record', target: session_id },
      async (write, now) => {
        const before = await this.#find(write, scope, session_id);
        const merged = mergedSession(before, part, scope, now);
        const revision = merged.revision + 1;
        const newEvents = await this.#newEvents(write, scope, session_id, part.events);
        const blobs = await this.#blobs.newOf(write, scope, part.blobs);
        const eventBytes = bytesOf(newEvents);
        const bytes = merged.event_bytes + eventBytes;
        const added = blobs.reduce((sum, blob) => sum + blob.bytes.length, eventBytes);
        const refused =
          (await this.#overQuota(write, scope, part.quota, newEvents.length, added)) ?? (bytes > sessionBytesMax ? 'size' : null);
        if (refused) return { result: { refused }, unchanged: true };
        await addBlobs(write, scope, blobs, now, elsewhere);
        const blobs_added = blobs.length;
        const result = { isNew: before === null, trace_id: merged.trace_id, events_added: newEvents.length, blobs_added };
        if (before && newEvents.length === 0 && JSON.stringify(merged) === JSON.stringify(before))
          return { result, ...(blobs_added === 0 && { unchanged: true as const }) };
        const after = { ...merged, revision, event_bytes: bytes, event_count: merged.event_count + newEvents.length };
        await write
          .insert(agentSessions)
          .values(after)
          .onConflictDoUpdate({
            target: conflictOn(agentSessions.app_id, agentSessions.session_id),
            set: after,
            setWhere: sql`${ofApp(agentSessions, scope)}`,
          })
          .run();
        await addEvents(write, newEvents, { ...scope, session_id, revision });
        const { name: environment_name, version: environment_version } = part.attribution;
        await write
          .insert(agentOutbox)
          .values({ ...scope, session_id, revision, environment_name, environment_version })
          .run();
        return { result, before, after };
      },
    );
  }

  async check(scope: Scope, { about, events, blobs, quota }: AgentPart): Promise<AgentRefusal | null> {
    let [count, bytes] = [0, 0];
    for (const slice of inSlices(events)) {
      const newEvents = await this.#newEvents(this.#database.queries, scope, about.session_id, slice);
      count += newEvents.length;
      bytes += bytesOf(newEvents);
      await nextTurn();
    }
    const storedBytes = (await this.#find(this.#database.queries, scope, about.session_id))?.event_bytes ?? 0;
    const added = (await this.#blobs.newOf(this.#database.queries, scope, blobs)).reduce((sum, blob) => sum + blob.bytes.length, bytes);
    const refused =
      (await this.#overQuota(this.#database.queries, scope, quota, count, added)) ??
      (storedBytes + bytes > sessionBytesMax ? 'size' : null);
    return refused && { refused };
  }

  async list(scope: Scope, { limit, offset }: PageQuery): Promise<Page<AgentSession>> {
    const { queries } = this.#database;
    const mine = ofApp(agentSessions, scope);
    const newest = [desc(agentSessions.created_at), agentSessions.session_id];
    const rows = await queries
      .select()
      .from(agentSessions)
      .where(mine)
      .orderBy(...newest)
      .limit(limit)
      .offset(offset)
      .all();
    return { data: rows.map(asSession), total: await countRows(queries, agentSessions, mine) };
  }

  async find(scope: Scope, sessionId: string): Promise<(AgentSession & { events: AgentEvent[] }) | null> {
    const row = await this.#find(this.#database.queries, scope, sessionId);
    if (!row) return null;
    const events: AgentEvent[] = [];
    for (let page: AgentEvent[] | null = null; page === null || page.length === pageEvents; await nextTurn()) {
      page = await this.#events(and(ofSession(agentEvents, scope, sessionId), gt(agentEvents.seq, events.at(-1)?.seq ?? -1)), pageEvents);
      events.push(...page);
    }
    return { ...asSession(row), events };
  }

  findBlob(scope: Scope, sha256: string): Promise<AgentBlob | null> {
    return this.#blobs.find(scope, sha256);
  }

  async storedBytes(tenantId: string): Promise<number> {
    return this.#storedBytes(this.#database.queries, tenantId);
  }

  async #storedBytes(queries: Reads, tenantId: string): Promise<number> {
    const total = (column: typeof agentSessions.event_bytes | typeof agentBlobs.size) => sql`coalesce(sum(${column}), 0)`.mapWith(Number);
    const ofTenant = (table: typeof agentSessions | typeof agentBlobs) => eq(table.tenant_id, tenantId);
    const events = await queries
      .select({ bytes: total(agentSessions.event_bytes) })
      .from(agentSessions)
      .where(ofTenant(agentSessions))
      .get();
    const blobs = await queries
      .select({ bytes: total(agentBlobs.size) })
      .from(agentBlobs)
      .where(ofTenant(agentBlobs))
      .get();
    return (events?.bytes ?? 0) + (blobs?.bytes ?? 0);
  }

  async pending(after: number, limit: number, of?: { scope: Scope; session_id: string }): Promise<OutgoingPart[]> {
    const filter = and(gt(agentOutbox.position, after), of && ofSession(agentOutbox, of.scope, of.session_id));
    const rows = await this.#database.queries
      .select()
      .from(agentOutbox)
      .where(filter)
      .orderBy(asc(agentOutbox.position))
      .limit(limit)
      .all();
    return rows.map(({ position, tenant_id, app_id, session_id, revision, environment_name: name, environment_version: version }) => ({
      ...{ position, scope: { tenant_id, app_id }, session_id },
      ...{ revision, attribution: { name, version } },
    }));
  }

  async contents({ scope, session_id, revision }: OutgoingPart): Promise<PartContents | null> {
    const mine = ofSession(agentEvents, scope, session_id);
    const row = await this.#find(this.#database.queries, scope, session_id);
    if (!row) return null;
    const session = asSession(row);
    const events = await this.#events(and(mine, eq(agentEvents.revision, revision)));
    const calls = events.flatMap(({ tool_call_id }) => tool_call_id ?? []);
    const first = events[0]?.seq ?? 0;
    const preceding = await this.#database.queries
      .select({ event: agentEvents.event })
      .from(agentEvents)
      .where(and(mine, lt(agentEvents.seq, first)))
      .orderBy(desc(agentEvents.seq))
      .limit(precedingMax)
      .all();
    return {
      ...{ session, events },
      counterparts: calls.length === 0 ? [] : await this.#events(and(mine, inArray(agentEvents.tool_call_id, calls)), counterpartsMax),
      preceding: preceding.map(({ event }) => event).reverse(),
      unanswered: session.ended_at === undefined ? [] : await this.#unanswered(scope, session_id),
    };
  }

  async arrived(position: number): Promise<void> {
    await this.#database.transaction((write) => write.delete(agentOutbox).where(eq(agentOutbox.position, position)).run());
  }

  async #find(queries: Reads, scope: Scope, id: string): Promise<SessionRow | null> {
    return (
      (await queries
        .select()
        .from(agentSessions)
        .where(ofSession(agentSessions, scope, id))
        .get()) ?? null
    );
  }

  /** Quota that the new data would exceed, if any. */
  async #overQuota(
    queries: Reads,
    { tenant_id }: Scope,
    { events, bytes }: AgentQuota,
    eventsAdded: number,
    bytesAdded: number,
  ): Promise<keyof AgentQuota | null> {
    if (!events && eventsAdded > 0) return 'events';
    return bytes !== null && bytesAdded > 0 && (await this.#storedBytes(queries, tenant_id)) + bytesAdded > bytes ? 'bytes' : null;
  }

  async #events(filter: ReturnType<typeof and>, limit = Number.MAX_SAFE_INTEGER): Promise<AgentEvent[]> {
    const { event } = agentEvents;
    const rows = await this.#database.queries
      .select({ event })
      .from(agentEvents)
      .where(filter)
      .orderBy(asc(agentEvents.seq))
      .limit(limit)
      .all();
    return rows.map((row) => row.event);
  }

  /** The first event of each number that is not stored yet. */
  async #newEvents(queries: Reads, scope: Scope, id: string, events: readonly AgentEvent[]): Promise<AgentEvent[]> {
    const first = new Map<number, AgentEvent>();
    for (const event of events) if (!first.has(event.seq)) first.set(event.seq, event);
    const seqs = [...first.keys()];
    const known = await queries
      .select({ seq: agentEvents.seq })
      .from(agentEvents)
      .where(and(ofSession(agentEvents, scope, id), inArray(agentEvents.seq, seqs)))
      .all();
    for (const { seq } of known) first.delete(seq);
    return [...first.values()];
  }

  async #unanswered(scope: Scope, id: string): Promise<AgentEvent[]> {
    const { queries } = this.#database;
    const result = alias(agentEvents, 'result');
    const ofCall = and(
      ...[
        eq(result.tenant_id, scope.tenant_id),
        eq(result.app_id, scope.app_id),
        eq(result.session_id, id),
        eq(result.type, 'tool_result'),
      ],
      eq(result.tool_call_id, agentEvents.tool_call_id),
    );
    const answered = queries.select({ one: sql`1` }).from(result).where(ofCall);
    const rows = await queries
      .select({ event: agentEvents.event })
      .from(agentEvents)
      .where(
        and(ofSession(agentEvents, scope, id), eq(agentEvents.type, 'tool_call'), isNotNull(agentEvents.tool_call_id), notExists(answered)),
      )
      .orderBy(asc(agentEvents.seq))
      .limit(unansweredMax)
      .all();
    return rows.map(({ event }) => event);
  }
}
