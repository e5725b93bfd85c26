/** Inserts and removes scores. */
import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import type { EnvironmentAttribution } from '../../../platform/environment-attribution.ts';
import type { Scope } from '../../../platform/scope.ts';
import { resourceKey } from '../../sqlite/file/resource-key.ts';
import { StorageError } from '../../storage-error.ts';
import { scoredKey } from '../loaded/score-keys.ts';
import { partsOf } from '../parameter-lists.ts';
import type { ReadContext } from '../read/read-context.ts';
import type { ScoreRow } from '../stored-rows.ts';
import type { Inserts } from './inserts.ts';
import type { Commits } from './versions.ts';
import { writeFailure } from './write-failure.ts';

const isKnown = 'SELECT score_id FROM score FINAL WHERE score_id IN {ids:Array(String)}';

interface Parts {
  context: ReadContext;
  inserts: Inserts;
  commits: Commits;
}

export class ScoreWriter {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Ids are unique in the store. @returns the number of new scores */
  async insert(scope: Scope, scores: readonly Score[], attribution: EnvironmentAttribution | null): Promise<number> {
    const { context, commits } = this.#parts;
    requireNumbers(scores);
    const unique = new Map(scores.map((score) => [score.id, score]).reverse() as [string, Score][]);
    for (const ids of partsOf([...unique.keys()])) {
      const known = await context.rows<{ score_id: string }>(isKnown, { ids });
      for (const { score_id } of known) unique.delete(score_id);
    }
    const rows = scores.filter((score) => unique.get(score.id) === score).map((score) => rowOf(score, attribution, commits.nextArrival()));
    await this.#put(scope, rows);
    return rows.length;
  }

  /** False when the id is unknown or belongs to another app. */
  async remove(scope: Scope, id: string): Promise<boolean> {
    const found = await this.#parts.context.inApp<Pick<ScoreRow, 'resource' | 'created_ms' | 'score_id'>>(
      scope,
      `SELECT resource, created_ms, score_id FROM score FINAL
       WHERE tenant_id = {tenant_id:String} AND app_id = {app_id:String} AND score_id = {id:String}`,
      { id },
    );
    await this.#put(
      scope,
      found.map((key) => ({ ...key, gone: 1 })),
    );
    return found.length > 0;
  }

  async #put(scope: Scope, rows: readonly object[]): Promise<void> {
    const ver = String(this.#parts.commits.next());
    try {
      await this.#parts.inserts.insert(
        'score',
        rows.map((row) => ({ ...scope, ...row, ver })),
      );
    } catch (error) {
      throw writeFailure(error);
    }
  }
}

/** @throws StorageError for a number that JSON does not have, which would be stored as another one */
function requireNumbers(scores: readonly Score[]): void {
  if (!scores.every(({ score }) => Number.isFinite(score))) throw new StorageError('mistake', 'A score is not a finite number');
}

const rowOf = (score: Score, attribution: EnvironmentAttribution | null, arrival: number): ScoreRow => ({
  resource: scoredKey(resourceKey(score.resource_id)),
  created_ms: Date.parse(score.created_at),
  score_id: score.id,
  arrival,
  resource_id: score.resource_id,
  name: score.name,
  score: score.score,
  label: score.label,
  reason: score.reason,
  source: score.source,
  user_id: score.user_id ?? null,
  session_id: score.session_id ?? null,
  environment: attribution?.name ?? null,
  environment_version: attribution?.version ?? null,
});
