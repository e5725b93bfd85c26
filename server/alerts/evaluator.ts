/** Evaluates all alerts of all apps, and stores status changes. */
import type { Alert } from '../control/alert-store.ts';
import type { AlertWatch } from '../control/alert-watch.ts';
import type { EnvironmentStore } from '../control/environment-store.ts';
import type { Claim } from '../control/lease-store.ts';
import type { Plans } from '../limits/plans.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { WindowReader } from '../telemetry/window-reader.ts';
import { isBeyond, measure } from './measure.ts';
import { decimalText } from './notice.ts';
import type { Notices } from './notices.ts';

const alertsAtOnce = 100;

interface EvaluatorParts {
  alertWatch: AlertWatch;
  environments: EnvironmentStore;
  windows: WindowReader;
  plans: Plans;
  notices: Notices;
  clock: Clock;
  log: Log;
}

export class AlertEvaluator {
  readonly #parts: EvaluatorParts;

  constructor(parts: EvaluatorParts) {
    this.#parts = parts;
  }

  /**
   * Evaluates all alerts once. A failing one keeps its status and does not affect others.
   * @param claim of the lease, without which nothing is written
   * @param stop stops it between two alerts
   */
  async evaluate(claim: Claim, stop?: AbortSignal): Promise<void> {
    this.#parts.notices.startRound();
    let after: string | null = null;
    for (;;) {
      const alerts: Alert[] = await this.#parts.alertWatch.next(after, alertsAtOnce);
      for (const alert of alerts) {
        if (stop?.aborted) return;
        await this.#evaluateOne(claim, alert).catch((error) =>
          this.#parts.log.error('alert_not_judged', { alert: alert.id, reason: String(error) }),
        );
      }
      const last = alerts.at(-1);
      if (!last || alerts.length < alertsAtOnce) return;
      after = last.id;
    }
  }

  async #evaluateOne(claim: Claim, alert: Alert): Promise<void> {
    const { alertWatch, environments, windows, plans, notices, clock } = this.#parts;
    if (!(await plans.of(alert.tenant_id)).alerts_enabled) return;
    const scope = { tenant_id: alert.tenant_id, app_id: alert.app_id };
    const named = alert.environment_id === null ? null : await environments.find(scope, alert.environment_id);
    const atMs = clock.now();
    const value = await measure(windows, alert, named?.name ?? null, atMs);
    if (value === null) return;
    const status = isBeyond(alert, value) ? 'triggered' : 'resolved';
    const isMuted = isMutedAt(alert, atMs);
    const change = { alert, status, value, atMs } as const;
    if (status !== alert.status) {
      const is_silenced = status === 'triggered' && isMuted;
      const sent = is_silenced || alert.is_silenced ? [] : await notices.of(change, named);
      await alertWatch.change(claim, alert, { status, triggered_value: decimalText(value), is_silenced, notices: sent });
    } else if (alert.is_silenced && !isMuted) {
      await alertWatch.notifyLate(claim, alert, await notices.of(change, named), await notices.ofAcknowledgement(alert));
    }
  }
}

const isMutedAt = ({ muted_until }: Alert, atMs: number): boolean =>
  muted_until === 'resolved' || (muted_until !== null && Date.parse(muted_until) > atMs);
