/** Wires and starts the services for alerts. */
import { z } from 'zod';
import { ChannelSender } from '../alerts/channel-sender.ts';
import { AlertChannels } from '../alerts/channels.ts';
import { AlertDestinations } from '../alerts/destinations.ts';
import { AlertDispatcher } from '../alerts/dispatcher.ts';
import { AlertEvaluator } from '../alerts/evaluator.ts';
import { Notices } from '../alerts/notices.ts';
import { AlertRounds, type RoundTimes } from '../alerts/rounds.ts';
import { AlertSender, alertDestinationsPurpose } from '../alerts/sender.ts';
import { Slack } from '../alerts/slack.ts';
import { WorstTraces } from '../alerts/worst-traces.ts';
import type { ControlStore } from '../control/control-store.ts';
import { SealedTexts } from '../identity/sealed-text.ts';
import type { Secrets } from '../identity/secrets.ts';
import type { Leases } from '../jobs/lease.ts';
import type { Plans } from '../limits/plans.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Outbound } from '../platform/outbound/outbound.ts';
import type { TelemetryStore } from '../telemetry/store.ts';

export interface AlertSettings {
  /** Origins that webhooks may use although they are internal or plain http. None by default. */
  trustedOrigins?: readonly string[];
  /** Base URL of Slack's API, with a trailing slash. */
  slackApi?: string;
  /** Where events for PagerDuty are posted, for tests. */
  pagerDutyApi?: string;
  times?: RoundTimes;
}

const origins = z.string().transform((list, context) =>
  list.split(',').map((text) => {
    const url = URL.parse(text.trim());
    if (url?.origin === text.trim() && /^https?:$/.test(url.protocol)) return url.origin;
    context.addIssue({ code: 'custom', message: `must be comma-separated origins such as http://hooks.internal:8080, not ${text}` });
    return z.NEVER;
  }),
);

const variables = z.object({
  GLASSHOUSE_ALERT_ORIGINS: origins.optional(),
  GLASSHOUSE_SLACK_API: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
});

/** Names of the variables above. */
export const alertVariables: readonly string[] = Object.keys(variables.shape);

/** @throws Error with a line for each invalid variable */
export function readAlertSettings(environment: Record<string, string | undefined>): AlertSettings {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const read = variables.safeParse(set);
  if (!read.success) throw new Error(read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('\n'));
  const { GLASSHOUSE_ALERT_ORIGINS: trustedOrigins, GLASSHOUSE_SLACK_API: slackApi } = read.data;
  return { ...(trustedOrigins && { trustedOrigins }), ...(slackApi && { slackApi: slackApi.replace(/\/*$/, '/') }) };
}

interface AlertParts {
  control: ControlStore;
  telemetry: TelemetryStore;
  plans: Plans;
  leases: Leases;
  clock: Clock;
  log: Log;
  /** Base URL of the viewer. */
  baseUrl: string;
  secrets: Secrets;
  /** Null where the gateway sends no e-mail. */
  mailer: Mailer | null;
  settings: AlertSettings;
}

interface Alerts {
  destinations: AlertDestinations;
  channels: AlertChannels;
  /** Attempts to send a notice since the start, by result. */
  attempts(): ReadonlyMap<string, number>;
  /** Stops the schedule. Unsent notices stay due. */
  stop(): Promise<void>;
}

const slackApi = 'https://slack.com/api/';
const pagerDutyApi = 'https://events.pagerduty.com/v2/enqueue';

/** Starts evaluation and delivery of alerts. */
export function startAlerts(parts: AlertParts): Alerts {
  const { control, telemetry, plans, leases, clock, log, baseUrl, secrets, mailer, settings } = parts;
  const { alertDestinations: store, alertWatch, apps, environments } = control;
  const sealed = new SealedTexts(secrets, alertDestinationsPurpose);
  const outbound = new Outbound(settings.trustedOrigins);
  const base = settings.slackApi ?? slackApi;
  const slack = new Slack(new Outbound([new URL(base).origin]), base);
  const { alertChannels, tenants } = control;
  const pagerDuty = settings.pagerDutyApi ?? pagerDutyApi;
  const channels = new ChannelSender({
    ...{ channels: alertChannels, tenants, sealed, outbound, mailer, clock },
    pagerDuty: { outbound: new Outbound([new URL(pagerDuty).origin]), url: pagerDuty },
  });
  const sender = new AlertSender({ destinations: store, channels, sealed, outbound, slack, clock, baseUrl });
  const sendsMail = mailer !== null;
  const worstTraces = new WorstTraces(telemetry);
  const notices = new Notices({ alertWatch, apps, environments, channels: alertChannels, sendsMail, worstTraces, baseUrl, log });
  const evaluator = new AlertEvaluator({ alertWatch, environments, windows: telemetry.windows, plans, notices, clock, log });
  const dispatcher = new AlertDispatcher(alertWatch, sender, clock, log);
  const rounds = new AlertRounds(leases, { evaluator, dispatcher }, clock, log, settings.times).start();
  const destinations = new AlertDestinations({ store, sealed, outbound, slack, sender, clock });
  const ofChannels = new AlertChannels({ store: alertChannels, tenants, sealed, outbound, sender, clock, sendsMail });
  return { destinations, channels: ofChannels, attempts: () => dispatcher.attempts, stop: () => rounds.stop() };
}
