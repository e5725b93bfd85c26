import type { Scope } from '../platform/scope.ts';
import type { TelemetryCapability } from './capabilities.ts';
import type { DamageWatch } from './damage.ts';
import type { RunawayStore } from './runaway-store.ts';
import type { ScoreStore } from './score-store.ts';
import type { SearchReader } from './search-reader.ts';
import type { SpanReader } from './span-reader.ts';
import type { CommitNotice, SpanWriter } from './span-writer.ts';
import type { MetricsReader, StatisticsReader, UsageReader } from './statistics-reader.ts';
import type { TraceDeletions } from './trace-deletions.ts';
import type {
  ComparisonReader,
  ContextReader,
  ErrorGroupReader,
  ExperimentReader,
  SessionReader,
  TraceListReader,
  TraceReader,
} from './trace-reader.ts';
import type { TraceTags } from './trace-tags.ts';
import type { WindowReader } from './window-reader.ts';

/** What every telemetry store promises (conformance/describe-telemetry-store.ts). Methods that concern one app take its scope first. */
export interface TelemetryStore {
  readonly capabilities: readonly TelemetryCapability[];
  writer: SpanWriter;
  traces: TraceReader;
  traceList: TraceListReader;
  errorGroups: ErrorGroupReader;
  comparisons: ComparisonReader;
  contexts: ContextReader;
  spans: SpanReader;
  sessions: SessionReader;
  scores: ScoreStore;
  statistics: StatisticsReader;
  search: SearchReader;
  metrics: MetricsReader;
  experiments: ExperimentReader;
  windows: WindowReader;
  usage: UsageReader;
  deletions: TraceDeletions;
  tags: TraceTags;
  /** Known damage. */
  damage: DamageWatch;
  runaways: RunawayStore;
  /** Erases a deleted app. Resolves when the erasure is durable, also for data that still arrives; data may be removed gradually. */
  erase(scope: Scope): Promise<void>;
  /** Calls back after each commit, until the returned function is called. */
  follow(listener: (notice: CommitNotice) => void): () => void;
  /**
   * Resolves when the writer has replied that it could write now.
   * @throws StorageError when it could not
   */
  probe(): Promise<void>;
  /** Commits all pending writes, checkpoints the log and closes. */
  stop(): Promise<void>;
}
