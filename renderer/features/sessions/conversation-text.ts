import { useQueryClient } from '@tanstack/react-query';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { exactly } from '../../model/time/time.ts';
import { errorsInside, errorsInsideText, isFailed } from '../../model/trace/outcome.ts';
import { sessionText } from '../../model/trace/session-text.ts';
import { turnTalk } from '../../model/trace/session-turns.ts';
import { speakersOf } from './session-query.ts';

/** Reading the messages of more turns takes too long. */
const copiedMax = 50;

/** Reads the conversation as text. */
export function useConversationText(turns: readonly ListedTrace[]): () => Promise<string> {
  const client = useQueryClient();
  return async () => {
    const shown = turns.slice(0, copiedMax);
    const spans = await Promise.all(
      shown.map((turn) => {
        const { isEmpty, queryKey, queryFn, gcTime } = speakersOf(turn);
        return isEmpty ? { input: undefined, output: undefined } : client.fetchQuery({ queryKey, queryFn, gcTime });
      }),
    );
    const text = sessionText(
      shown.map((turn, i) => ({
        number: i + 1,
        name: turn.name,
        when: exactly(turn.start),
        outcome: turnOutcome(turn),
        talk: turnTalk(spans[i] ?? { input: undefined, output: undefined }, spans[i - 1]),
      })),
    );
    return turns.length > copiedMax ? `${text}\n\n---\n\nThe first ${copiedMax} turns.` : text;
  };
}

const turnOutcome = (turn: ListedTrace): string =>
  [isFailed(turn) && 'failed', errorsInside(turn) > 0 && errorsInsideText(errorsInside(turn))].filter(Boolean).join(', ');
