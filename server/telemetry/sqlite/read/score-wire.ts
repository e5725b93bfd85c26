/** Converts rows of `score` to scores of the contract. */
import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import { scorePart } from '../../score-bars.ts';
import { requireNumbers, requireTexts } from '../file/damaged.ts';
import { isoOf } from './iso-time.ts';

export interface ScoreRow {
  id: number;
  score_id: string;
  resource_id: string;
  name: string;
  score: number;
  label: string;
  reason: string;
  source: string;
  user_id: string | null;
  session_id: string | null;
  created_ms: number;
}

export const selectScore =
  'SELECT id, score_id, resource_id, name, score, label, reason, source, user_id, session_id, created_ms FROM score';

export const dayMs = 24 * 3600 * 1000;

export const meanScore = `avg(score / ${scorePart}.0) * ${scorePart}.0`;

/** @throws StorageError `corrupt` when the row is damaged */
export function scoreOf(stored: ScoreRow): Score {
  requireNumbers(stored, ['score', 'created_ms'], 'A score');
  requireTexts(stored, ['score_id', 'resource_id', 'name', 'label', 'reason', 'source'], 'A score');
  const { id: _, score_id, user_id, session_id, created_ms, ...row } = stored;
  return {
    id: score_id,
    ...row,
    ...(user_id === null ? {} : { user_id }),
    created_at: isoOf(created_ms * 1000),
    ...(session_id === null ? {} : { session_id }),
  };
}
