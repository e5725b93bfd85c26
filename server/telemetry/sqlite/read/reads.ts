/**
 * All reads of a reader, by group and name. `read-calls.ts` infers the calls and results of the reader threads from this. The first argument
 * of each read is the row id of the scope.
 */
import type { Search, StatesSearch } from '../../search-reader.ts';
import { ArchiveReads } from '../archive/archive-reads.ts';
import { ForwardReads } from '../forward/forward-reads.ts';
import { ForwardStates } from '../forward/forward-states.ts';
import { RedactionReads } from '../forward/redaction-reads.ts';
import { ActivityReads } from './activity-reads.ts';
import { BudgetReads } from './budget-reads.ts';
import { ComparisonReads } from './comparison-reads.ts';
import { ContextReads } from './context-reads.ts';
import { DeletionReads } from './deletion-reads.ts';
import { DistributionReads } from './distribution-reads.ts';
import { ErrorGroupReads } from './error-groups.ts';
import { ExperimentReads } from './experiment-reads.ts';
import { FilterValueReads } from './filter-values.ts';
import { GroupComparisonReads } from './group-comparison-reads.ts';
import { ListedTraceReads } from './listed-traces.ts';
import { MetricReads } from './metric-reads.ts';
import { OutlineReads } from './outline-reads.ts';
import type { ReadContext } from './read-context.ts';
import { RunawayReads } from './runaway-reads.ts';
import { searchScores } from './score-search.ts';
import { sumScores } from './score-sums.ts';
import { SeenBeforeReads } from './seen-before-reads.ts';
import { SessionReads } from './session-reads.ts';
import { SpanReads } from './span-reads.ts';
import { SpendingReads } from './spending-reads.ts';
import { StorageReads } from './storage-reads.ts';
import { TagReads } from './tag-reads.ts';
import { TraceFacetReads } from './trace-facets.ts';
import { TraceMatchReads } from './trace-matches.ts';
import { TraceReads } from './trace-reads.ts';
import { findTracesOfSpans } from './traces-of-spans.ts';
import { TracesOverTimeReads } from './traces-over-time.ts';
import { UsageReads } from './usage-reads.ts';
import { WindowReads } from './window-reads.ts';

/** Reads of a reader. */
export type Reads = ReturnType<typeof createReads>;

export function createReads(context: ReadContext) {
  const { db, scores, damageReporter } = context;
  const traces = new TraceReads(context);
  const spans = new SpanReads(context);
  const outlines = new OutlineReads(context);
  return {
    traces: { ...only(traces, 'list', 'find', 'graph'), ...only(outlines, 'outline') },
    spans: {
      ...only(spans, 'list', 'ofTrace', 'io', 'raw', 'media', 'errorTypes'),
      ...only(outlines, 'previews', 'find'),
      tracesOf: (scope: number, spanIds: readonly string[]) => findTracesOfSpans(db, scope, spanIds),
    },
    sessions: only(new SessionReads(context, traces), 'list', 'traces'),
    scores: only(scores, 'list', 'find', 'names'),
    search: {
      traces: (scope: number, search: Search<'traces'>) => traces.list(scope, search),
      states: (scope: number, search: StatesSearch) => traces.states(scope, search),
      spans: (scope: number, search: Search<'spans'>) => spans.search(scope, search),
      scores: (scope: number, search: Search<'scores'>) => searchScores(db, scope, search, damageReporter),
      span: (scope: number, spanId: string) => spans.byId(scope, spanId),
    },
    experiments: only(new ExperimentReads(context, traces), 'list', 'find', 'baseline'),
    runaways: only(new RunawayReads(context), 'list', 'thresholds', 'hasService'),
    deletions: only(new DeletionReads(context), 'select', 'count', 'find'),
    ...traceListReads(context),
    ...sumReads(context),
    ...ownerReads(context),
  };
}

/** The viewer's trace list. */
const traceListReads = (context: ReadContext) => ({
  errorGroups: only(new ErrorGroupReads(context), 'list'),
  tags: only(new TagReads(context), 'find'),
  contexts: only(new ContextReads(context), 'find'),
  comparisons: {
    ...only(new ComparisonReads(context), 'find'),
    groups: only(new GroupComparisonReads(context), 'find').find,
    seenBefore: only(new SeenBeforeReads(context), 'find').find,
  },
  traceList: {
    ...only(new ListedTraceReads(context), 'list'),
    ...only(new TracesOverTimeReads(context), 'overTime'),
    ...only(new TraceFacetReads(context), 'facets'),
    ...only(new TraceMatchReads(context), 'matches'),
    ...only(new FilterValueReads(context), 'values'),
  },
});

/** Sums for statistics and alerts. */
function sumReads(context: ReadContext) {
  const { db } = context;
  const distribution = new DistributionReads(db);
  return {
    statistics: {
      ...only(new ActivityReads(context), 'activity'),
      scores: distribution.distribution.bind(distribution),
    },
    metrics: {
      ...only(new MetricReads(context), 'requests'),
      scores: (scope: number, days: Parameters<typeof sumScores>[2]) => sumScores(db, scope, days),
    },
    windows: only(
      new WindowReads(context),
      ...(['requests', 'scores', 'runaways', 'requestMinutes', 'scoreMinutes', 'runawayMinutes'] as const),
    ),
    usage: only(new UsageReads(db), 'of'),
  };
}

/** Reads for the owner of the file: its size, trace files, and batches for destinations. */
const ownerReads = (context: ReadContext) => ({
  maintenance: only(new StorageReads(context.db), 'storage', 'older'),
  archives: only(new ArchiveReads(context), 'otlp', 'pack', 'open'),
  spending: { ...only(new SpendingReads(context), 'of'), ...only(new BudgetReads(context), 'budgets') },
  forward: {
    ...only(new ForwardReads(context), 'next', 'backlog'),
    ...only(new ForwardStates(context), 'installation', 'list', 'waiting', 'traces', 'deadLetters', 'deadLetterLines'),
  },
  redaction: only(new RedactionReads(context), 'previewSpans', 'token'),
});

/** The named methods of an object, bound to it. */
function only<T, K extends keyof T & string>(object: T, ...names: K[]): Pick<T, K> {
  const bound = names.map((name) => [name, (object[name] as (...args: unknown[]) => unknown).bind(object)]);
  return Object.fromEntries(bound) as Pick<T, K>;
}
