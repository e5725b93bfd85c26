import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { SentSpan } from '../../../otlp/raw-span.ts';
import { from, type Source } from '../evidence.ts';
import { countValue, textValue } from '../values.ts';

/**
 * Codex traces its own runtime: of some twenty traces for one prompt, one is of the turn. Of that one, these spans are about what was asked;
 * all others are bookkeeping. The model and the tokens of the whole turn stand on `session_task.turn`, those of each call, without a model,
 * on a `handle_responses`.
 */
const kinds = new Map<string, SemanticKind>([
  ['session_task.turn', 'agent'],
  ['run_turn', 'function'],
  ['codex.sampling', 'function'],
]);

const isCodex = ({ scope }: SentSpan): boolean => scope.name.startsWith('codex');
const isTurn = (sent: SentSpan): boolean => isCodex(sent) && kinds.has(sent.span.name);

export const kindOfCodex = (sent: SentSpan): SemanticKind | undefined => (isCodex(sent) ? kinds.get(sent.span.name) : undefined);

/** Its tokens are those of the calls below, but it alone knows what they cost: it names the model. */
export const isCodexTurn = (sent: SentSpan): boolean => isCodex(sent) && sent.span.name === 'session_task.turn';

export function isCodexBookkeeping(sent: SentSpan): boolean {
  return isCodex(sent) && !kinds.has(sent.span.name) && !sent.span.attributes.some(([key]) => key.startsWith('gen_ai.'));
}

export const codexCount = (name: string): Source =>
  from(`codex.turn.token_usage.${name}`, (value, { sent }) => (isCodexTurn(sent) ? countValue(value) : undefined));

/** The id of the conversation; a worker thread has the same key for its number. */
export const codexSession = (key: string): Source =>
  from(key, (value, { sent }) => (isTurn(sent) && typeof value === 'string' ? textValue(value) : undefined));
