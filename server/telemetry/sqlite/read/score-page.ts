/** Page of a score list, with the total. */
import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import type { DamageReporter } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { Bound } from './bound.ts';
import { ReadPage } from './read-answer.ts';
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
export function pageOfScores(
  db: OpenDatabase,
  where: Bound,
  { sort_by, sort_order, limit, offset }: Page,
  damageReporter: DamageReporter,
): ReadPage<Score> {
  const text = `${where.text} AND ${inTime('score.id')}`;
  const ids = db
    .prepare<unknown[], number>(
      `SELECT score.id FROM score WHERE ${text} ORDER BY ${sortColumn[sort_by]} ${sort_order}, score.id ${sort_order} LIMIT ? OFFSET ?`,
    )
    .pluck()
    .all(...where.values, limit, offset);
  const select = db.prepare<[string], ScoreRow>(
    `${selectScore.replace(' id,', ' score.id,').replace('FROM score', 'FROM json_each(?) AS place CROSS JOIN score ON score.id = place.value')} ORDER BY place.key`,
  );
  const rows = damageReporter.fetch(
    'score',
    ids,
    () => select.all(JSON.stringify(ids)),
    (id) => select.get(JSON.stringify([id])),
  );
  const total = db
    .prepare<unknown[], number>(`SELECT count(*) FROM score WHERE ${text}`)
    .pluck()
    .get(...where.values);
  return new ReadPage(damageReporter.rows('score', rows, scoreOf), total ?? 0);
}
