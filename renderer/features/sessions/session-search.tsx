import { type KeyboardEvent, useRef } from 'react';
import { count, plural } from '../../model/text/format.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { SearchField } from '../../ui/primitives/field.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { FoundProgress, FoundTurns } from './use-found-turns.ts';

interface SessionSearchProps {
  words: string;
  onWords: (words: string) => void;
  found: FoundTurns | null;
  progress: FoundProgress;
  /** Turns of the session. */
  total: number;
  /** What is wrong with the search; null if nothing is. */
  problem: string | null;
}

/** Search in the turns of a session, in the language of the list of traces. */
export function SessionSearch({ words, onWords, found, progress, total, problem }: SessionSearchProps) {
  const field = useRef<HTMLInputElement>(null);
  useKeys('Session', [{ on: ['/'], label: 'Search the session', run: () => field.current?.focus() }]);
  const onKeyDown = ({ key, currentTarget, nativeEvent }: KeyboardEvent<HTMLInputElement>) => {
    if (nativeEvent.isComposing) return;
    if (key === 'Escape') onWords('');
    if (key === 'Escape' || key === 'Enter') currentTarget.blur();
  };
  return (
    <div className="ml-auto flex min-w-0 shrink-0 items-center gap-2">
      <Text size="label" tone={problem ? 'err' : 'dim'} cut className="max-w-step" title={problem ?? undefined}>
        <span aria-live="polite">{problem ?? (found && turnsFound(found, progress, total))}</span>
      </Text>
      {found && progress.missing > 0 && !progress.isLoading && <Button onClick={progress.loadMore}>Load more turns</Button>}
      <SearchField
        ref={field}
        label="Search the session"
        hint="/"
        className="w-step max-facets:w-(--width-name)"
        value={words}
        onChange={(event) => onWords(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

function turnsFound({ ids, hasMore }: FoundTurns, { missing, loaded, isLoading }: FoundProgress, total: number): string {
  const found = `${hasMore ? 'more than ' : ''}${plural(ids.size, 'turn')} found`;
  if (missing === 0) return found;
  return isLoading ? `${found}, loading ${count(loaded)} of ${count(total)}` : `${found}, ${count(missing)} after turn ${count(loaded)}`;
}
