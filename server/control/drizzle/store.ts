/** The control store on SQLite: one file beside the telemetry. */
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { openFirst } from '../../telemetry/sqlite/file/first-open.ts';
import { hasCurrentSchema } from '../../telemetry/sqlite/file/open.ts';
import type { ControlStore } from '../control-store.ts';
import { AgentRunQueueRows } from './agent-run-queue-rows.ts';
import { AgentRunRows } from './agent-run-rows.ts';
import { AgentSessionRows } from './agent-session-rows.ts';
import { AlertDestinationRows } from './alert-destination-rows.ts';
import { alertRows } from './alert-rows.ts';
import { AlertWatchRows } from './alert-watch-rows.ts';
import { appErasureRows } from './app-erasure-rows.ts';
import { appRows } from './app-rows.ts';
import { auditRows } from './audit-rows.ts';
import { commentRows } from './comment-rows.ts';
import { ControlDatabase } from './control-database.ts';
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
import { migrations } from './migrations/index.ts';
import { QueueRows } from './queue-rows.ts';
import { SagaRows } from './saga-rows.ts';
import { scoreOutboxRows } from './score-outbox-rows.ts';
import { sessionRows } from './session-rows.ts';
import { snapshotRows } from './snapshot-rows.ts';
import { SqliteEngine } from './sqlite-engine.ts';
import { TenantRows } from './tenant-rows.ts';
import { translateErrors } from './translate-errors.ts';
import { userRows } from './user-rows.ts';

/** 'GLCO' in ASCII. */
const schema = { applicationId: 0x474c434f, migrations };
const checkpointPages = 500;

export const controlFile = (dataDir: string): string => join(dataDir, 'control.db');

/** Whether a control store has this schema version, so that opening it changes nothing. @throws StorageError when it cannot be read */
export const isCurrent = (file: string): boolean => hasCurrentSchema(file, schema);

/** @throws StorageError when the file is damaged, from another program, or from a later version */
export function openSqliteControl(dataDir: string, clock: Clock): ControlStore {
  const { db } = openFirst(controlFile(dataDir), schema);
  db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  db.pragma('foreign_keys = ON');
  const database = new ControlDatabase(new SqliteEngine(db), clock);
  return translateErrors({
    tenants: new TenantRows(database),
    users: userRows(database),
    invitations: new InvitationRows(database),
    sessions: sessionRows(database),
    deviceSignIns: new DeviceSignInRows(database),
    apps: appRows(database),
    appErasures: appErasureRows(database),
    environments: environmentRows(database),
    deployments: new DeploymentRows(database),
    snapshots: snapshotRows(database),
    git: new GitRows(database),
    datasetRows: datasetRowRows(database),
    sagas: new SagaRows(database),
    keys: keyRows(database),
    queues: new QueueRows(database),
    items: new ItemRows(database),
    comments: commentRows(database),
    scoreOutbox: scoreOutboxRows(database),
    alerts: alertRows(database),
    alertDestinations: new AlertDestinationRows(database),
    alertWatch: new AlertWatchRows(database),
    evalRuns: new EvalRunRows(database),
    evalTrials: new EvalTrialRows(database),
    escalations: escalationRows(database),
    agentSessions: new AgentSessionRows(database),
    experimentRuns: new ExperimentRunRows(database),
    agentRuns: new AgentRunRows(database),
    agentRunQueue: new AgentRunQueueRows(database),
    audit: auditRows(database),
    stop: () => database.close(),
  });
}
