import type { Score } from '../../shared/contract/scores.ts';
import type { Scope } from '../platform/scope.ts';

/** The scores of one review that are still to reach the telemetry. */
export interface OutgoingScores {
  position: number;
  scope: Scope;
  scores: Score[];
}

/**
 * Scores that were committed with the review that gave them and may not have arrived where scores are kept. An entry MUST stay until it
 * is known to have arrived; it may then have been delivered before, so whoever takes it must take it by its ids.
 */
export interface ScoreOutbox {
  /** The first entries behind a position, in order. */
  waiting(after: number, limit: number): Promise<OutgoingScores[]>;
  arrived(position: number): Promise<void>;
}
