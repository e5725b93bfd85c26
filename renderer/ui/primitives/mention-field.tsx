import clsx from 'clsx';
import { type KeyboardEvent, type Ref, type RefObject, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import type { Mentionable } from '../../../shared/mentions.ts';
import { plural } from '../../model/text/format.ts';
import { type MentionQuery, matchingPeople, mentionQueryAt, withName } from './mention-query.ts';
import { Text } from './text.tsx';
import { TextArea } from './text-area.tsx';

interface MentionFieldProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** Who can be mentioned. */
  people: readonly Mentionable[];
  /** Somebody was chosen from them, and their name inserted. */
  onPick: (person: Mentionable) => void;
  problem?: string | undefined;
  ref?: Ref<HTMLTextAreaElement>;
}

/** A text in which `@` offers people: arrows choose, Enter or Tab inserts the name, Escape closes the list. */
export function MentionField({ label, value, onValue, people, onPick, problem, ref }: MentionFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => field.current as HTMLTextAreaElement);
  const listId = useId();
  const list = useMentionList(field, { value, onValue, people, onPick });
  const isOpen = list.matches.length > 0;
  return (
    <div className="grid gap-1">
      <TextArea
        ref={field}
        label={label}
        value={value}
        problem={problem}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${list.at}` : undefined}
        help={people.length > 0 ? 'Type @ to mention somebody.' : undefined}
        onChange={(event) => {
          onValue(event.target.value);
          list.look(event.target);
        }}
        onClick={(event) => list.look(event.currentTarget)}
        onBlur={list.close}
        onKeyDown={list.onKeyDown}
      />
      <span role="status" className="sr-only">
        {isOpen && `${plural(list.matches.length, 'person', 'people')} to mention`}
      </span>
      {isOpen && <People id={listId} people={list.matches} at={list.at} onPick={list.pick} />}
    </div>
  );
}

/** The people that fit what is typed after `@`, and the keys that choose one. */
function useMentionList(
  field: RefObject<HTMLTextAreaElement | null>,
  { value, onValue, people, onPick }: Pick<MentionFieldProps, 'value' | 'onValue' | 'people' | 'onPick'>,
) {
  const [query, setQuery] = useState<MentionQuery | null>(null);
  const [chosen, setChosen] = useState(0);
  const [caret, setCaret] = useState<number | null>(null);
  const matches = query ? matchingPeople(people, query) : [];
  const at = Math.min(chosen, matches.length - 1);
  useLayoutEffect(() => {
    if (caret !== null) field.current?.setSelectionRange(caret, caret);
    setCaret(null);
  }, [caret, field]);
  const close = () => setQuery(null);
  const look = ({ value: text, selectionStart, selectionEnd }: HTMLTextAreaElement) => {
    setQuery(selectionStart === selectionEnd ? mentionQueryAt(text, selectionStart) : null);
    setChosen(0);
  };
  const pick = (person: Mentionable | undefined) => {
    if (!query || !person) return;
    const changed = withName(value, query, person.name);
    onValue(changed.text);
    onPick(person);
    setCaret(changed.caret);
    close();
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (matches.length === 0 || event.nativeEvent.isComposing) return;
    const acts: Record<string, () => void> = {
      ArrowDown: () => setChosen((at + 1) % matches.length),
      ArrowUp: () => setChosen((at + matches.length - 1) % matches.length),
      Enter: () => pick(matches[at]),
      Tab: () => pick(matches[at]),
      Escape: close,
    };
    const act = acts[event.key];
    if (!act) return;
    // Also keeps Escape from closing a dialog around the field.
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return { matches, at, look, close, pick, onKeyDown };
}

interface PeopleProps {
  id: string;
  people: readonly Mentionable[];
  at: number;
  onPick: (person: Mentionable) => void;
}

/** The focus stays in the field, which names the chosen option. */
const People = ({ id, people, at, onPick }: PeopleProps) => (
  <div
    id={id}
    role="listbox"
    aria-label="People to mention"
    className="rounded-control border border-line-2 bg-raised p-1 shadow-layer"
    onPointerDown={(event) => event.preventDefault()}
  >
    {people.map((person, index) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
      <div
        key={person.id}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === at}
        onClick={() => onPick(person)}
        className={clsx(
          'flex h-row cursor-pointer items-center gap-2 rounded-control px-2 text-row hover:bg-hover',
          index === at && 'bg-select',
        )}
      >
        <Text cut>{person.name}</Text>
        {person.email !== person.name && (
          <Text tone="dim" cut>
            {person.email}
          </Text>
        )}
      </div>
    ))}
  </div>
);
