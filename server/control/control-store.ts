import type { AgentRunQueue } from './agent-run-queue.ts';
import type { AgentRunStore } from './agent-run-store.ts';
import type { AgentSessionStore } from './agent-session-store.ts';
import type { AlertDestinationStore } from './alert-destination-store.ts';
import type { AlertStore } from './alert-store.ts';
import type { AlertWatch } from './alert-watch.ts';
import type { AppErasures } from './app-erasures.ts';
import type { AppStore } from './app-store.ts';
import type { AuditLog } from './audit-log.ts';
import type { CommentStore } from './comment-store.ts';
import type { DatasetRowStore } from './dataset-row-store.ts';
import type { DeploymentStore } from './deployment-store.ts';
import type { DeviceSignInStore } from './device-sign-in-store.ts';
import type { EnvironmentStore } from './environment-store.ts';
import type { EscalationStore } from './escalation-store.ts';
import type { EvalRunStore } from './eval-run-store.ts';
import type { EvalTrialStore } from './eval-trial-store.ts';
import type { ExperimentRunStore } from './experiment-run-store.ts';
import type { GitStore } from './git-store.ts';
import type { InvitationStore } from './invitation-store.ts';
import type { ItemStore } from './item-store.ts';
import type { KeyStore } from './key-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { NoticeStore } from './notice-store.ts';
import type { PasswordResetStore } from './password-reset-store.ts';
import type { QueueStore } from './queue-store.ts';
import type { RetentionStore } from './retention-store.ts';
import type { SagaStore } from './saga-store.ts';
import type { ScoreConfigStore } from './score-config-store.ts';
import type { ScoreOutbox } from './score-outbox.ts';
import type { SessionStore } from './session-store.ts';
import type { ShareLinkStore } from './share-link-store.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import type { TenantStore } from './tenant-store.ts';
import type { UserStore } from './user-store.ts';

/**
 * Control store: the records of a team other than telemetry. Methods resolve when their changes are durable; methods about an app take its
 * scope first and do not find records of other apps.
 */
export interface ControlStore {
  tenants: TenantStore;
  users: UserStore;
  invitations: InvitationStore;
  passwordResets: PasswordResetStore;
  sessions: SessionStore;
  deviceSignIns: DeviceSignInStore;
  apps: AppStore;
  appErasures: AppErasures;
  environments: EnvironmentStore;
  retention: RetentionStore;
  shareLinks: ShareLinkStore;
  deployments: DeploymentStore;
  snapshots: SnapshotStore;
  git: GitStore;
  datasetRows: DatasetRowStore;
  sagas: SagaStore;
  keys: KeyStore;
  queues: QueueStore;
  scoreConfigs: ScoreConfigStore;
  items: ItemStore;
  comments: CommentStore;
  notices: NoticeStore;
  scoreOutbox: ScoreOutbox;
  alerts: AlertStore;
  alertDestinations: AlertDestinationStore;
  alertWatch: AlertWatch;
  evalRuns: EvalRunStore;
  evalTrials: EvalTrialStore;
  escalations: EscalationStore;
  agentSessions: AgentSessionStore;
  experimentRuns: ExperimentRunStore;
  agentRuns: AgentRunStore;
  agentRunQueue: AgentRunQueue;
  leases: LeaseStore;
  audit: AuditLog;
  stop(): Promise<void>;
}
