import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import type { AlertDelivery } from '../../../shared/contract/operations/alert-delivery.ts';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Actor } from '../actor.ts';
import type { Alert } from '../alert-store.ts';
import type { AlertWatch, Attempt, Notice, PendingDelivery, Receiver, Transition } from '../alert-watch.ts';
import type { Claim } from '../lease-store.ts';
import { deliveriesOf, dueDeliveries, gather, insertDeliveries, insertLate, receiversTold, recordAttempt } from './alert-outbox-rows.ts';
import { asAlert } from './alert-rows.ts';
import type { ControlDatabase, Queries } from './control-database.ts';
import { isHeld } from './lease-rows.ts';
import { alertHistory, alerts } from './schema/alerts.ts';

const by: Actor = { kind: 'system', id: 'alerts', ip: null };

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

  async notifyLate(claim: Claim, alert: Alert, notices: readonly Notice[], later: readonly Notice[] = []): Promise<boolean> {
    const { id, tenant_id, app_id, acknowledged_at } = alert;
    const isAcknowledgedAsRead = acknowledged_at === null ? isNull(alerts.acknowledged_at) : eq(alerts.acknowledged_at, acknowledged_at);
    return this.#database.write({ by, tenant_id, app_id, action: 'alert.notify', target: id }, async (write, created_at) => {
      const { changes } = await write
        .update(alerts)
        .set({ is_silenced: false })
        .where(and(isAsRead(alert), isAcknowledgedAsRead, eq(alerts.is_silenced, true), isHeld(write, claim)))
        .run();
      if (changes === 0) return { result: false, unchanged: true };
      await insertLate(write, alert, created_at, notices);
      // A receiver gets them in the order of their times.
      await insertLate(write, alert, new Date(Date.parse(created_at) + 1).toISOString(), later);
      return { result: true, before: alert, after: { ...alert, is_silenced: false } };
    });
  }

  async told(alert: Scope & { id: string }): Promise<Receiver[]> {
    return receiversTold(this.#database.queries, alert);
  }

  async gather(claim: Claim): Promise<void> {
    await this.#database.transaction((write, now) => gather(write, claim, now));
  }

  async due(limit: number): Promise<PendingDelivery[]> {
    return dueDeliveries(this.#database.queries, this.#database.now(), limit);
  }

  async recordAttempt(claim: Claim, id: string, attempt: Attempt): Promise<void> {
    await this.#database.transaction((write, now) => recordAttempt(write, claim, id, attempt, now));
  }

  async deliveries(scope: Scope, alertId: string, query: PageQuery): Promise<Page<AlertDelivery>> {
    return deliveriesOf(this.#database.queries, scope, alertId, query);
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
