/** All modules. The services of a deployment decide which of them are served. */
import type { Module } from '../app/module.ts';
import { agentsModule } from './agents.ts';
import { alertDestinationsModule } from './alert-destinations.ts';
import { alertsModule } from './alerts.ts';
import { annotationItemsModule } from './annotation-items.ts';
import { annotationQueuesModule } from './annotation-queues.ts';
import { apiKeysModule } from './api-keys.ts';
import { appGitModule } from './app-git.ts';
import { appsModule } from './apps.ts';
import { authModule } from './auth.ts';
import { commentsModule } from './comments.ts';
import { configModule, scoreConfigsModule } from './config.ts';
import { connectModule } from './connect.ts';
import { datasetsModule } from './datasets.ts';
import { dependencyHealthModule } from './dependency-health.ts';
import { deploymentsModule, viewerReleasesModule } from './deployments.ts';
import { deviceSignInModule } from './device-sign-in.ts';
import { environmentsModule } from './environments.ts';
import { evalsModule } from './evals.ts';
import { experimentRunsModule } from './experiment-runs.ts';
import { experimentsModule } from './experiments.ts';
import { forwardingModule } from './forwarding.ts';
import { forwardingLinksModule } from './forwarding-links.ts';
import { ingestModule } from './ingest.ts';
import { mediaModule } from './media.ts';
import { membersModule } from './members.ts';
import { metricsModule, viewerStatisticsModule } from './metrics.ts';
import { openIdSignInModule } from './openid-sign-in.ts';
import { platformModule, pricingModule } from './platform.ts';
import { promptsModule, viewerPromptsModule } from './prompts.ts';
import { redactionModule } from './redaction.ts';
import { scoreAnalyticsModule, scoresModule } from './scores.ts';
import { filterSchemaModule, searchModule } from './search.ts';
import { spanByIdModule, spansModule } from './spans.ts';
import { templatesModule } from './templates.ts';
import { traceFilesModule } from './trace-files.ts';
import { runTracesModule, sessionsModule, traceListModule, tracesModule, traceViewerModule } from './traces.ts';
import { usageModule } from './usage.ts';
import { viewerModule } from './viewer.ts';
import { viewerEvalsModule } from './viewer-evals.ts';
import { viewerStorageModule } from './viewer-storage.ts';
import { workerEnvironmentsModule } from './workers/environments.ts';
import { workerRunsModule } from './workers/runs.ts';
import { workerThreadsModule } from './workers/threads.ts';

export const modules: readonly Module[] = [
  platformModule,
  pricingModule,
  ingestModule,
  tracesModule,
  runTracesModule,
  spansModule,
  filterSchemaModule,
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
  forwardingModule,
  forwardingLinksModule,
  redactionModule,
  traceViewerModule,
  traceListModule,
  traceFilesModule,
  searchModule,
  metricsModule,
  scoreAnalyticsModule,
  spanByIdModule,
  dependencyHealthModule,
  authModule,
  deviceSignInModule,
  openIdSignInModule,
  membersModule,
  usageModule,
  appsModule,
  appGitModule,
  apiKeysModule,
  environmentsModule,
  deploymentsModule,
  viewerReleasesModule,
  annotationQueuesModule,
  annotationItemsModule,
  commentsModule,
  alertsModule,
  alertDestinationsModule,
  evalsModule,
  agentsModule,
  viewerEvalsModule,
  connectModule,
  experimentRunsModule,
  workerRunsModule,
  workerEnvironmentsModule,
  workerThreadsModule,
];
