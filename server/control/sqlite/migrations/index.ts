import { identity } from './001-identity.ts';
import { deployments } from './002-deployments.ts';
import { reviews } from './003-reviews.ts';
import { alerts } from './004-alerts.ts';
import { joining } from './005-joining.ts';
import { repositories } from './006-repositories.ts';
import { evals } from './007-evals.ts';
import { agentSessions } from './008-agent-sessions.ts';
import { workers } from './009-workers.ts';
import { dispatchedRuns } from './010-dispatched-runs.ts';
import { deviceSignIn } from './011-device-sign-in.ts';
import { appErasures } from './012-app-erasures.ts';
import { fileChanges } from './013-file-changes.ts';
import { leases } from './014-leases.ts';
import { auditChanges } from './015-audit-changes.ts';
import { alertAttention } from './016-alert-attention.ts';
import { retention } from './017-retention.ts';
import { passwordResets } from './018-password-resets.ts';
import { shareLinks } from './019-share-links.ts';
import { queues } from './020-queues.ts';
import { notices } from './021-notices.ts';
import { alertChannels } from './022-alert-channels.ts';
import { logins } from './023-logins.ts';
import { judging } from './024-judging.ts';

/** In order; a migration's number is its place, from 1. Forward only: a shipped one is never edited. */
export const migrations: readonly string[] = [
  identity,
  deployments,
  reviews,
  alerts,
  joining,
  repositories,
  evals,
  agentSessions,
  workers,
  dispatchedRuns,
  deviceSignIn,
  appErasures,
  fileChanges,
  leases,
  auditChanges,
  alertAttention,
  retention,
  passwordResets,
  shareLinks,
  queues,
  notices,
  alertChannels,
  logins,
  judging,
];
