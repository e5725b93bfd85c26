/** Notices of a status change, with everything that a reader needs to judge it. */
import type { Alert } from '../control/alert-store.ts';
import type { Notice } from '../control/alert-watch.ts';
import type { AppStore } from '../control/app-store.ts';
import type { Environment, EnvironmentStore } from '../control/environment-store.ts';
import { must } from '../platform/assert.ts';
import type { Log } from '../platform/log.ts';
import { type Change, slackText, webhookBody } from './notice.ts';
import type { WorstTrace, WorstTraces } from './worst-traces.ts';

interface NoticeParts {
  apps: AppStore;
  environments: EnvironmentStore;
  worstTraces: WorstTraces;
  /** Of the viewer, without a slash at its end. */
  baseUrl: string;
  log: Log;
}

const minuteMs = 60_000;

export class Notices {
  readonly #parts: NoticeParts;

  constructor(parts: NoticeParts) {
    this.#parts = parts;
  }

  /** @param named environment of the alert; null for the whole app */
  async of(changed: Pick<Change, 'alert' | 'status' | 'value' | 'atMs'>, named: Environment | null): Promise<Notice[]> {
    const { apps, environments, baseUrl } = this.#parts;
    const { use_webhook, use_slack, tenant_id, app_id } = changed.alert;
    if (!use_webhook && !use_slack) return [];
    const app = must(await apps.find(tenant_id, app_id), 'an alert belongs to an app');
    const environment = named && { id: named.id, name: named.name };
    const traces = changed.status === 'triggered' ? await this.#traces(changed, environment?.name ?? null) : [];
    const change: Change = { ...changed, app: { id: app_id, name: app.display_name ?? app.name }, environment, traces, baseUrl };
    const notices: Notice[] = [];
    if (use_webhook) {
      const notified = named ?? must(await environments.findDefault(changed.alert), 'every app has one');
      notices.push({ destination: 'webhook', environment_id: notified.id, payload: webhookBody(change) });
    }
    if (use_slack) notices.push({ destination: 'slack', environment_id: null, payload: slackText(change) });
    return notices;
  }

  /** A notice without them is better than none. */
  async #traces({ alert, atMs }: { alert: Alert; atMs: number }, environment: string | null): Promise<WorstTrace[]> {
    try {
      return await this.#parts.worstTraces.find(alert, { from_ms: atMs - alert.time_window * minuteMs, to_ms: atMs, environment });
    } catch (error) {
      this.#parts.log.error('alert_traces_not_found', { alert: alert.id, reason: String(error) });
      return [];
    }
  }
}
