import type { Dispatcher } from '../agent-runs/dispatcher.ts';
import type { AgentDelivery } from '../agents/agent-delivery.ts';
import type { AlertChannels } from '../alerts/channels.ts';
import type { AlertDestinations } from '../alerts/destinations.ts';
import type { AppErasure } from '../control/app-erasures.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { OutgoingScores } from '../control/score-outbox.ts';
import type { Forwarding } from '../forwarding/destinations.ts';
import type { Links } from '../forwarding/links.ts';
import type { Redaction } from '../forwarding/redaction.ts';
import type { TokenKey } from '../forwarding/token-key.ts';
import type { GitService } from '../git/git-service.ts';
import type { AgentHistory } from '../history/background/agent-history.ts';
import type { Deployer } from '../hosting/deployer.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import type { DeviceCodes } from '../identity/device-codes.ts';
import type { EnvironmentResolver } from '../identity/environment-resolver.ts';
import type { Logins } from '../identity/logins.ts';
import type { OpenIdProvider } from '../identity/openid-provider.ts';
import type { PasswordResets } from '../identity/password-resets.ts';
import type { Pricing } from '../ingest/cost/pricing.ts';
import type { IngestLog } from '../ingest/ingest-log.ts';
import type { IngestPipeline } from '../ingest/pipeline.ts';
import type { Delivery } from '../jobs/outbox.ts';
import type { Budgets } from '../limits/budgets.ts';
import type { Plans } from '../limits/plans.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Health } from '../platform/health.ts';
import type { TemplateReader } from '../project/mdx/template-reader.ts';
import type { ProjectFiles } from '../project/project-files.ts';
import type { PromptLibrary } from '../project/prompt-library.ts';
import type { RowReader } from '../project/row-reader.ts';
import type { LiveChanges } from '../telemetry/live-changes.ts';
import type { LocalTelemetryStore } from '../telemetry/local-telemetry-store.ts';
import type { SearchReader } from '../telemetry/search-reader.ts';
import type { MetricsReader } from '../telemetry/statistics-reader.ts';
import type { TelemetryStore } from '../telemetry/store.ts';
import type { ConnectionRegistry } from '../workers/connection-registry.ts';
import type { ExperimentRuns } from '../workers/experiment-runs.ts';
import type { About } from './capabilities.ts';
import type { Programs } from './programs.ts';

/** Services of a deployment. Modules name what they need; entries decide what they provide. */
export interface Services {
  auth: Authenticator;
  about: About;
  clock: Clock;
  telemetry: TelemetryStore;
  /** Changes of it and, where there are several gateways, of theirs. */
  liveChanges: LiveChanges;
  /** The same store, where it is a file of the gateway's only user. */
  localTelemetry: LocalTelemetryStore;
  /** Reads across the traces of a team. */
  search: SearchReader;
  metrics: MetricsReader;
  health: Health;
  ingest: IngestPipeline;
  ingestLog: IngestLog;
  /** Programs that runs can end. */
  programs: Programs;
  /** Environment of writes. */
  environmentResolver: EnvironmentResolver;
  pricing: Pricing;
  project: ProjectFiles;
  /** The prompts of the project, for display. */
  promptLibrary: PromptLibrary;
  /** Turns datasets into rows. */
  rows: RowReader;
  /** Turns templates into trees. */
  templates: TemplateReader;
  /** Control store: teams, apps, keys, and their records other than telemetry. */
  control: ControlStore;
  logins: Logins;
  /** Codes that connect a machine with the person who approves it. */
  deviceCodes: DeviceCodes;
  /** Null where the deployment has no identity provider. */
  openId: OpenIdProvider | null;
  /** Null where the deployment sends no e-mail. */
  mailer: Mailer | null;
  /** Null without e-mail. */
  passwordResets: PasswordResets | null;
  git: GitService;
  /** Creates, removes, promotes and rolls back environments. */
  deployer: Deployer;
  /** Delivers the scores of reviews to the telemetry store. */
  scoreDelivery: Delivery<OutgoingScores>;
  /** Reports deleted apps to the telemetry store. */
  appErasure: Delivery<AppErasure>;
  /** Request counters. */
  rateLimits: RateLimits;
  plans: Plans;
  alertDestinations: AlertDestinations;
  alertChannels: AlertChannels;
  /** Delivers the sessions of coding agents to the telemetry store. */
  agentDelivery: AgentDelivery;
  /** The connections of workers. */
  workers: ConnectionRegistry;
  experimentRuns: ExperimentRuns;
  /** Runs coding agents, where the deployment does. */
  agentRunDispatcher: Dispatcher;
  /** Forwards stored telemetry to clouds. */
  forwarding: Forwarding;
  /** Requests keys from clouds. */
  links: Links;
  /** Redacts what is forwarded, and shows what it would do. */
  redaction: Redaction;
  /** The key of the redaction tokens. */
  tokenKey: TokenKey;
  /** The sessions that coding agents keep on this machine. */
  agentHistory: AgentHistory;
  /** What the user of this machine wants to spend. */
  budgets: Budgets;
  /** Provided where the gateway runs on one person's machine, together with the work that it observes. */
  onOneMachine: true;
}
