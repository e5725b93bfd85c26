/** All reads of the ClickHouse store, by group. */
import type { TelemetryStore } from '../../store.ts';
import { ActivityReads } from './activity-reads.ts';
import { ComparisonReads } from './comparison-reads.ts';
import { findDeletion } from './deletion-reads.ts';
import { listErrorGroups } from './error-groups.ts';
import { ExperimentReads } from './experiment-reads.ts';
import { traceListReads } from './list-reads.ts';
import type { ReadContext } from './read-context.ts';
import { RequestReads } from './request-reads.ts';
import { RunawayReads } from './runaway-reads.ts';
import { scoreDistribution } from './score-distribution.ts';
import { ScoreReads } from './score-reads.ts';
import { searchScores } from './score-search.ts';
import { scoresByMinute, scoresOfWindow, sumScores } from './score-sums.ts';
import { SessionReads } from './session-reads.ts';
import { SpanListReads } from './span-list.ts';
import { spanById, tracesOfSpans } from './span-places.ts';
import { findTags } from './tag-reads.ts';
import { TraceListReads } from './trace-list.ts';
import { contextReads, singleTraceReads, spansOfTrace } from './trace-reads.ts';
import { countTraces } from './trace-selection.ts';
import { usageReads } from './usage-reads.ts';

/** Groups with changes beside their reads. */
interface MixedReads {
  scores: Pick<TelemetryStore['scores'], 'list' | 'find' | 'names'>;
  deletions: Pick<TelemetryStore['deletions'], 'count' | 'find'>;
  tags: Pick<TelemetryStore['tags'], 'find'>;
  runaways: Pick<TelemetryStore['runaways'], 'list' | 'thresholds' | 'hasService'>;
}

type ReadGroups = Pick<
  TelemetryStore,
  | 'traces'
  | 'traceList'
  | 'contexts'
  | 'spans'
  | 'comparisons'
  | 'errorGroups'
  | 'experiments'
  | 'sessions'
  | 'search'
  | 'statistics'
  | 'metrics'
  | 'windows'
  | 'usage'
>;

export const storeReads = (context: ReadContext): ReadGroups & MixedReads => ({ ...listedReads(context), ...summedReads(context) });

function listedReads(context: ReadContext) {
  const list = new TraceListReads(context);
  const spanList = new SpanListReads(context);
  const scores = new ScoreReads(context);
  return {
    traces: { list: list.list.bind(list), ...singleTraceReads(context) },
    traceList: traceListReads(context),
    contexts: contextReads(context),
    spans: { ...spansOfTrace(context), list: spanList.list.bind(spanList), tracesOf: (scope, ids) => tracesOfSpans(context, scope, ids) },
    comparisons: new ComparisonReads(context),
    errorGroups: { list: (scope, query) => listErrorGroups(context, scope, query) },
    experiments: new ExperimentReads(context),
    sessions: new SessionReads(context),
    scores: { list: scores.list.bind(scores), find: scores.find.bind(scores), names: scores.names.bind(scores) },
    search: {
      traces: list.list.bind(list),
      states: list.states.bind(list),
      spans: spanList.search.bind(spanList),
      scores: (scope, search) => searchScores(scores, scope, search),
      span: (scope, id) => spanById(context, scope, id),
    },
    deletions: {
      count: (scope, selection) => countTraces(context, scope, selection),
      find: (scope, id) => findDeletion(context, scope, id),
    },
    tags: { find: (scope, traceIds) => findTags(context, scope, traceIds) },
  } satisfies Partial<ReadGroups & MixedReads>;
}

function summedReads(context: ReadContext) {
  const activity = new ActivityReads(context);
  const requests = new RequestReads(context);
  const runaways = new RunawayReads(context);
  return {
    statistics: {
      activity: activity.activity.bind(activity),
      scores: (scope, query) => scoreDistribution(context, scope, query),
    },
    metrics: { requests: requests.requests.bind(requests), scores: (scope, days) => sumScores(context, scope, days) },
    windows: {
      requests: requests.inWindow.bind(requests),
      runaways: runaways.inWindow.bind(runaways),
      scores: (scope, window, name) => scoresOfWindow(context, scope, window, name),
      requestMinutes: requests.inMinutes.bind(requests),
      runawayMinutes: runaways.inMinutes.bind(runaways),
      scoreMinutes: (scope, window, name) => scoresByMinute(context, scope, window, name),
    },
    usage: usageReads(context),
    runaways: {
      list: runaways.list.bind(runaways),
      thresholds: runaways.thresholds.bind(runaways),
      hasService: runaways.hasService.bind(runaways),
    },
  } satisfies Partial<ReadGroups & MixedReads>;
}
