import type { Activity, ActivityQuery, DistributionQuery, ScoreDistribution } from '../../shared/contract/viewer-statistics.ts';
import type { Storage } from '../../shared/contract/viewer-storage.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** What the file itself tells. */
export type StoredStorage = Omit<Storage, 'compaction' | 'damage'>;

/** Sums over what is stored at the moment of the call. Nothing is sampled; what takes long is answered in parts. */
export interface StatisticsReader {
  /** Newest steps first, as many as there is time for, at least one. A trace counts in the step that it is listed in. */
  activity(scope: Scope, query: ActivityQuery): Promise<Encoded<Activity>>;
  scores(scope: Scope, query: DistributionQuery): Promise<Encoded<ScoreDistribution>>;
  storage(scope: Scope): Promise<Encoded<StoredStorage>>;
  /** How many traces, about, arrived before a moment. */
  older(scope: Scope, before_ms: number): Promise<Encoded<{ traces: number }>>;
}
