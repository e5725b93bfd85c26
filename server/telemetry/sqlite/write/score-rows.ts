import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import type { WriteOutcome } from '../../../ingest/sink.ts';
import type { EnvironmentAttribution } from '../../../platform/environment-attribution.ts';
import type { OpenDatabase } from '../file/open.ts';
import { resourceKey } from '../file/resource-key.ts';

/** Scores to insert and to remove, in one transaction. */
export interface ScoreChange {
  insert: readonly Score[];
  remove: readonly string[];
  /** Attribution of the inserted scores. */
  attribution: EnvironmentAttribution | null;
}

/** Inserts and removes scores in the running transaction. */
export class ScoreRows {
  readonly #insert;
  readonly #remove;

  constructor(db: OpenDatabase) {
    this.#insert = db.prepare(
      `INSERT INTO score (scope, score_id, resource, resource_id, name, score, label, reason, source, user_id, session_id, created_ms,
         environment, environment_version)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (score_id) DO NOTHING`,
    );
    this.#remove = db.prepare('DELETE FROM score WHERE scope = ? AND score_id = ?');
  }

  apply(scope: number, { insert, remove, attribution }: ScoreChange): WriteOutcome {
    let inserted = 0;
    for (const { id, resource_id, name, score, label, reason, source, user_id, session_id, created_at } of insert) {
      const optional = [
        user_id ?? null,
        session_id ?? null,
        Date.parse(created_at),
        attribution?.name ?? null,
        attribution?.version ?? null,
      ];
      inserted += this.#insert.run(
        scope,
        id,
        resourceKey(resource_id),
        resource_id,
        name,
        score,
        label,
        reason,
        source,
        ...optional,
      ).changes;
    }
    const removed = remove.reduce((count, id) => count + this.#remove.run(scope, id).changes, 0);
    return { accepted: inserted + removed, duplicates: insert.length - inserted, conflicts: [] };
  }
}
