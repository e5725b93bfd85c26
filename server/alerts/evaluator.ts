/** Evaluates all alerts of all apps, and stores status changes. */
import type { Alert } from '../control/alert-store.ts';
import type { AlertWatch, Notice } from '../control/alert-watch.ts';
import type { EnvironmentStore } from '../control/environment-store.ts';
import type { Claim } from '../control/lease-store.ts';
import type { Plans } from '../limits/plans.ts';
import { must } from '../platform/assert.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { WindowReader } from '../telemetry/window-reader.ts';
import { isBeyond, measure } from './measure.ts';
import { type Change, decimalText, messageOf, webhookBody } from './notice.ts';

const alertsAtOnce = 100;

interface EvaluatorStores {
  alertWatch: AlertWatch;
  environments: EnvironmentStore;
}

export class AlertEvaluator {
  readonly #stores: EvaluatorStores;
  readonly #windows: WindowReader;
  readonly #plans: Plans;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(stores: EvaluatorStores, windows: WindowReader, plans: Plans, clock: Clock, log: Log) {
    this.#stores = stores;
    this.#windows = windows;
    this.#plans = plans;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Evaluates all alerts once. A failing one keeps its status and does not affect others.
   * @param claim of the lease, without which nothing is written
   * @param stop stops it between two alerts
   */
  async evaluate(claim: Claim, stop?: AbortSignal): Promise<void> {
    let after: string | null = null;
    for (;;) {
      const alerts: Alert[] = await this.#stores.alertWatch.next(after, alertsAtOnce);
      for (const alert of alerts) {
        if (stop?.aborted) return;
        await this.#evaluateOne(claim, alert).catch((error) =>
          this.#log.error('alert_not_judged', { alert: alert.id, reason: String(error) }),
        );
      }
      const last = alerts.at(-1);
      if (!last || alerts.length < alertsAtOnce) return;
      after = last.id;
    }
  }

  async #evaluateOne(claim: Claim, alert: Alert): Promise<void> {
    if (!(await this.#plans.of(alert.tenant_id)).alerts_enabled) return;
    const { alertWatch, environments } = this.#stores;
    const scope = { tenant_id: alert.tenant_id, app_id: alert.app_id };
    const named = alert.environment_id === null ? null : await environments.find(scope, alert.environment_id);
    const atMs = this.#clock.now();
    const value = await measure(this.#windows, alert, named?.name ?? null, atMs);
    if (value === null) return;
    const status = isBeyond(alert, value) ? 'triggered' : 'resolved';
    if (status === alert.status) return;
    const notified = named ?? must(await environments.findDefault(scope), 'every app has one');
    const notices = noticesOf({ alert, status, value, atMs }, notified.id);
    await alertWatch.change(claim, alert, { status, triggered_value: decimalText(value), notices });
  }
}

function noticesOf(change: Change, environment_id: string): Notice[] {
  const notices: Notice[] = [];
  if (change.alert.use_webhook) notices.push({ destination: 'webhook', environment_id, payload: webhookBody(change) });
  if (change.alert.use_slack) notices.push({ destination: 'slack', environment_id: null, payload: messageOf(change) });
  return notices;
}
