/** Converts evaluation results to scores of the evaluated spans. */
import { hash } from 'node:crypto';
import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import type { Evaluation } from '../../../ingest/normalise/evaluations.ts';
import type { PreparedBatch } from '../../../ingest/prepare/prepared.ts';
import { localScope, type Scope, sameScope } from '../../../platform/scope.ts';
import { scopedId } from '../../../platform/scoped-id.ts';

/** @param isRefused whether the span was refused, because another has its ids */
export function scoresOf(
  scope: Scope,
  { evaluations, received_ms }: PreparedBatch,
  isRefused: (evaluation: Evaluation) => boolean,
): Score[] {
  return evaluations
    .filter((evaluation) => !isRefused(evaluation))
    .map((evaluation) => {
      const { span_id, name, score, label, reason } = evaluation;
      const created_at = dateOf(evaluation.time_ns, received_ms).toISOString();
      return { id: idOf(scope, evaluation), resource_id: span_id, name, score, label, reason, source: 'api', created_at };
    });
}

/**
 * A result that is sent again has the same id, and is stored once. A local gateway forwards both the span and the score with its id, so a cloud
 * must derive the same id from either.
 */
function idOf(scope: Scope, { trace_id, span_id, name, time_ns }: Evaluation): string {
  const local = scopedId(localScope, hash('sha256', JSON.stringify([trace_id, span_id, name, time_ns])));
  return sameScope(scope, localScope) ? local : scopedId(scope, local);
}

/** The latest day that ISO 8601 writes with a four-digit year. */
const latestMs = Date.UTC(9999, 11, 31);

function dateOf(time_ns: string, received_ms: number): Date {
  const ms = Number(time_ns) / 1e6;
  return new Date(ms > 0 && ms <= latestMs ? Math.floor(ms) : received_ms);
}
