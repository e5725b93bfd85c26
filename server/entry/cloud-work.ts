/** Background work of the cloud gateway: everything that goes on between requests, most of it by lease (ADR 049). */
import { noDispatcher } from '../agent-runs/dispatcher.ts';
import { startAgentDelivery } from '../agents/agent-delivery.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { openGit } from '../git/git-service.ts';
import type { GitSettings } from '../git/git-settings.ts';
import { startDeployer } from '../hosting/deployer.ts';
import { noHosting } from '../hosting/no-hosting.ts';
import { secretsOf } from '../identity/secrets.ts';
import type { IngestPipeline } from '../ingest/pipeline.ts';
import { backgroundWork } from '../jobs/background-work.ts';
import type { Leases } from '../jobs/lease.ts';
import { Delivery } from '../jobs/outbox.ts';
import type { Plans } from '../limits/plans.ts';
import type { Mailer } from '../mail/mailer.ts';
import { systemClock } from '../platform/clock.ts';
import { type Log, stderrLog } from '../platform/log.ts';
import type { BackgroundWork } from '../platform/observer.ts';
import { RuleRounds } from '../queue-rules/rule-rounds.ts';
import { RetentionRounds } from '../retention/retention-rounds.ts';
import type { TelemetryStore } from '../telemetry/store.ts';
import type { CloudOptions } from './cloud.ts';
import { startAgentRuns } from './cloud-agent-runs.ts';
import { startAlerts } from './cloud-alerts.ts';
import { startConnections } from './cloud-connections.ts';
import { startSecretChange } from './cloud-secret-change.ts';
import type { OpenedTelemetry } from './open-telemetry.ts';

const noGit: GitSettings = { github: null, gitlab: null };

interface Stores {
  control: ControlStore;
  telemetry: TelemetryStore;
  ingest: IngestPipeline;
  coordination: Coordination;
  leases: Leases;
  waiting: OpenedTelemetry['waiting'];
}

/** Deliveries from the control store to the telemetry store. */
function deliveriesTo(telemetry: Stores['telemetry'], { scoreOutbox, appErasures }: Stores['control'], leases: Leases, log: Log) {
  const ofScores = { name: 'scores', outbox: scoreOutbox, event: 'scores_wait', leases, log };
  const ofErasures = { name: 'app erasures', outbox: appErasures, event: 'app_erasure_waits', leases, log };
  return [
    new Delivery({ ...ofScores, deliver: (entry) => telemetry.scores.insert(entry.scope, entry.scores) }),
    new Delivery({ ...ofErasures, deliver: ({ scope }) => telemetry.erase(scope) }),
  ] as const;
}

/** Starts background work, including that of an earlier gateway. @param publicUrl base URL for users */
export async function startWork(
  { control, telemetry, ingest, coordination, leases, waiting }: Stores,
  plans: Plans,
  publicUrl: string,
  mailer: Mailer | null,
  options: CloudOptions,
) {
  const { hosting = noHosting, log = stderrLog, clock = systemClock } = options;
  const secrets = secretsOf(options);
  const deployer = await startDeployer({ control, hosting, leases, log });
  const [scoreDelivery, appErasure] = deliveriesTo(telemetry, control, leases, log);
  await Promise.all([scoreDelivery.deliver(), appErasure.deliver()]);
  const agentDelivery = startAgentDelivery({ sessions: control.agentSessions, ingest, plans, leases, clock, log });
  const ofRetention = { control, deletions: telemetry.deletions, plans, leases, clock, log };
  const retention = new RetentionRounds(ofRetention, options.retentionEveryMs).start();
  const rules = new RuleRounds({ control, search: telemetry.search, leases, clock, log }, options.queueRules).start();
  const ofAlerts = { baseUrl: publicUrl, secrets, mailer, settings: options.alerts ?? {} };
  const alerts = startAlerts({ control, telemetry, plans, leases, clock, log, ...ofAlerts });
  const git = openGit({ settings: options.git ?? noGit, secrets, publicUrl, control, deployer, leases, clock, log });
  git.pushes.open();
  const secretChange = secrets.length > 1 ? startSecretChange({ secrets, control, git, leases, log }) : null;
  const connections = await startConnections({ control, coordination, leases, clock, log }, secrets, options.internalUrl ?? null);
  const agentRuns = await startAgentRuns(options.codingAgents, { control, leases, clock, log, address: publicUrl });
  const services = {
    deployer,
    scoreDelivery,
    appErasure,
    agentDelivery,
    alertDestinations: alerts.destinations,
    alertChannels: alerts.channels,
    git,
    ...connections.services,
    agentRunDispatcher: agentRuns ?? noDispatcher,
  };
  const stop = async () => {
    await connections.stop();
    await Promise.all([alerts.stop(), retention.stop(), rules.stop()]);
    await agentRuns?.stop();
    await Promise.all([secretChange?.stop(), git.pushes.stop()]);
    await deployer.stop();
    await Promise.all([agentDelivery.stop(), scoreDelivery.stop(), appErasure.stop()]);
    await ingest.stop();
  };
  const outboxes = [scoreDelivery, appErasure, agentDelivery.outbox, ...(waiting ? [waiting] : [])];
  const background: BackgroundWork = {
    ...backgroundWork(leases, outboxes),
    journalBytes: () => waiting?.bytes ?? null,
    journalFailures: () => waiting?.failures ?? null,
    alertAttempts: alerts.attempts,
  };
  return { services, background, guard: connections.guard, stop };
}
