import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { AlertDelivery } from '../../../shared/contract/operations/alert-delivery.ts';
import type { Page, PageQuery } from '../../platform/page.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Actor } from '../actor.ts';
import type { Alert } from '../alert-store.ts';
import type { AlertWatch, Attempt, PendingDelivery, Transition } from '../alert-watch.ts';
import { type ControlDatabase, conflictOn, countRows, type Queries } from './control-database.ts';
import { alertDeliveries, alertHistory, alerts, leases } from './schema/alerts.ts';

const leaseName = 'alerts';
const by: Actor = { kind: 'system', id: 'alerts', ip: null };
const isoOf = (ms: number): string => new Date(ms).toISOString();

export class AlertWatchRows implements AlertWatch {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async takeLease(holder: string, forMs: number): Promise<boolean> {
    return this.#database.transaction(async (write, now) => {
      const current = await write.select().from(leases).where(eq(leases.name, leaseName)).get();
      const timeIn = (ms: number) => isoOf(Date.parse(now) + ms);
      // A lease that ends long after its duration is from before the clock was set back. Clocks of two machines may differ a little.
      if (current && current.holder !== holder && current.until > now && current.until <= timeIn(3 * forMs)) return false;
      const set = { holder, until: timeIn(forMs) };
      await write
        .insert(leases)
        .values({ name: leaseName, ...set })
        .onConflictDoUpdate({ target: conflictOn(leases.name), set })
        .run();
      return true;
    });
  }

  async releaseLease(holder: string): Promise<void> {
    await this.#database.transaction(async (write) => {
      await write.delete(leases).where(isHeldBy(holder)).run();
    });
  }

  async next(afterId: string | null, limit: number): Promise<Alert[]> {
    const after = afterId === null ? undefined : gt(alerts.id, afterId);
    return this.#database.queries.select().from(alerts).where(after).orderBy(asc(alerts.id)).limit(limit).all();
  }

  async change(holder: string, alert: Alert, transition: Transition): Promise<boolean> {
    const { id, tenant_id, app_id } = alert;
    const { status } = transition;
    const action = status === 'triggered' ? 'alert.trigger' : 'alert.resolve';
    return this.#database.write({ by, tenant_id, app_id, action, target: id }, async (write, now) => {
      const isLeader = (await write.select().from(leases).where(isHeldBy(holder)).get()) !== undefined;
      const isChanged = isLeader && (await write.update(alerts).set({ status }).where(isAsRead(alert)).run()).changes > 0;
      if (!isChanged) return { result: false, unchanged: true };
      await insertHistory(write, alert, transition, now);
      return { result: true, before: alert, after: { ...alert, status } };
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

  async recordAttempt(id: string, { state, answer, next_ms }: Attempt): Promise<void> {
    await this.#database.transaction(async (write, now) => {
      const finished_at = state === 'waiting' ? null : now;
      const next_at = next_ms === null ? now : isoOf(next_ms);
      const attempts = sql`${alertDeliveries.attempts} + 1`;
      await write.update(alertDeliveries).set({ state, answer, attempts, next_at, finished_at }).where(eq(alertDeliveries.id, id)).run();
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

const isHeldBy = (holder: string) => and(eq(leases.name, leaseName), eq(leases.holder, holder));

/** Matches the alert if its definition and status are unchanged since it was read. */
const isAsRead = ({ id, tenant_id, app_id, status, updated_at }: Alert) =>
  and(
    ...[eq(alerts.id, id), eq(alerts.tenant_id, tenant_id), eq(alerts.app_id, app_id), eq(alerts.status, status)],
    updated_at === null ? isNull(alerts.updated_at) : eq(alerts.updated_at, updated_at),
  );

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
  const initial = { state: 'waiting', answer: null, attempts: 0, next_at: created_at, finished_at: null } as const;
  for (const notice of notices) {
    await write
      .insert(alertDeliveries)
      .values({ id: randomUUID(), ...owner, history_id, ...notice, ...initial })
      .run();
  }
}
