import type { SentSpan } from '../../../otlp/raw-span.ts';

/**
 * Codex traces its own runtime: of some twenty traces for one prompt, one is of the turn. Of that one, these spans are about what was asked;
 * all others are bookkeeping.
 */
const turnSpans = new Set(['session_task.turn', 'run_turn', 'codex.sampling']);

const isCodex = ({ scope }: SentSpan): boolean => scope.name.startsWith('codex');

export function isCodexBookkeeping(sent: SentSpan): boolean {
  return isCodex(sent) && !turnSpans.has(sent.span.name) && !sent.span.attributes.some(([key]) => key.startsWith('gen_ai.'));
}
