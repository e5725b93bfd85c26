import { type HistoryTurn, historyTurnOf } from '../agent-records/history-turn.ts';
import { agentHistoryScope } from '../agent-records/turn-record.ts';
import type { PreparedBatch, PreparedSpan } from './prepared.ts';
import { spanDataOf } from './span-data-of.ts';

/** The roots of turns that were read from session files. */
export function historyTurnsIn(batch: PreparedBatch): { root: PreparedSpan; turn: HistoryTurn }[] {
  const isHistory = batch.resources.map((json) => json.includes(agentHistoryScope));
  const roots = batch.spans.filter((span) => isHistory[span.instrumentation] && span.semantic_kind === 'agent');
  return roots.flatMap((root) => {
    const turn = historyTurnOf(spanDataOf(batch, root));
    return turn ? [{ root, turn }] : [];
  });
}
