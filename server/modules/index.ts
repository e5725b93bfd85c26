/** All modules. The services of a deployment decide which of them are served. */
import type { Module } from '../app/module.ts';
import { platformModule, pricingModule } from './core/platform.ts';
import { annotationItemsModule } from './evaluation/annotation-items.ts';
import { annotationQueuesModule } from './evaluation/annotation-queues.ts';
import { commentsModule } from './evaluation/comments.ts';
import { evalsModule } from './evaluation/evals.ts';
import { experimentRunsModule } from './evaluation/experiment-runs.ts';
import { experimentsModule } from './evaluation/experiments.ts';
import { noticesModule } from './evaluation/notices.ts';
import { scoreConfigChangesModule, scoreConfigsModule } from './evaluation/score-configs.ts';
import { scoreAnalyticsModule, scoresModule } from './evaluation/scores.ts';
import { apiKeysModule } from './identity/api-keys.ts';
import { appsModule } from './identity/apps.ts';
import { auditLogModule } from './identity/audit-log.ts';
import { authModule } from './identity/auth.ts';
import { deviceSignInModule } from './identity/device-sign-in.ts';
import { membersModule } from './identity/members.ts';
import { openIdSignInModule } from './identity/openid-sign-in.ts';
import { passwordResetsModule } from './identity/password-resets.ts';
import { alertAttentionModule } from './operations/alert-attention.ts';
import { alertChannelsModule } from './operations/alert-channels.ts';
import { alertDestinationsModule } from './operations/alert-destinations.ts';
import { alertSeriesModule } from './operations/alert-series.ts';
import { alertsModule } from './operations/alerts.ts';
import { connectModule } from './operations/connect.ts';
import { dependencyHealthModule } from './operations/dependency-health.ts';
import { forwardingModule } from './operations/forwarding.ts';
import { forwardingLinksModule } from './operations/forwarding-links.ts';
import { redactionModule } from './operations/redaction.ts';
import { usageModule } from './operations/usage.ts';
import { workerEnvironmentsModule } from './operations/workers/environments.ts';
import { workerRunsModule } from './operations/workers/runs.ts';
import { workerThreadsModule } from './operations/workers/threads.ts';
import { appGitModule } from './projects/app-git.ts';
import { configModule } from './projects/config.ts';
import { datasetsModule } from './projects/datasets.ts';
import { deploymentsModule, viewerReleasesModule } from './projects/deployments.ts';
import { environmentsModule } from './projects/environments.ts';
import { promptsModule, viewerPromptsModule } from './projects/prompts.ts';
import { retentionModule } from './projects/retention.ts';
import { templatesModule } from './projects/templates.ts';
import { agentsModule } from './tracing/agents.ts';
import { comparisonsModule, groupComparisonsModule, seenBeforeModule } from './tracing/comparisons.ts';
import { ingestModule } from './tracing/ingest.ts';
import { mcpModule } from './tracing/mcp.ts';
import { mediaModule } from './tracing/media.ts';
import { metricsModule, viewerStatisticsModule } from './tracing/metrics.ts';
import { runawaysModule } from './tracing/runaways.ts';
import { filterSchemaModule, searchModule } from './tracing/search.ts';
import { shareLinksModule } from './tracing/share-links.ts';
import { spanByIdModule, spansModule } from './tracing/spans.ts';
import { traceDeletionsModule } from './tracing/trace-deletions.ts';
import { traceFilesModule } from './tracing/trace-files.ts';
import { traceTagsModule } from './tracing/trace-tags.ts';
import {
  contextWindowsModule,
  errorGroupsModule,
  runTracesModule,
  sessionsModule,
  traceListModule,
  tracesModule,
  traceViewerModule,
} from './tracing/traces.ts';
import { agentHistoryModule } from './viewer/agent-history.ts';
import { spendingModule } from './viewer/spending.ts';
import { viewerModule } from './viewer/viewer.ts';
import { viewerEvalsModule } from './viewer/viewer-evals.ts';
import { viewerStorageModule } from './viewer/viewer-storage.ts';
import { viewerWindowsModule } from './viewer/viewer-windows.ts';

export const modules: readonly Module[] = [
  platformModule,
  pricingModule,
  ingestModule,
  tracesModule,
  traceDeletionsModule,
  traceTagsModule,
  runawaysModule,
  runTracesModule,
  spansModule,
  filterSchemaModule,
  mcpModule,
  sessionsModule,
  scoresModule,
  scoreConfigsModule,
  configModule,
  promptsModule,
  templatesModule,
  viewerPromptsModule,
  datasetsModule,
  experimentsModule,
  mediaModule,
  viewerModule,
  viewerStatisticsModule,
  viewerStorageModule,
  viewerWindowsModule,
  agentHistoryModule,
  spendingModule,
  forwardingModule,
  forwardingLinksModule,
  redactionModule,
  traceViewerModule,
  traceListModule,
  errorGroupsModule,
  comparisonsModule,
  contextWindowsModule,
  groupComparisonsModule,
  seenBeforeModule,
  traceFilesModule,
  searchModule,
  metricsModule,
  scoreAnalyticsModule,
  spanByIdModule,
  dependencyHealthModule,
  authModule,
  deviceSignInModule,
  openIdSignInModule,
  passwordResetsModule,
  membersModule,
  auditLogModule,
  usageModule,
  appsModule,
  appGitModule,
  apiKeysModule,
  environmentsModule,
  retentionModule,
  shareLinksModule,
  deploymentsModule,
  viewerReleasesModule,
  annotationQueuesModule,
  annotationItemsModule,
  scoreConfigChangesModule,
  commentsModule,
  noticesModule,
  alertsModule,
  alertDestinationsModule,
  alertChannelsModule,
  alertSeriesModule,
  alertAttentionModule,
  evalsModule,
  agentsModule,
  viewerEvalsModule,
  connectModule,
  experimentRunsModule,
  workerRunsModule,
  workerEnvironmentsModule,
  workerThreadsModule,
];
