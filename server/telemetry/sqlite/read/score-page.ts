/** One page of the scores that a list asks for, and how many there are. */
import type { OpenDatabase } from '../open.ts';
import type { Bound } from './bound.ts';
import type { ReadAnswer } from './reader.ts';
import { type ScoreRow, scoreOf, selectScore } from './score-wire.ts';
import { inTime } from './time-limit.ts';

interface Page {
  sort_by: keyof typeof sortColumn;
  sort_order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

const sortColumn = { created_at: 'score.created_ms', score: 'score.score', name: 'score.name' } as const;

/** @param where over `score` */
export function pageOfScores(db: OpenDatabase, where: Bound, { sort_by, sort_order, limit, offset }: Page): ReadAnswer {
  const text = `${where.text} AND ${inTime('score.id')}`;
  const rows = db
    .prepare<unknown[], ScoreRow>(
      `${selectScore} WHERE ${text} ORDER BY ${sortColumn[sort_by]} ${sort_order}, score.id ${sort_order} LIMIT ? OFFSET ?`,
    )
    .all(...where.values, limit, offset);
  const total = db
    .prepare<unknown[], number>(`SELECT count(*) FROM score WHERE ${text}`)
    .pluck()
    .get(...where.values);
  return { value: rows.map(scoreOf), total: total ?? 0 };
}
