/** Notices of a status change, with everything that a reader needs to judge it. */
import type { AlertChannelStore, StoredChannel } from '../control/alert-channel-store.ts';
import type { Alert } from '../control/alert-store.ts';
import type { AlertWatch, Notice, Receiver } from '../control/alert-watch.ts';
import type { AppStore } from '../control/app-store.ts';
import type { Environment, EnvironmentStore } from '../control/environment-store.ts';
import { must } from '../platform/assert.ts';
import type { Log } from '../platform/log.ts';
import { type Change, noticePayload } from './notice.ts';
import type { WorstTrace, WorstTraces } from './worst-traces.ts';

interface NoticeParts {
  alertWatch: Pick<AlertWatch, 'told'>;
  apps: AppStore;
  environments: EnvironmentStore;
  channels: AlertChannelStore;
  /** Whether the gateway sends e-mail. */
  sendsMail: boolean;
  worstTraces: WorstTraces;
  /** Of the viewer, without a slash at its end. */
  baseUrl: string;
  log: Log;
}

const minuteMs = 60_000;
/** Of one tenant in a round; the notices of more alerts name no traces, as those of a group do not. */
const tracedMax = 50;

export class Notices {
  readonly #parts: NoticeParts;
  /** By tenant. */
  readonly #traced = new Map<string, number>();

  constructor(parts: NoticeParts) {
    this.#parts = parts;
  }

  /** Called before each round. */
  startRound(): void {
    this.#traced.clear();
  }

  /** @param named environment of the alert; null for the whole app */
  async of(changed: Pick<Change, 'alert' | 'status' | 'value' | 'atMs'>, named: Environment | null): Promise<Notice[]> {
    const { apps, alertWatch, baseUrl } = this.#parts;
    const { tenant_id, app_id } = changed.alert;
    // Whoever was told that it triggered is told that it resolved, and nobody else, also when the receivers of the alert changed meanwhile.
    const isRecovery = changed.status === 'resolved';
    const receivers = isRecovery ? await alertWatch.told(changed.alert) : await this.#receivers(changed.alert, named);
    if (receivers.length === 0) return [];
    const app = must(await apps.find(tenant_id, app_id), 'an alert belongs to an app');
    const environment = named && { id: named.id, name: named.name };
    const traces = changed.status === 'triggered' ? await this.#traces(changed, environment?.name ?? null) : [];
    const change: Change = { ...changed, app: { id: app_id, name: app.display_name ?? app.name }, environment, traces, baseUrl };
    const payload = noticePayload(change);
    return receivers.map((receiver) => ({ ...receiver, payload }));
  }

  /** Of an alert that was acknowledged before anybody was told that it triggered. */
  async ofAcknowledgement(alert: Alert): Promise<Notice[]> {
    const hasOne = alert.acknowledged_at !== null && alert.channel_ids.length > 0;
    return hasOne ? acknowledgementNotices(alert, await this.#parts.channels.list(alert)) : [];
  }

  async #receivers(alert: Alert, named: Environment | null): Promise<Receiver[]> {
    const { environments, channels, sendsMail } = this.#parts;
    const { use_webhook, use_slack, channel_ids, owner_id } = alert;
    const receivers: Receiver[] = [];
    if (use_webhook) {
      const notified = named ?? must(await environments.findDefault(alert), 'every app has one');
      receivers.push({ destination: 'webhook', environment_id: notified.id });
    }
    if (use_slack) receivers.push({ destination: 'slack', environment_id: null });
    const chosen = channel_ids.length === 0 ? [] : (await channels.list(alert)).filter(({ id }) => channel_ids.includes(id));
    for (const { id, kind } of chosen) receivers.push({ destination: kind, environment_id: null, target_id: id });
    if (owner_id !== null && sendsMail) receivers.push({ destination: 'owner', environment_id: null, target_id: owner_id });
    return receivers;
  }

  /** A notice without them is better than none. */
  async #traces({ alert, atMs }: { alert: Alert; atMs: number }, environment: string | null): Promise<WorstTrace[]> {
    const traced = this.#traced.get(alert.tenant_id) ?? 0;
    if (traced >= tracedMax) return [];
    this.#traced.set(alert.tenant_id, traced + 1);
    try {
      return await this.#parts.worstTraces.find(alert, { from_ms: atMs - alert.time_window * minuteMs, to_ms: atMs, environment });
    } catch (error) {
      this.#parts.log.error('alert_traces_not_found', { alert: alert.id, reason: String(error) });
      return [];
    }
  }
}

/** For PagerDuty, whose incident is acknowledged as well. @param channels of the app */
export function acknowledgementNotices({ id, name, channel_ids }: Alert, channels: readonly StoredChannel[]): Notice[] {
  const paged = channels.filter((channel) => channel.kind === 'pagerduty' && channel_ids.includes(channel.id));
  const data = { alert: { id, name, status: 'acknowledged' }, message: `Alert "${name}" acknowledged` };
  const payload = JSON.stringify({ event: { type: 'alert', data } });
  return paged.map((channel) => ({ destination: 'pagerduty', environment_id: null, target_id: channel.id, payload }));
}
