/** Notices of alerts on their way: gathered into groups, sent, tried again. */
import { randomUUID } from 'node:crypto';
import { and, asc, count, desc, eq, exists, inArray, isNull, lt, lte, not, sql } from 'drizzle-orm';
import { type AnySQLiteColumn, alias } from 'drizzle-orm/sqlite-core';
import type { AlertDelivery } from '../../../shared/contract/operations/alert-delivery.ts';
import { must } from '../../platform/assert.ts';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import { type Attempt, type Notice, noticesInMessage, type PendingDelivery, type Receiver } from '../alert-watch.ts';
import type { Claim } from '../lease-store.ts';
import { type ControlDatabase, countRows, type Queries, type Reads } from './control-database.ts';
import { isHeld } from './lease-rows.ts';
import { alertDeliveries, alertHistory } from './schema/alerts.ts';

/** Up to so many notices of a round to one receiver are sent one by one, with all their details. */
const singleMax = 3;
/** To one receiver, so that many notices to one do not keep the others waiting. */
const perReceiver = 10;
const gatheredMax = 2000;
const idsAtOnce = 500;

type Table = Record<'target_id' | 'environment_id' | 'app_id', AnySQLiteColumn>;

const receiverOf = ({ target_id, environment_id, app_id }: Table) => sql<string>`coalesce(${target_id}, ${environment_id}, ${app_id})`;
const isWaiting = eq(alertDeliveries.state, sql`'waiting'`);

/** A receiver is told that an alert resolved after it has been told that it triggered, or never will be. */
function isFirstOfItsAlert(reads: Reads) {
  const earlier = alias(alertDeliveries, 'earlier');
  const isBefore = and(
    ...[eq(earlier.alert_id, alertDeliveries.alert_id), eq(earlier.state, sql`'waiting'`)],
    ...[eq(receiverOf(earlier), receiverOf(alertDeliveries)), lt(earlier.created_at, alertDeliveries.created_at)],
  );
  return not(exists(reads.select({ id: earlier.id }).from(earlier).where(isBefore)));
}

/** Gives due notices the groups that they are sent as. One that has been sent keeps its group, so that each attempt is the same. */
export async function gather(write: Queries, claim: Claim, now: string): Promise<void> {
  const { id, app_id, destination, attempts, created_at, group_id, next_at } = alertDeliveries;
  const due = await write
    .select({ id, app_id, destination, attempts, receiver: receiverOf(alertDeliveries) })
    .from(alertDeliveries)
    .where(and(isWaiting, lte(next_at, now), isNull(group_id), isFirstOfItsAlert(write)))
    .orderBy(asc(created_at), asc(id))
    .limit(gatheredMax)
    .all();
  const isSingle = (notices: typeof due) => notices.length <= singleMax || notices[0]?.destination === 'pagerduty';
  const [fresh, begun] = [due.filter((row) => row.attempts === 0), due.filter((row) => row.attempts > 0)];
  const groups = [...Map.groupBy(fresh, (row) => `${row.app_id} ${row.receiver}`).values()];
  const join = async (ids: readonly string[], group: string | typeof id) => {
    for (let from = 0; from < ids.length; from += idsAtOnce)
      await write
        .update(alertDeliveries)
        .set({ group_id: typeof group === 'string' ? group : sql`${group}` })
        .where(and(inArray(id, ids.slice(from, from + idsAtOnce)), isHeld(write, claim)))
        .run();
  };
  await join(
    [...begun, ...groups.filter(isSingle).flat()].map((row) => row.id),
    id,
  );
  for (const group of groups.filter((notices) => !isSingle(notices)))
    await join(
      group.map((row) => row.id),
      must(group[0], 'it is not empty').id,
    );
}

/**
 * Ids of groups that are due: the tenants in turns, so that none waits for all of another one. Of each tenant the first of each receiver, then
 * the second and so on.
 */
async function dueGroups(reads: Reads, now: string, limit: number): Promise<string[]> {
  const { tenant_id, app_id, group_id, next_at } = alertDeliveries;
  const least = {
    tenant_id: sql<string>`min(${tenant_id})`.as('of_tenant'),
    app_id: sql<string>`min(${app_id})`.as('of_app'),
    receiver: sql<string>`min(${receiverOf(alertDeliveries)})`.as('receiver'),
    next_at: sql<string>`min(${next_at})`.as('due_at'),
  };
  const groups = reads
    .select({ group_id, ...least })
    .from(alertDeliveries)
    .where(and(isWaiting, lte(next_at, now), not(isNull(group_id))))
    .groupBy(group_id)
    .as('due_groups');
  const place =
    sql<number>`row_number() OVER (PARTITION BY ${groups.app_id}, ${groups.receiver} ORDER BY ${groups.next_at}, ${groups.group_id})`.as(
      'place',
    );
  const ranked = reads
    .select({ group_id: groups.group_id, tenant_id: groups.tenant_id, due_at: groups.next_at, place })
    .from(groups)
    .as('ranked_groups');
  const turn =
    sql<number>`row_number() OVER (PARTITION BY ${ranked.tenant_id} ORDER BY ${ranked.place}, ${ranked.due_at}, ${ranked.group_id})`.as(
      'turn',
    );
  const chosen = reads
    .select({ group_id: ranked.group_id, due_at: ranked.due_at, turn })
    .from(ranked)
    .where(lte(ranked.place, perReceiver))
    .as('groups_in_turn');
  const inTurn = reads.select({ group_id: chosen.group_id }).from(chosen);
  const rows = await inTurn.orderBy(asc(chosen.turn), asc(chosen.due_at), asc(chosen.group_id)).limit(limit).all();
  return rows.flatMap((row) => row.group_id ?? []);
}

/** Triggered ones first, which `triggered` comes to last in order. */
async function firstOfGroups(reads: Reads, ids: readonly string[]) {
  const { id, tenant_id, app_id, destination, environment_id, target_id, payload, attempts, group_id, created_at } = alertDeliveries;
  const order = sql`${alertHistory.status} DESC, ${created_at}, ${id}`;
  const place = sql<number>`row_number() OVER (PARTITION BY ${group_id} ORDER BY ${order})`.as('place_in_group');
  const ranked = reads
    .select({ tenant_id, app_id, destination, environment_id, target_id, payload, attempts, group_id, place })
    .from(alertDeliveries)
    .innerJoin(alertHistory, eq(alertHistory.id, alertDeliveries.history_id))
    .where(and(inArray(group_id, [...ids]), isWaiting))
    .as('ranked_notices');
  const first = reads.select().from(ranked).where(lte(ranked.place, noticesInMessage));
  return Map.groupBy(await first.orderBy(asc(ranked.place)).all(), (row) => row.group_id);
}

export async function dueDeliveries(reads: Reads, now: string, limit: number): Promise<PendingDelivery[]> {
  const ids = await dueGroups(reads, now, limit);
  if (ids.length === 0) return [];
  const { group_id } = alertDeliveries;
  const { status } = alertHistory;
  const counts = await reads
    .select({ group_id, status, rows: count() })
    .from(alertDeliveries)
    .innerJoin(alertHistory, eq(alertHistory.id, alertDeliveries.history_id))
    .where(and(inArray(group_id, ids), isWaiting))
    .groupBy(group_id, status)
    .all();
  const first = await firstOfGroups(reads, ids);
  return ids.flatMap((id): PendingDelivery[] => {
    const rows = first.get(id) ?? [];
    const [row] = rows;
    if (!row) return [];
    const { tenant_id, app_id, destination, environment_id, target_id, attempts } = row;
    const number = (of: string) => counts.find((each) => each.group_id === id && each.status === of)?.rows ?? 0;
    const payloads = rows.map(({ payload }) => payload);
    const counted = { triggered: number('triggered'), resolved: number('resolved') };
    return [{ id, scope: { tenant_id, app_id }, destination, environment_id, target_id, payloads, ...counted, attempts }];
  });
}

export async function recordAttempt(write: Queries, claim: Claim, groupId: string, { state, answer, next_ms }: Attempt, now: string) {
  const finished_at = state === 'waiting' ? null : now;
  const next_at = next_ms === null ? now : new Date(next_ms).toISOString();
  const attempts = sql`${alertDeliveries.attempts} + 1`;
  await write
    .update(alertDeliveries)
    .set({ state, answer, attempts, next_at, finished_at })
    .where(and(eq(alertDeliveries.group_id, groupId), isWaiting, isHeld(write, claim)))
    .run();
}

export async function deliveriesOf(
  reads: ControlDatabase['queries'],
  { tenant_id, app_id }: Scope,
  alertId: string,
  { limit, offset }: PageQuery,
): Promise<Page<AlertDelivery>> {
  const { id, history_id, destination, target_id, group_id, state, answer, attempts, created_at, finished_at } = alertDeliveries;
  const mine = and(eq(alertDeliveries.tenant_id, tenant_id), eq(alertDeliveries.app_id, app_id), eq(alertDeliveries.alert_id, alertId));
  const page = reads
    .select({ id, history_id, destination, channel_id: target_id, group_id, state, answer, attempts, created_at, finished_at })
    .from(alertDeliveries)
    .where(mine)
    .orderBy(desc(created_at), id);
  const rows = await page.limit(limit).offset(offset).all();
  const data = rows.map((row) => ({ ...row, channel_id: row.destination === 'owner' ? null : row.channel_id }));
  return { data, total: await countRows(reads, alertDeliveries, mine) };
}

interface NoticeOwner extends Scope {
  alert_id: string;
  history_id: string;
  created_at: string;
}

export async function insertDeliveries(
  write: Queries,
  { tenant_id, app_id, alert_id, history_id, created_at }: NoticeOwner,
  notices: readonly Notice[],
): Promise<void> {
  const initial = { state: 'waiting', answer: null, attempts: 0, next_at: created_at, finished_at: null, group_id: null } as const;
  const owner = { tenant_id, app_id, alert_id, history_id, created_at };
  for (const notice of notices) {
    await write
      .insert(alertDeliveries)
      .values({ id: randomUUID(), ...owner, ...notice, ...initial })
      .run();
  }
}

const newestEntry = (reads: Reads, alertId: string) => {
  const entries = reads.select({ id: alertHistory.id, status: alertHistory.status }).from(alertHistory);
  const ofAlert = entries.where(eq(alertHistory.alert_id, alertId));
  return ofAlert.orderBy(desc(alertHistory.created_at), desc(alertHistory.id)).limit(1).get();
};

/** Notices that belong to the newest entry of an alert's history. */
export async function insertLate(
  write: Queries,
  alert: Scope & { id: string },
  created_at: string,
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length === 0) return;
  const { id: alert_id, tenant_id, app_id } = alert;
  const history_id = must(await newestEntry(write, alert_id), 'it triggered').id;
  await insertDeliveries(write, { tenant_id, app_id, alert_id, created_at, history_id }, notices);
}

/** Receivers of the notices of an alert that is triggered. */
export async function receiversTold(reads: Reads, { id }: { id: string }): Promise<Receiver[]> {
  const entry = await newestEntry(reads, id);
  if (entry?.status !== 'triggered') return [];
  const { destination, environment_id, target_id, history_id, alert_id } = alertDeliveries;
  return reads
    .selectDistinct({ destination, environment_id, target_id })
    .from(alertDeliveries)
    .where(and(eq(alert_id, id), eq(history_id, entry.id)))
    .all();
}
