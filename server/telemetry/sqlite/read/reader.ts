/** The reads of one connection, by name. Each runs in one snapshot: a page and its total never disagree. */
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { Scope } from '../../../platform/scope.ts';
import type { Damage } from '../../damage.ts';
import { CapsuleReads } from '../capsule/capsule-reads.ts';
import { Damages } from '../damaged.ts';
import { Documents } from '../documents.ts';
import { ForwardReads } from '../forward/forward-reads.ts';
import { ForwardStates } from '../forward/forward-states.ts';
import { RedactionReads } from '../forward/redaction-reads.ts';
import { newCursorKey, OpaqueCursors } from '../opaque-cursor.ts';
import type { OpenDatabase } from '../open.ts';
import type { ReadMethod } from '../read-thread.ts';
import { RecordReader } from '../record-reader.ts';
import { SentSpans } from '../sent-span.ts';
import { ActivityReads } from './activity-reads.ts';
import { DistributionReads } from './distribution-reads.ts';
import { ExperimentReads } from './experiment-reads.ts';
import { FilterValueReads } from './filter-values.ts';
import { Filters } from './filters.ts';
import { ListedTraceReads } from './listed-traces.ts';
import { Lookup } from './lookup.ts';
import { MetricReads } from './metric-reads.ts';
import { OutlineReads } from './outline-reads.ts';
import { PayloadCache } from './payload-cache.ts';
import { ScoreReads } from './score-reads.ts';
import { searchScores } from './score-search.ts';
import { sumScores } from './score-sums.ts';
import { SessionReads } from './session-reads.ts';
import { tracesOfSpans } from './span-places.ts';
import { SpanReads } from './span-reads.ts';
import { StorageReads } from './storage-reads.ts';
import { type ReaderSignals, type ReadLimits, TimeLimit } from './time-limit.ts';
import { TraceFacetReads } from './trace-facets.ts';
import { TraceReads } from './trace-reads.ts';
import { TracesOverTimeReads } from './traces-over-time.ts';
import { UsageReads } from './usage-reads.ts';
import { WindowReads } from './window-reads.ts';

/** The value, or the JSON of it where it is too large to stand in memory as a value. */
export type ReadAnswer = {
  total: number;
  /** Bytes that are part of the answer. They own their buffer, which leaves this thread. */
  bytes?: Uint8Array<ArrayBuffer>;
} & ({ value: unknown } | { json: Uint8Array<ArrayBuffer> });

/** What every read needs of its connection. */
export interface ReadContext {
  db: OpenDatabase;
  orm: ReturnType<typeof drizzle>;
  lookup: Lookup;
  documents: Documents;
  sentSpans: SentSpans;
  payloads: PayloadCache;
  scores: ScoreReads;
  filters: Filters;
  limit: TimeLimit;
  cursors: OpaqueCursors;
  damages: Damages;
}

type Methods = Record<ReadMethod, (scope: number, ...args: never[]) => ReadAnswer>;

const alone = (value: unknown): ReadAnswer => ({ value, total: 0 });

/** What a reader shares with the pool that it belongs to. */
export interface SharedWithPool extends ReaderSignals {
  /** Numbers that one reader hid mean something to the others. */
  cursorKey: Uint8Array;
  /** One number, not zero once the store is known to be damaged. */
  damaged: Int32Array;
}

/**
 * @param shared absent for a reader that is alone
 * @param tell hears of what cannot be read, each thing once
 */
export function createReader(
  db: OpenDatabase,
  budgetMs: number,
  shared?: SharedWithPool,
  tell?: (damage: Damage) => void,
): (method: ReadMethod, args: unknown[], limits?: ReadLimits) => ReadAnswer {
  const limit = new TimeLimit(budgetMs, shared);
  teachFunctions(db, limit);
  const [documents, lookup] = [new Documents(db), new Lookup(db)];
  const sentSpans = new SentSpans(db, new RecordReader(db), documents);
  const damages = new Damages(tell);
  const context: ReadContext = {
    db,
    orm: drizzle(db),
    lookup,
    documents,
    sentSpans,
    payloads: new PayloadCache(),
    scores: new ScoreReads(db, lookup, damages),
    filters: new Filters({ db, sentSpans, limit, damages }),
    limit,
    cursors: new OpaqueCursors(shared?.cursorKey ?? newCursorKey()),
    damages,
  };
  const { scores } = context;
  const traces = new TraceReads(context);
  const spans = new SpanReads(context);
  const outlines = new OutlineReads(context);
  const sessions = new SessionReads(context, traces);
  // The pool's typed methods are the only callers, so the arguments are theirs.
  const methods: Methods = {
    'traces.list': (scope, query) => traces.list(scope, query),
    'traces.find': (scope, traceId, fields) => traces.find(scope, traceId, fields),
    'traces.graph': (scope, traceId) => alone(traces.graph(scope, traceId)),
    'traces.outline': (scope, traceId) => alone(outlines.outline(scope, traceId)),
    'spans.list': (scope, query) => spans.list(scope, query),
    'spans.ofTrace': (scope, traceId) => alone(spans.ofTrace(scope, traceId)),
    'spans.io': (scope, traceId, spanId) => alone(spans.io(scope, traceId, spanId)),
    'spans.tracesOf': (scope, spanIds) => alone(tracesOfSpans(db, scope, spanIds)),
    'spans.raw': (scope, traceId, spanId) => alone(spans.raw(scope, traceId, spanId)),
    'spans.previews': (scope, traceId, spanIds) => alone(outlines.previews(scope, traceId, spanIds)),
    'spans.find': (scope, traceId, words, after) => alone(outlines.find(scope, traceId, words, after)),
    'spans.media': (scope, traceId, spanId, sha256) => spans.media(scope, traceId, spanId, sha256),
    'sessions.list': (scope, query) => sessions.list(scope, query),
    'sessions.traces': (scope, sessionId) => sessions.traces(scope, sessionId),
    'scores.list': (scope, query) => scores.list(scope, query),
    'scores.find': (scope, id) => alone(scores.find(scope, id)),
    'scores.names': (scope) => alone(scores.names(scope)),
    ...searchMethods(context, traces, spans),
    ...experimentMethods(context, traces),
    ...statisticsMethods(context),
    ...traceListMethods(context),
    ...leavingMethods(context),
  };
  return (method, [scope, ...args], limits) => {
    limit.begin(limits);
    return methods[method](context.lookup.scope(scope as Scope), ...(args as never[]));
  };
}

function teachFunctions(db: OpenDatabase, limit: TimeLimit): void {
  db.function('fold', { deterministic: true }, (text) => {
    limit.check();
    return typeof text === 'string' ? text.toLowerCase() : text;
  });
  db.function('in_time', () => limit.isLeft());
}

function searchMethods({ db, damages }: ReadContext, traces: TraceReads, spans: SpanReads): Pick<Methods, `search.${string}` & ReadMethod> {
  return {
    'search.traces': (scope, search) => traces.list(scope, search),
    'search.spans': (scope, search) => spans.search(scope, search),
    'search.scores': (scope, search) => searchScores(db, scope, search, damages),
    'search.span': (scope, spanId) => alone(spans.byId(scope, spanId)),
  };
}

/** The list of the viewer. */
function traceListMethods(context: ReadContext): Pick<Methods, `traceList.${string}` & ReadMethod> {
  const listed = new ListedTraceReads(context);
  const overTime = new TracesOverTimeReads(context);
  const facets = new TraceFacetReads(context);
  const values = new FilterValueReads(context);
  return {
    'traceList.list': (scope, query) => alone(listed.list(scope, query)),
    'traceList.overTime': (scope, query) => alone(overTime.overTime(scope, query)),
    'traceList.facets': (scope, query) => alone(facets.facets(scope, query)),
    'traceList.values': (scope, query) => alone(values.values(scope, query)),
  };
}

function experimentMethods(context: ReadContext, traces: TraceReads): Pick<Methods, `experiments.${string}` & ReadMethod> {
  const experiments = new ExperimentReads(context, traces);
  return {
    'experiments.list': (scope, query) => experiments.list(scope, query),
    'experiments.find': (scope, id) => alone(experiments.find(scope, id)),
    'experiments.baseline': (scope, query) => alone(experiments.baseline(scope, query)),
  };
}

/** Sums over everything. */
function statisticsMethods(
  context: ReadContext,
): Pick<Methods, `${'statistics' | 'metrics' | 'windows' | 'usage'}.${string}` & ReadMethod> {
  const activity = new ActivityReads(context);
  const distribution = new DistributionReads(context.db);
  const storage = new StorageReads(context.db);
  const metrics = new MetricReads(context);
  const usage = new UsageReads(context.db);
  return {
    'statistics.activity': (scope, query) => alone(activity.activity(scope, query)),
    'statistics.scores': (scope, query) => alone(distribution.distribution(scope, query)),
    'statistics.storage': (scope) => alone(storage.storage(scope)),
    'statistics.older': (scope, before_ms) => alone(storage.older(scope, before_ms)),
    'usage.of': (_, tenant, month) => alone(usage.of(tenant, month)),
    ...windowMethods(new WindowReads(context)),
    'metrics.requests': (scope, window, extended) => alone(metrics.requests(scope, window, extended)),
    'metrics.scores': (scope, days) => alone(sumScores(context.db, scope, days)),
  };
}

/** What alerts look at. */
const windowMethods = (windows: WindowReads): Pick<Methods, `windows.${string}` & ReadMethod> => ({
  'windows.requests': (scope, window) => alone(windows.requests(scope, window)),
  'windows.scores': (scope, window, name) => alone(windows.scores(scope, window, name)),
});

/** What leaves the store: traces as files, and what is forwarded, which goes by the name of where it goes. */
function leavingMethods(context: ReadContext): Pick<Methods, `${'capsules' | 'forward' | 'redaction'}.${string}` & ReadMethod> {
  const capsules = new CapsuleReads(context);
  const forward = new ForwardReads(context);
  const states = new ForwardStates(context);
  const redaction = new RedactionReads(context);
  return {
    'forward.next': (_, name, most, setting) => forward.next(name, most, setting),
    'forward.backlog': (_, name) => alone(forward.backlog(name)),
    'forward.installation': () => alone(states.installation()),
    'forward.list': (scope) => alone(states.list(scope)),
    'forward.waiting': (_, name) => alone(states.waiting(name)),
    'forward.traces': (scope, traceIds) => alone(states.traces(scope, traceIds)),
    'forward.deadLetters': (_, name, page) => states.deadLetters(name, page),
    'forward.deadLetterLines': (_, name, most) => states.deadLetterLines(name, most),
    'redaction.preview': (scope, query, setting) => alone(redaction.preview(scope, query, setting)),
    'redaction.token': (scope, token) => alone(redaction.token(scope, token)),
    'capsules.otlp': (scope, traceIds) => capsules.otlp(scope, traceIds),
    'capsules.pack': (scope, traceIds, createdMs) => capsules.pack(scope, traceIds, createdMs),
    'capsules.open': (_, bytes) => capsules.open(bytes),
  };
}
