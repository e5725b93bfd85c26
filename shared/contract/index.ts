/** The whole API. A group is the largest set of routes with one availability: it is mounted where its module has what it needs (ADR 001). */
import { platform } from './core/platform.ts';
import { pricing } from './core/pricing.ts';
import type { Route } from './core/route.ts';
import { annotationItems } from './evaluation/annotation-items.ts';
import { annotationQueues } from './evaluation/annotation-queues.ts';
import { comments } from './evaluation/comments.ts';
import { evals } from './evaluation/evals.ts';
import { experimentRuns } from './evaluation/experiment-runs.ts';
import { experiments } from './evaluation/experiments.ts';
import { notices } from './evaluation/notices.ts';
import { scoreAnalytics } from './evaluation/score-analytics.ts';
import { scoreConfigChanges, scoreConfigs } from './evaluation/score-configs.ts';
import { scores } from './evaluation/scores.ts';
import { apiKeys } from './identity/api-keys.ts';
import { apps } from './identity/apps.ts';
import { people } from './identity/people.ts';
import { alerting } from './operations/alerting.ts';
import { connect } from './operations/connect.ts';
import { dependencyHealth } from './operations/dependency-health.ts';
import { forwarding } from './operations/forwarding.ts';
import { forwardingLinks } from './operations/forwarding-links.ts';
import { redaction } from './operations/redaction.ts';
import { usage } from './operations/usage.ts';
import { workerEnvironments } from './operations/worker-environments.ts';
import { workerRuns } from './operations/worker-runs.ts';
import { workerThreads } from './operations/worker-threads.ts';
import { appGit } from './projects/app-git.ts';
import { config } from './projects/config.ts';
import { datasets } from './projects/datasets.ts';
import { deployments } from './projects/deployments.ts';
import { environments } from './projects/environments.ts';
import { prompts } from './projects/prompts.ts';
import { retention } from './projects/retention.ts';
import { templates } from './projects/templates.ts';
import { agents } from './tracing/agents.ts';
import { groupComparisons } from './tracing/compared-groups.ts';
import { comparisons } from './tracing/comparison.ts';
import { contextWindows } from './tracing/context-windows.ts';
import { errorGroups } from './tracing/error-groups.ts';
import { filterSchema } from './tracing/filter-schema.ts';
import { ingest } from './tracing/ingest.ts';
import { mcp } from './tracing/mcp.ts';
import { media } from './tracing/media.ts';
import { metrics } from './tracing/metrics.ts';
import { runTraces } from './tracing/run-traces.ts';
import { runaways } from './tracing/runaways.ts';
import { search } from './tracing/search.ts';
import { seenBefore } from './tracing/seen-before.ts';
import { sessions } from './tracing/sessions.ts';
import { shareLinks } from './tracing/share-links.ts';
import { spanById } from './tracing/span-by-id.ts';
import { spans } from './tracing/spans.ts';
import { traceDeletions } from './tracing/trace-deletions.ts';
import { traceFiles } from './tracing/trace-files.ts';
import { traceList } from './tracing/trace-list.ts';
import { traceViewer } from './tracing/trace-outline.ts';
import { traceTags } from './tracing/trace-tags.ts';
import { traces } from './tracing/traces.ts';
import { agentHistories } from './viewer/agent-history.ts';
import { spending } from './viewer/spending.ts';
import { viewer } from './viewer/viewer.ts';
import { viewerEvals } from './viewer/viewer-evals.ts';
import { viewerPrompts } from './viewer/viewer-prompts.ts';
import { viewerReleases } from './viewer/viewer-releases.ts';
import { viewerStatistics } from './viewer/viewer-statistics.ts';
import { viewerStorage } from './viewer/viewer-storage.ts';
import { viewerWindows } from './viewer/viewer-windows.ts';

export const contract = {
  platform,
  pricing,
  ingest,
  traces,
  traceDeletions,
  traceTags,
  runaways,
  runTraces,
  spans,
  spanById,
  filterSchema,
  mcp,
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
  errorGroups,
  comparisons,
  contextWindows,
  groupComparisons,
  seenBefore,
  traceFiles,
  viewerStatistics,
  viewerStorage,
  viewerWindows,
  agentHistories,
  spending,
  forwarding,
  forwardingLinks,
  redaction,
  scoreConfigChanges,
  ...people,
  usage,
  scoreAnalytics,
  search,
  metrics,
  annotationQueues,
  annotationItems,
  comments,
  notices,
  apiKeys,
  apps,
  appGit,
  ...alerting,
  deployments,
  environments,
  retention,
  shareLinks,
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
