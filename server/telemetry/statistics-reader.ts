import type { Activity, ActivityQuery, DistributionQuery, ScoreDistribution } from '../../shared/contract/viewer-statistics.ts';
import type { Storage } from '../../shared/contract/viewer-storage.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** Storage figures that the file itself provides. */
export type StoredStorage = Omit<Storage, 'compaction' | 'damage'>;

/** Exact sums over the data stored at the moment of the call. Long answers come in parts. */
export interface StatisticsReader {
  /** Newest steps first, as many as time allows, at least one. A trace counts in the step in which lists show it. */
  activity(scope: Scope, query: ActivityQuery): Promise<Encoded<Activity>>;
  scores(scope: Scope, query: DistributionQuery): Promise<Encoded<ScoreDistribution>>;
  storage(scope: Scope): Promise<Encoded<StoredStorage>>;
  /** How many traces, about, arrived before a moment. */
  older(scope: Scope, before_ms: number): Promise<Encoded<{ traces: number }>>;
}
