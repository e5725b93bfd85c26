import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { SpanData } from '../../../otlp/raw-span.ts';
import { from, type Source } from '../field-resolver.ts';
import { countValue, textValue } from '../values.ts';

/**
 * Codex traces its own runtime: of some twenty traces for a prompt, one is the trace of the turn. In that trace, these spans describe the
 * turn; all others are bookkeeping. `session_task.turn` has the model and the tokens of the whole turn; the tokens of each call, without a
 * model, are on a `handle_responses`.
 */
const kinds = new Map<string, SemanticKind>([
  ['session_task.turn', 'agent'],
  ['run_turn', 'function'],
  ['codex.sampling', 'function'],
]);

const isCodex = ({ scope }: SpanData): boolean => scope.name.startsWith('codex');
const isTurn = (spanData: SpanData): boolean => isCodex(spanData) && kinds.has(spanData.span.name);

export const kindOfCodex = (spanData: SpanData): SemanticKind | undefined =>
  isCodex(spanData) ? kinds.get(spanData.span.name) : undefined;

/** Its tokens are those of the calls below it, but only it names the model, from which the cost is computed. */
export const isCodexTurn = (spanData: SpanData): boolean => isCodex(spanData) && spanData.span.name === 'session_task.turn';

export function isCodexBookkeeping(spanData: SpanData): boolean {
  return isCodex(spanData) && !kinds.has(spanData.span.name) && !spanData.span.attributes.some(([key]) => key.startsWith('gen_ai.'));
}

export const codexCount = (name: string): Source =>
  from(`codex.turn.token_usage.${name}`, (value, { spanData }) => (isCodexTurn(spanData) ? countValue(value) : undefined));

/** The id of the conversation; a worker thread has the same key for its number. */
export const codexSession = (key: string): Source =>
  from(key, (value, { spanData }) => (isTurn(spanData) && typeof value === 'string' ? textValue(value) : undefined));
