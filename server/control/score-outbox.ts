import type { Score } from '../../shared/contract/evaluation/scores.ts';
import type { Scope } from '../platform/scope.ts';
import type { DeliveryOutbox } from './delivery.ts';

/** The scores of one review that are still to reach the telemetry, which knows each by its id. */
export interface OutgoingScores {
  position: number;
  scope: Scope;
  scores: Score[];
}

/** Scores that were committed with the review that gave them, and may not have arrived where scores are kept. */
export type ScoreOutbox = DeliveryOutbox<OutgoingScores>;
