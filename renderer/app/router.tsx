import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { Suspense } from 'react';
import { loadCode } from '../api/code.ts';
import { lazyComponent } from '../api/lazy-component.tsx';
import { prefetch } from '../api/prefetch.ts';
import { HistoryLine } from '../features/agent-history/history-line.tsx';
import { HistoryPanel } from '../features/agent-history/history-panel.tsx';
import { readAlertsUrl } from '../features/alerts/url.ts';
import { readCodingAgentsUrl } from '../features/coding-agents/url.ts';
import { readCompareUrl } from '../features/compare/url.ts';
import { readDashboardUrl } from '../features/dashboard/url.ts';
import { readDatasetsUrl } from '../features/datasets/url.ts';
import { readDeploymentsUrl } from '../features/environments/url.ts';
import { readEvalRunUrl, readEvalsUrl } from '../features/evals/url.ts';
import { readExperimentsUrl } from '../features/experiments/url.ts';
import { readInboxUrl } from '../features/inbox/url.ts';
import { readIngestLogUrl } from '../features/ingest-log/url.ts';
import { readLinkUrl } from '../features/link/url.ts';
import { readPromptsUrl } from '../features/prompts/url.ts';
import { readQueuesUrl, readQueueUrl } from '../features/queues/url.ts';
import { readRedactionUrl } from '../features/redaction/url.ts';
import { readRunawaysUrl } from '../features/runaways/url.ts';
import { readScoresUrl } from '../features/scores/url.ts';
import { readSessionsUrl, readSessionUrl } from '../features/sessions/url.ts';
import { readSpendingUrl } from '../features/spending/url.ts';
import { TraceSkeleton } from '../features/trace/page/trace-skeleton.tsx';
import { readTraceUrl } from '../features/trace/page/url.ts';
import { TracesScreen } from '../features/traces/traces-screen.tsx';
import { readTracesUrl, type TracesLink } from '../features/traces/url.ts';
import { formatSearch, parseSearch } from '../model/filter/search-string.ts';
import { ownSearch } from '../model/filter/url-shapes.ts';
import { SkeletonRows } from '../ui/primitives/skeleton.tsx';
import { BrokenScreen, UnknownScreen } from './broken-screen.tsx';
import { choosesEnvironment, history } from './place.ts';
import { root } from './root-route.ts';
import { settingsRoutes } from './settings-routes.tsx';
import { TracePanel } from './trace-panel.tsx';
import { WaitingScreen } from './waiting-screen.tsx';

const SetupScreen = lazyComponent(async () => (await import('../features/setup/setup-screen.tsx')).SetupScreen);
const FirstRun = lazyComponent(async () => (await import('./first-run.tsx')).FirstRun);
// Components inside screens that cannot access the gateway themselves.
prefetch(
  () => import('../ui/viewers/markdown.tsx'),
  () => import('../ui/viewers/word-diff-view.tsx'),
  () => import('../features/trace/index/transcript.tsx'),
  () => import('../features/trace/index/agent-graph.tsx'),
  () => import('../features/trace/context/context-view.tsx'),
);

const firstRun = (
  <Suspense fallback={null}>
    <FirstRun />
  </Suspense>
);

const routes = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/traces', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/traces',
    validateSearch: ownSearch((search: TracesLink) => readTracesUrl(search)),
    search: { middlewares: [choosesEnvironment('/traces')] },
    component: () => (
      <TracesScreen
        firstRun={firstRun}
        notice={<HistoryLine />}
        panel={(traceId, onClose) => <TracePanel key={traceId} traceId={traceId} onClose={onClose} />}
      />
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/traces/$traceId',
    validateSearch: ownSearch(readTraceUrl),
    // The current screen stays until the trace is loaded; a slow load shows the skeleton.
    loader: async ({ params }) => (await loadCode(() => import('../features/trace/page/trace-query.ts'))).askTraceAhead(params.traceId),
    pendingMs: 150,
    pendingMinMs: 0,
    pendingComponent: () => <WaitingScreen of={<TraceSkeleton />} />,
    component: lazyComponent(async () => (await import('../features/trace/page/trace-screen.tsx')).TraceScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/compare',
    validateSearch: ownSearch(readCompareUrl),
    component: lazyComponent(async () => (await import('../features/compare/compare-screen.tsx')).CompareScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sessions',
    validateSearch: ownSearch(readSessionsUrl),
    component: lazyComponent(async () => (await import('../features/sessions/sessions-screen.tsx')).SessionsScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sessions/$sessionId',
    validateSearch: ownSearch(readSessionUrl),
    component: lazyComponent(async () => (await import('./session-page.tsx')).SessionPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/datasets',
    validateSearch: ownSearch(readDatasetsUrl),
    component: lazyComponent(async () => (await import('../features/datasets/datasets-screen.tsx')).DatasetsScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/experiments',
    validateSearch: ownSearch(readExperimentsUrl),
    component: lazyComponent(async () => (await import('../features/experiments/experiments-screen.tsx')).ExperimentsScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/scores',
    validateSearch: ownSearch(readScoresUrl),
    component: lazyComponent(async () => (await import('../features/scores/scores-screen.tsx')).ScoresScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/queues',
    validateSearch: ownSearch(readQueuesUrl),
    component: lazyComponent(async () => (await import('../features/queues/queues-screen.tsx')).QueuesScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/queues/$queueId',
    validateSearch: ownSearch(readQueueUrl),
    component: lazyComponent(async () => (await import('./queue-page.tsx')).QueuePage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/evals',
    validateSearch: ownSearch(readEvalsUrl),
    component: lazyComponent(async () => (await import('../features/evals/evals-screen.tsx')).EvalsScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/evals/$runId',
    validateSearch: ownSearch(readEvalRunUrl),
    component: lazyComponent(async () => (await import('../features/evals/run-screen.tsx')).RunScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/workers',
    validateSearch: ownSearch(readCodingAgentsUrl),
    component: lazyComponent(async () => (await import('../features/coding-agents/coding-agents-screen.tsx')).CodingAgentsScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/workers/runs/$runId',
    component: lazyComponent(async () => (await import('../features/coding-agents/run-screen.tsx')).RunScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/workers/$envId',
    component: lazyComponent(async () => (await import('../features/coding-agents/workspace-screen.tsx')).WorkspaceScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/prompts',
    validateSearch: ownSearch(readPromptsUrl),
    search: { middlewares: [choosesEnvironment('/prompts')] },
    component: lazyComponent(async () => (await import('../features/prompts/prompts-screen.tsx')).PromptsScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/dashboard',
    validateSearch: ownSearch(readDashboardUrl),
    component: lazyComponent(async () => (await import('./dashboard-page.tsx')).DashboardPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/alerts',
    validateSearch: ownSearch(readAlertsUrl),
    component: lazyComponent(async () => (await import('../features/alerts/alerts-screen.tsx')).AlertsScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/alerts/$alertId',
    component: lazyComponent(async () => (await import('../features/alerts/alert-screen.tsx')).AlertScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/runaways',
    validateSearch: ownSearch(readRunawaysUrl),
    component: lazyComponent(async () => (await import('../features/runaways/runaways-screen.tsx')).RunawaysScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/spending',
    validateSearch: ownSearch(readSpendingUrl),
    component: lazyComponent(async () => (await import('../features/spending/spending-screen.tsx')).SpendingScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/deployments',
    validateSearch: ownSearch(readDeploymentsUrl),
    component: lazyComponent(async () => (await import('../features/environments/deployments-screen.tsx')).DeploymentsScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/storage',
    component: lazyComponent(async () => (await import('../features/storage/storage-screen.tsx')).StorageScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forwarding',
    component: lazyComponent(async () => (await import('../features/forwarding/forwarding-screen.tsx')).ForwardingScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forwarding/redaction',
    validateSearch: ownSearch(readRedactionUrl),
    component: lazyComponent(async () => (await import('../features/redaction/redaction-screen.tsx')).RedactionScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/ingest-log',
    validateSearch: ownSearch(readIngestLogUrl),
    component: lazyComponent(async () => (await import('../features/ingest-log/ingest-log-screen.tsx')).IngestLogScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/inbox',
    validateSearch: ownSearch(readInboxUrl),
    component: lazyComponent(async () => (await import('../features/inbox/inbox-screen.tsx')).InboxScreen),
  }),
  createRoute({ getParentRoute: () => root, path: '/setup', component: () => <SetupScreen history={<HistoryPanel />} /> }),
  createRoute({
    getParentRoute: () => root,
    path: '/join',
    component: lazyComponent(async () => (await import('../features/sign-in/join-screen.tsx')).JoinScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/link',
    validateSearch: ownSearch(readLinkUrl),
    component: lazyComponent(async () => (await import('../features/link/link-screen.tsx')).LinkScreen),
  }),
  ...settingsRoutes,
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  history,
  parseSearch,
  stringifySearch: formatSearch,
  defaultErrorComponent: BrokenScreen,
  defaultNotFoundComponent: UnknownScreen,
  defaultPendingComponent: () => <WaitingScreen of={<SkeletonRows label="Loading" />} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
