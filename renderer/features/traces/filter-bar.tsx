/** Filter bar: a plain field that becomes an editor on first use. Enter applies the filter if it is valid. */
import clsx from 'clsx';
import { Search, X } from 'lucide-react';
import { type RefObject, Suspense, startTransition, useRef, useState } from 'react';
import { lazyComponent } from '../../api/lazy-component.tsx';
import { searchedFilter } from '../../model/filter/searched-filter.ts';
import { IconButton } from '../../ui/primitives/button.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import { KeyCap } from '../../ui/primitives/key-cap.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { preference, usePreference } from '../../ui/primitives/preferences.ts';
import { FilterChips } from './filter-chips.tsx';
import { filterExample } from './filter-sources.ts';
import type { TracesView } from './url.ts';

const FilterEditor = lazyComponent(async () => (await import('./filter-editor.tsx')).FilterEditor);

const recentMax = 12;

/** Draft of the filter. When the filter changes elsewhere, it replaces the draft. */
function useDraft(filter: string) {
  const [state, setState] = useState({ filter, text: filter });
  if (state.filter !== filter) setState({ filter, text: filter });
  return [state.filter === filter ? state.text : filter, (text: string) => setState({ filter, text })] as const;
}

interface FilterBarProps {
  filter: string;
  /** The list that the filter narrows. */
  view: TracesView;
  onFilter: (filter: string | undefined) => void;
}

/** State of the draft: text, problem and actions. */
function useFilterDraft({ filter, onFilter }: Pick<FilterBarProps, 'filter' | 'onFilter'>, field: RefObject<HTMLInputElement | null>) {
  const [text, setText] = useDraft(filter);
  const [isEditing, setEditing] = useState(false);
  const [isProblemShown, setProblemShown] = useState(false);
  const [recent, setRecent] = usePreference(preference.recentFilters);
  const { problem } = searchedFilter(text);
  const leave = () => {
    setProblemShown(false);
    setEditing(false);
    // Returns the focus to the page, also when the editor failed to load.
    field.current?.blur();
  };
  const apply = (filterText: string) => {
    setProblemShown(true);
    if (searchedFilter(filterText).problem) return;
    const next = filterText.trim();
    if (next) setRecent([next, ...recent.filter((other) => other !== next)].slice(0, recentMax));
    onFilter(next || undefined);
    leave();
  };
  const draft = {
    text,
    recent,
    onText: (next: string) => {
      setProblemShown(false);
      setText(next);
    },
    onApply: () => apply(text),
    onLeave: leave,
  };
  const clear = () => {
    setText('');
    apply('');
  };
  // Text that is being written is not wrong yet.
  const shownProblem = isProblemShown ? problem : null;
  return { draft, isValid: problem === null, shownProblem, isEditing, setEditing, clear };
}

export function FilterBar(props: FilterBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const editor = useRef<Pick<HTMLElement, 'focus'>>(null);
  const { draft, isValid, shownProblem, isEditing, setEditing, clear } = useFilterDraft(props, field);
  const { text } = draft;
  useKeys('Traces', [{ on: ['/'], label: 'Filter', run: () => (editor.current ?? field.current)?.focus() }]);
  const plain = (
    <PlainField
      {...draft}
      field={field}
      // Stays, with its text and focus, until the editor can take over both in one step.
      onFocus={() => startTransition(() => setEditing(true))}
      onBlur={() => setEditing(false)}
    />
  );
  return (
    <div className="relative min-w-0 flex-1">
      <div
        className={`flex h-control min-w-0 items-center gap-1.5 rounded-control border px-2 focus-within:border-accent ${shownProblem ? 'border-err' : 'border-line-2'}`}
      >
        <span className="text-fg-3">
          <Icon of={Search} size="small" />
        </span>
        <Suspense fallback={plain}>
          {isEditing ? (
            <FilterEditor
              {...draft}
              ref={editor}
              selection={[field.current?.selectionStart ?? text.length, field.current?.selectionEnd ?? text.length]}
              hasDraft={text !== props.filter}
              view={props.view}
              wrongFrom={shownProblem?.position ?? null}
            />
          ) : (
            plain
          )}
        </Suspense>
        {text.trim() !== props.filter && isValid && <KeyCap>⏎</KeyCap>}
        {text === '' ? (
          <KeyCap>/</KeyCap>
        ) : (
          <IconButton label="Clear filter" className="-mr-1.5" onClick={clear}>
            <Icon of={X} size="small" />
          </IconButton>
        )}
      </div>
      {/* The page itself says what is wrong with the filter in the address. */}
      {shownProblem && text !== props.filter && <Problem {...shownProblem} />}
    </div>
  );
}

const Problem = ({ message, position }: { message: string; position: number }) => (
  <div
    role="alert"
    className="enter-layer absolute top-full left-0 z-20 mt-1 max-w-full rounded-control border border-err-line bg-panel px-2 py-1 text-err text-label shadow-layer"
  >
    {message}
    <span className="text-fg-3">{` · at character ${position + 1}`}</span>
  </div>
);

interface PlainFieldProps {
  text: string;
  field: RefObject<HTMLInputElement | null>;
  onText: (text: string) => void;
  onApply: () => void;
  onLeave: () => void;
  onFocus: () => void;
  onBlur: () => void;
}

const PlainField = ({ text, field, onText, onApply, onLeave, onFocus, onBlur }: PlainFieldProps) => (
  <span className="relative h-full min-w-0 flex-1">
    {' '}
    <input
      ref={field}
      type="text"
      aria-label="Filter"
      placeholder={filterExample}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onFocus={onFocus}
      onBlur={onBlur}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={({ key, nativeEvent }) => {
        if (nativeEvent.isComposing) return;
        if (key === 'Enter') onApply();
        if (key === 'Escape') onLeave();
      }}
      className={clsx(
        'peer h-full w-full bg-transparent text-row outline-none placeholder:text-fg-3',
        text && 'font-mono not-focus:opacity-0',
      )}
    />
    {text !== '' && (
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 flex items-center overflow-hidden whitespace-pre font-mono text-row peer-focus:hidden"
      >
        {/* One item: a space between two items of a flex box is not drawn. */}
        <span>
          <FilterChips text={text} />
        </span>
      </span>
    )}
  </span>
);
