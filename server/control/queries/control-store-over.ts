/** Every resource of the control store, over one database. */
import type { ControlStore } from '../control-store.ts';
import { AgentRunQueueRows } from './agent-run-queue-rows.ts';
import { AgentRunRows } from './agent-run-rows.ts';
import { AgentSessionRows } from './agent-session-rows.ts';
import { AlertChannelRows } from './alert-channel-rows.ts';
import { AlertDestinationRows } from './alert-destination-rows.ts';
import { alertRows } from './alert-rows.ts';
import { AlertWatchRows } from './alert-watch-rows.ts';
import { appErasureRows } from './app-erasure-rows.ts';
import { appRows } from './app-rows.ts';
import { auditRows } from './audit-rows.ts';
import { commentRows } from './comment-rows.ts';
import type { ControlDatabase } from './control-database.ts';
import { datasetRowRows } from './dataset-row-rows.ts';
import { DeploymentRows } from './deployment-rows.ts';
import { DeviceSignInRows } from './device-sign-in-rows.ts';
import { environmentRows } from './environment-rows.ts';
import { escalationRows } from './escalation-rows.ts';
import { EvalRunRows } from './eval-run-rows.ts';
import { EvalTrialRows } from './eval-trial-rows.ts';
import { ExperimentRunRows } from './experiment-run-rows.ts';
import { GitRows } from './git-rows.ts';
import { InvitationRows } from './invitation-rows.ts';
import { ItemRows } from './item-rows.ts';
import { keyRows } from './key-rows.ts';
import { LargeValues } from './large-values.ts';
import { LeaseRows } from './lease-rows.ts';
import { noticeRows } from './notice-rows.ts';
import { passwordResetRows } from './password-reset-rows.ts';
import { QueueRows } from './queue-rows.ts';
import { queueRuleRows } from './queue-rule-rows.ts';
import { retentionRows } from './retention-rows.ts';
import { SagaRows } from './saga-rows.ts';
import { scoreConfigRows } from './score-config-rows.ts';
import { scoreOutboxRows } from './score-outbox-rows.ts';
import { sealedTextRows } from './sealed-text-rows.ts';
import { sessionRows } from './session-rows.ts';
import { ShareLinkRows } from './share-link-rows.ts';
import { snapshotRows } from './snapshot-rows.ts';
import { TenantRows } from './tenant-rows.ts';
import { userRows } from './user-rows.ts';

/** @param values where large values are */
export const controlStoreOver = (database: ControlDatabase, values = new LargeValues(null)): ControlStore => ({
  tenants: new TenantRows(database),
  users: userRows(database),
  invitations: new InvitationRows(database),
  passwordResets: passwordResetRows(database),
  sessions: sessionRows(database),
  deviceSignIns: new DeviceSignInRows(database),
  apps: appRows(database),
  appErasures: appErasureRows(database),
  environments: environmentRows(database),
  retention: retentionRows(database),
  shareLinks: new ShareLinkRows(database),
  deployments: new DeploymentRows(database, values),
  snapshots: snapshotRows(database, values),
  git: new GitRows(database),
  datasetRows: datasetRowRows(database),
  sagas: new SagaRows(database),
  keys: keyRows(database),
  queues: new QueueRows(database),
  queueRules: queueRuleRows(database),
  scoreConfigs: scoreConfigRows(database),
  items: new ItemRows(database),
  comments: commentRows(database),
  notices: noticeRows(database),
  scoreOutbox: scoreOutboxRows(database),
  alerts: alertRows(database),
  alertDestinations: new AlertDestinationRows(database),
  alertChannels: new AlertChannelRows(database),
  alertWatch: new AlertWatchRows(database),
  sealedTexts: sealedTextRows(database),
  evalRuns: new EvalRunRows(database),
  evalTrials: new EvalTrialRows(database),
  escalations: escalationRows(database),
  agentSessions: new AgentSessionRows(database, values),
  experimentRuns: new ExperimentRunRows(database),
  agentRuns: new AgentRunRows(database),
  agentRunQueue: new AgentRunQueueRows(database),
  leases: new LeaseRows(database),
  audit: auditRows(database),
  stop: () => database.close(),
});
