import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { AlertDelivery } from '../../../shared/contract/operations/alert-delivery.ts';
import { must } from '../../platform/assert.ts';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Actor } from '../actor.ts';
import type { Alert } from '../alert-store.ts';
import type { AlertWatch, Attempt, Notice, PendingDelivery, Transition } from '../alert-watch.ts';
import type { Claim } from '../lease-store.ts';
import { asAlert } from './alert-rows.ts';
import { type ControlDatabase, countRows, type Queries } from './control-database.ts';
import { isHeld } from './lease-rows.ts';
import { alertDeliveries, alertHistory, alerts } from './schema/alerts.ts';

const by: Actor = { kind: 'system', id: 'alerts', ip: null };
const isoOf = (ms: number): string => new Date(ms).toISOString();

export class AlertWatchRows implements AlertWatch {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async next(afterId: string | null, limit: number): Promise<Alert[]> {
    const after = afterId === null ? undefined : gt(alerts.id, afterId);
    const rows = await this.#database.queries.select().from(alerts).where(after).orderBy(asc(alerts.id)).limit(limit).all();
    return rows.map(asAlert);
  }

  async change(claim: Claim, alert: Alert, transition: Transition): Promise<boolean> {
    const { id, tenant_id, app_id } = alert;
    const { status, is_silenced } = transition;
    const set = { status, is_silenced, ...(status === 'resolved' ? attentionAfter(alert) : {}) };
    const action = status === 'triggered' ? 'alert.trigger' : 'alert.resolve';
    return this.#database.write({ by, tenant_id, app_id, action, target: id }, async (write, now) => {
      const { changes } = await write
        .update(alerts)
        .set(set)
        .where(and(isAsRead(alert), isHeld(write, claim)))
        .run();
      if (changes === 0) return { result: false, unchanged: true };
      await insertHistory(write, alert, transition, now);
      return { result: true, before: alert, after: { ...alert, ...set } };
    });
  }

  async notifyLate(claim: Claim, alert: Alert, notices: readonly Notice[]): Promise<boolean> {
    const { id, tenant_id, app_id } = alert;
    return this.#database.write({ by, tenant_id, app_id, action: 'alert.notify', target: id }, async (write, created_at) => {
      const { changes } = await write
        .update(alerts)
        .set({ is_silenced: false })
        .where(and(isAsRead(alert), eq(alerts.is_silenced, true), isHeld(write, claim)))
        .run();
      if (changes === 0) return { result: false, unchanged: true };
      const newest = write.select({ id: alertHistory.id }).from(alertHistory).where(eq(alertHistory.alert_id, id));
      const trigger = await newest.orderBy(desc(alertHistory.created_at), desc(alertHistory.id)).limit(1).get();
      const owner = { tenant_id, app_id, alert_id: id, created_at };
      await insertDeliveries(write, { ...owner, history_id: must(trigger, 'it triggered').id }, notices);
      return { result: true, before: alert, after: { ...alert, is_silenced: false } };
    });
  }

  async due(limit: number): Promise<PendingDelivery[]> {
    const { queries } = this.#database;
    const isDue = and(eq(alertDeliveries.state, sql`'waiting'`), lte(alertDeliveries.next_at, this.#database.now()));
    const rows = await queries.select().from(alertDeliveries).where(isDue).orderBy(asc(alertDeliveries.next_at)).limit(limit).all();
    return rows.map(({ id, tenant_id, app_id, destination, environment_id, payload, attempts }) => {
      return { id, scope: { tenant_id, app_id }, destination, environment_id, payload, attempts };
    });
  }

  async recordAttempt(claim: Claim, id: string, { state, answer, next_ms }: Attempt): Promise<void> {
    await this.#database.transaction(async (write, now) => {
      const finished_at = state === 'waiting' ? null : now;
      const next_at = next_ms === null ? now : isoOf(next_ms);
      const attempts = sql`${alertDeliveries.attempts} + 1`;
      const set = { state, answer, attempts, next_at, finished_at };
      await write
        .update(alertDeliveries)
        .set(set)
        .where(and(eq(alertDeliveries.id, id), isHeld(write, claim)))
        .run();
    });
  }

  async deliveries({ tenant_id, app_id }: Scope, alertId: string, { limit, offset }: PageQuery): Promise<Page<AlertDelivery>> {
    const { queries } = this.#database;
    const { id, history_id, destination, state, answer, attempts, created_at, finished_at } = alertDeliveries;
    const mine = and(eq(alertDeliveries.tenant_id, tenant_id), eq(alertDeliveries.app_id, app_id), eq(alertDeliveries.alert_id, alertId));
    const page = queries
      .select({ id, history_id, destination, state, answer, attempts, created_at, finished_at })
      .from(alertDeliveries)
      .where(mine)
      .orderBy(desc(created_at), id);
    return { data: await page.limit(limit).offset(offset).all(), total: await countRows(queries, alertDeliveries, mine) };
  }
}

/** Matches the alert if its definition and status are unchanged since it was read. */
const isAsRead = ({ id, tenant_id, app_id, status, updated_at, muted_until }: Alert) =>
  and(
    ...[eq(alerts.id, id), eq(alerts.tenant_id, tenant_id), eq(alerts.app_id, app_id), eq(alerts.status, status)],
    updated_at === null ? isNull(alerts.updated_at) : eq(alerts.updated_at, updated_at),
    muted_until === null ? isNull(alerts.muted_until) : eq(alerts.muted_until, muted_until),
  );

/** What is left of the attention to an alert that resolves. */
const attentionAfter = ({ muted_until, muted_by }: Alert) => ({
  ...{ acknowledged_at: null, acknowledged_by: null },
  ...(muted_until === 'resolved' ? { muted_until: null, muted_by: null } : { muted_until, muted_by }),
});

async function insertHistory(
  write: Queries,
  alert: Alert,
  { status, triggered_value, notices }: Transition,
  created_at: string,
): Promise<void> {
  const { id: alert_id, tenant_id, app_id, name: alert_name, metric: alert_metric, commit_sha } = alert;
  const { evaluation_name, evaluation_aggregation, evaluation_threshold_direction } = alert;
  const evaluation = { evaluation_name, evaluation_aggregation, evaluation_threshold_direction };
  const owner = { tenant_id, app_id, alert_id, created_at };
  const history_id = randomUUID();
  await write
    .insert(alertHistory)
    .values({ id: history_id, ...owner, alert_name, alert_metric, triggered_value, status, ...evaluation, commit_sha })
    .run();
  await insertDeliveries(write, { ...owner, history_id }, notices);
}

async function insertDeliveries(
  write: Queries,
  owner: Record<'tenant_id' | 'app_id' | 'alert_id' | 'history_id' | 'created_at', string>,
  notices: readonly Notice[],
): Promise<void> {
  const initial = { state: 'waiting', answer: null, attempts: 0, next_at: owner.created_at, finished_at: null } as const;
  for (const notice of notices) {
    await write
      .insert(alertDeliveries)
      .values({ id: randomUUID(), ...owner, ...notice, ...initial })
      .run();
  }
}
