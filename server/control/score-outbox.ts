import type { Score } from '../../shared/contract/evaluation/scores.ts';
import type { Scope } from '../platform/scope.ts';
import type { Outbox } from './outbox.ts';

/** The scores of one review that are still to reach the telemetry store, which recognises repeated ones by their ids. */
export interface OutgoingScores {
  position: number;
  scope: Scope;
  scores: Score[];
}

/** Scores that were committed with their review, and may not have reached the telemetry store yet. */
export type ScoreOutbox = Outbox<OutgoingScores>;
