import { agents } from './agents.ts';
import { alertAttention } from './alert-attention.ts';
import { alertChannels } from './alert-channels.ts';
import { alerts } from './alerts.ts';
import { auditChanges } from './audit-changes.ts';
import { deployments } from './deployments.ts';
import { evals } from './evals.ts';
import { identity } from './identity.ts';
import { ingestLog } from './ingest-log.ts';
import { joining } from './joining.ts';
import { journal } from './journal.ts';
import { judging } from './judging.ts';
import { limits } from './limits.ts';
import { logins } from './logins.ts';
import { notices } from './notices.ts';
import { passwordResets } from './password-resets.ts';
import { queues } from './queues.ts';
import { repositories } from './repositories.ts';
import { retention } from './retention.ts';
import { reviews } from './reviews.ts';
import { shareLinks } from './share-links.ts';
import { workerSockets } from './worker-sockets.ts';

/** In order; a migration's number is its place, from 1. Forward only: a shipped one is never edited. */
export const migrations: readonly string[] = [
  [identity, deployments, reviews, alerts, repositories, evals, agents, joining, limits, workerSockets, ingestLog, journal].join('\n'),
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
