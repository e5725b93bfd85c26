/**
 * The whole API on one screen. A group is the largest set of routes with one availability;
 * the server mounts each group where everything its module needs is provided (ADR 001).
 */

import { agents } from './agents.ts';
import { alertDestinations } from './alert-destinations.ts';
import { alerts } from './alerts.ts';
import { annotationItems } from './annotation-items.ts';
import { annotationQueues } from './annotation-queues.ts';
import { apiKeys } from './api-keys.ts';
import { appGit } from './app-git.ts';
import { apps } from './apps.ts';
import { auth } from './auth.ts';
import { comments } from './comments.ts';
import { config } from './config.ts';
import { connect } from './connect.ts';
import { datasets } from './datasets.ts';
import { dependencyHealth } from './dependency-health.ts';
import { deployments } from './deployments.ts';
import { deviceSignIn } from './device-sign-in.ts';
import { environments } from './environments.ts';
import { evals } from './evals.ts';
import { experimentRuns } from './experiment-runs.ts';
import { experiments } from './experiments.ts';
import { filterSchema } from './filter-schema.ts';
import { forwarding } from './forwarding.ts';
import { forwardingLinks } from './forwarding-links.ts';
import { ingest } from './ingest.ts';
import { media } from './media.ts';
import { members } from './members.ts';
import { metrics } from './metrics.ts';
import { openIdSignIn } from './openid-sign-in.ts';
import { platform } from './platform.ts';
import { pricing } from './pricing.ts';
import { prompts } from './prompts.ts';
import { redaction } from './redaction.ts';
import type { Route } from './route.ts';
import { runTraces } from './run-traces.ts';
import { scoreAnalytics } from './score-analytics.ts';
import { scoreConfigs } from './score-configs.ts';
import { scores } from './scores.ts';
import { search } from './search.ts';
import { sessions } from './sessions.ts';
import { spanById } from './span-by-id.ts';
import { spans } from './spans.ts';
import { templates } from './templates.ts';
import { traceFiles } from './trace-files.ts';
import { traceList } from './trace-list.ts';
import { traceViewer } from './trace-outline.ts';
import { traces } from './traces.ts';
import { usage } from './usage.ts';
import { viewer } from './viewer.ts';
import { viewerEvals } from './viewer-evals.ts';
import { viewerPrompts } from './viewer-prompts.ts';
import { viewerReleases } from './viewer-releases.ts';
import { viewerStatistics } from './viewer-statistics.ts';
import { viewerStorage } from './viewer-storage.ts';
import { workerEnvironments } from './worker-environments.ts';
import { workerRuns } from './worker-runs.ts';
import { workerThreads } from './worker-threads.ts';

export const contract = {
  platform,
  pricing,
  ingest,
  traces,
  runTraces,
  spans,
  spanById,
  filterSchema,
  sessions,
  scores,
  scoreConfigs,
  config,
  prompts,
  templates,
  datasets,
  experiments,
  media,
  viewer,
  traceViewer,
  traceList,
  traceFiles,
  viewerStatistics,
  viewerStorage,
  forwarding,
  forwardingLinks,
  redaction,
  // Cloud only.
  auth,
  deviceSignIn,
  openIdSignIn,
  members,
  usage,
  scoreAnalytics,
  search,
  metrics,
  annotationQueues,
  annotationItems,
  comments,
  apiKeys,
  apps,
  appGit,
  alerts,
  alertDestinations,
  deployments,
  environments,
  evals,
  viewerEvals,
  viewerPrompts,
  viewerReleases,
  workerRuns,
  workerEnvironments,
  workerThreads,
  agents,
  dependencyHealth,
  connect,
  experimentRuns,
} as const satisfies Record<string, Record<string, Route>>;

export type Contract = typeof contract;
