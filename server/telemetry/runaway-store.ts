import type { Runaway, RunawayQuery, RunawayThreshold, RunawayThresholdChange } from '../../shared/contract/tracing/runaways.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** Traces of an app whose signs of a runaway are others than before. */
export interface RunawayNotice {
  scope: Scope;
  trace_ids: string[];
}

/** Finds runs that keep going without making progress, while their spans arrive (ADR 047). */
export interface RunawayStore {
  /** Running ones first, then newest first. */
  list(scope: Scope, query: RunawayQuery): Promise<Encoded<Runaway[]>>;
  /** Those that are not the default, by service and rule. */
  thresholds(scope: Scope): Promise<Encoded<RunawayThreshold[]>>;
  /** Whether a span of the app names the service; `` is the service of spans that name none. */
  hasService(scope: Scope, service: string): Promise<Encoded<boolean>>;
  /** Durable when it resolves. Turning a rule off also removes what it found of the service. */
  setThreshold(scope: Scope, change: RunawayThresholdChange): Promise<void>;
  /** Calls back when signs were found, changed or ended, until the returned function is called. */
  follow(listener: (notice: RunawayNotice) => void): () => void;
}
