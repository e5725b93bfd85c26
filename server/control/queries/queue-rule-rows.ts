import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, lt } from 'drizzle-orm';
import type { QueueRule } from '../../../shared/contract/evaluation/queue-rules.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import { assertBelow } from '../limit-reached.ts';
import { type QueueRuleStore, type RulePlace, rememberedDays } from '../queue-rule-store.ts';
import { type ControlDatabase, countRows, type Queries, type Reads } from './control-database.ts';
import { shareOut } from './item-assignment-rows.ts';
import { isQueue } from './queue-rows.ts';
import { queueRules as rules, queueRuleTraces as traces } from './schema/queue-rules.ts';
import { items, queues } from './schema/reviews.ts';

type Row = typeof rules.$inferSelect;

const asRule = ({ tenant_id, app_id, day, added_on_day, ...rule }: Row): QueueRule => rule;

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(rules.tenant_id, tenant_id), eq(rules.app_id, app_id));
const ofQueue = (scope: Scope, queueId: string) => and(ofApp(scope), eq(rules.queue_id, queueId));
const isRule = (scope: Scope, { queueId, ruleId }: RulePlace) => and(ofQueue(scope, queueId), eq(rules.id, ruleId));
const auditEntry = (by: Actor, scope: Scope, verb: string, target: string) => ({ by, ...scope, action: `queue_rule.${verb}`, target });

const queueOf = (reads: Reads, scope: Scope, id: string) => reads.select().from(queues).where(isQueue(scope, id)).get();
const find = (reads: Reads, scope: Scope, place: RulePlace) => reads.select().from(rules).where(isRule(scope, place)).get();

export function queueRuleRows(database: ControlDatabase): QueueRuleStore {
  const { queries } = database;
  return {
    list: async (scope, queueId) => {
      if (!(await queueOf(queries, scope, queueId))) return null;
      const found = queries.select().from(rules).where(ofQueue(scope, queueId)).orderBy(asc(rules.created_at), asc(rules.id));
      return (await found.all()).map(asRule);
    },

    create: async (by, scope, queue_id, draft, max) => {
      const id = randomUUID();
      return database.write(auditEntry(by, scope, 'create', id), async (write, now) => {
        if (!(await queueOf(write, scope, queue_id))) return { result: null, unchanged: true };
        assertBelow(max.ofQueue, await countRows(write, rules, ofQueue(scope, queue_id)));
        assertBelow(max.ofApp, await countRows(write, rules, ofApp(scope)));
        const counts = { added: 0, last_added_at: null, day: now.slice(0, 10), added_on_day: 0, looked_at: null, problem: null };
        const row = { ...draft, ...counts, id, ...scope, queue_id, active_since: now, created_by: signatureOf(by), created_at: now };
        await write.insert(rules).values(row).run();
        return { result: asRule(row), after: asRule(row) };
      });
    },

    replace: (by, scope, place, draft) =>
      database.write(auditEntry(by, scope, 'update', place.ruleId), async (write, now) => {
        const before = await find(write, scope, place);
        if (!before) return { result: null, unchanged: true };
        const isSame = draft.filter === before.filter && draft.sample_percent === before.sample_percent && !before.paused;
        // Of the next day, when the limit of this one is reached.
        const isWaiting = before.active_since > now && draft.max_per_day > before.max_per_day;
        const { filter, sample_percent, max_per_day, paused } = draft;
        const set = { filter, sample_percent, max_per_day, paused, active_since: isSame && !isWaiting ? before.active_since : now };
        await write.update(rules).set(set).where(isRule(scope, place)).run();
        const after = asRule({ ...before, ...set });
        return { result: after, before: asRule(before), after };
      }),

    remove: (by, scope, place) =>
      database.write(auditEntry(by, scope, 'delete', place.ruleId), async (write) => {
        const before = await find(write, scope, place);
        if (!before) return { result: false, unchanged: true };
        await write.delete(rules).where(isRule(scope, place)).run();
        return { result: true, before: asRule(before) };
      }),

    ...fillingRows(database),
  };
}

const fillingRows = (database: ControlDatabase): Pick<QueueRuleStore, 'note' | 'listActive' | 'fill'> => ({
  note: (scope, place, problem) =>
    database.transaction(async (write, looked_at) => {
      await write.update(rules).set({ looked_at, problem }).where(isRule(scope, place)).run();
    }),

  listActive: async () => {
    const active = and(eq(queues.id, rules.queue_id), eq(queues.status, 'active'));
    const found = database.queries.select({ rule: rules }).from(rules).innerJoin(queues, active).where(eq(rules.paused, false));
    const rows = await found.orderBy(asc(rules.created_at), asc(rules.id)).all();
    return rows.map(({ rule }) => ({ scope: { tenant_id: rule.tenant_id, app_id: rule.app_id }, rule: asRule(rule) }));
  },

  fill: (by, scope, place, traceIds) =>
    database.write({ by, ...scope, action: 'annotation_queue.add', target: place.queueId }, async (write, now) => {
      const rule = await find(write, scope, place);
      const queue = await queueOf(write, scope, place.queueId);
      if (!rule || rule.paused || queue?.status !== 'active') return { result: { added: 0, isFull: true }, unchanged: true };
      const fresh = await freshOf(write, place.queueId, traceIds);
      // A clock that was set back does not begin another day.
      const day = rule.day > now.slice(0, 10) ? rule.day : now.slice(0, 10);
      const before = rule.day === day ? rule.added_on_day : 0;
      const ids = fresh.slice(0, Math.max(0, rule.max_per_day - before));
      const added_on_day = before + ids.length;
      const result = { added: ids.length, isFull: added_on_day >= rule.max_per_day };
      if (result.isFull)
        await write
          .update(rules)
          .set({ active_since: dayAfter(day) })
          .where(isRule(scope, place))
          .run();
      if (ids.length === 0) return { result, unchanged: true };
      await shareOut(write, queue, await insertItems(write, scope, place.queueId, ids, now), now);
      const set = { added: rule.added + ids.length, last_added_at: now, day, added_on_day };
      await write.update(rules).set(set).where(isRule(scope, place)).run();
      return { result, after: { added: ids.length } };
    }),
});

const dayAfter = (day: string): string => new Date(Date.parse(day) + 24 * 3_600_000).toISOString();

/** Those that rules have not added before, and that are not in the queue. */
async function freshOf(write: Queries, queueId: string, traceIds: readonly string[]): Promise<string[]> {
  const ids = [...new Set(traceIds)];
  const isAdded = and(eq(traces.queue_id, queueId), inArray(traces.trace_id, ids));
  const added = await write.select({ id: traces.trace_id }).from(traces).where(isAdded).all();
  const isPresent = and(eq(items.queue_id, queueId), eq(items.resource_type, 'trace'), inArray(items.resource_id, ids));
  const present = await write.select({ id: items.resource_id }).from(items).where(isPresent).all();
  const known = new Set([...added, ...present].map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/**
 * Also notes which were added, and forgets those that no round looks at any more.
 * @returns ids of the items
 */
async function insertItems(write: Queries, scope: Scope, queue_id: string, ids: readonly string[], now: string): Promise<string[]> {
  const item = { ...scope, queue_id, resource_type: 'trace' as const, status: 'pending' as const, created_at: now };
  const rows = ids.map((resource_id) => ({ ...item, id: randomUUID(), resource_id }));
  // A row that came at the same time makes the transaction run again, and is no error.
  await write.insert(items).values(rows).onConflictDoNothing().run();
  await write
    .insert(traces)
    .values(ids.map((trace_id) => ({ ...scope, queue_id, trace_id, added_at: now })))
    .onConflictDoNothing()
    .run();
  const oldest = new Date(Date.parse(now) - rememberedDays * 24 * 3_600_000).toISOString();
  await write
    .delete(traces)
    .where(and(eq(traces.queue_id, queue_id), lt(traces.added_at, oldest)))
    .run();
  return rows.map(({ id }) => id);
}
