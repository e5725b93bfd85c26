import clsx from 'clsx';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { KeyCap } from '../primitives/key-cap.tsx';
import { Text } from '../primitives/text.tsx';
import { useModal } from './dialog.tsx';

export interface Command {
  id: string;
  group: string;
  label: string;
  /** Other words by which people look for it; not shown. */
  words?: string | undefined;
  /** Shown beside the label: a time, a number. */
  about?: string;
  /** The shortcut for the same command. */
  hint?: string | undefined;
  run: () => void;
}

/** Maximum of listed commands; typing narrows the list. */
const shownMax = 60;

function rankOf({ label, group, words = '' }: Command, typed: readonly string[]): number {
  const name = ` ${label.toLowerCase()}`;
  const others = ` ${group} ${words}`.toLowerCase();
  const ranks = typed.map((word) => {
    if (name.includes(` ${word}`)) return 3;
    if (others.includes(` ${word}`)) return 2;
    return name.includes(word) ? 1 : -Infinity;
  });
  return ranks.reduce((sum, rank) => sum + rank, 0);
}

/** Every typed word must occur in the command. Matches at the start of a word of the label come first. */
function matchingCommands(commands: readonly Command[], query: string): Command[] {
  const typed = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (typed.length === 0) return commands.slice(0, shownMax);
  return commands
    .map((command) => ({ command, rank: rankOf(command, typed) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, shownMax)
    .map(({ command }) => command);
}

function usePalette(commands: readonly Command[], onClose: () => void) {
  const dialog = useModal();
  const id = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const shown = useMemo(() => matchingCommands(commands, query), [commands, query]);
  const selected = shown[Math.min(at, shown.length - 1)];
  useEffect(() => {
    // Braces: newer browsers return a promise here, which React would take for a cleanup function.
    document.getElementById(`${id}-${selected?.id}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, selected]);
  const run = (command: Command | undefined) => {
    onClose();
    command?.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) setAt((now) => (Math.min(now, shown.length - 1) + by + shown.length) % Math.max(1, shown.length));
    else if (event.key === 'Enter') run(selected);
    else return;
    event.preventDefault();
  };
  const type = (text: string) => {
    setQuery(text);
    setAt(0);
  };
  return { dialog, id, query, type, shown, selected, run, onKeyDown };
}

/** A native dialog with a search field: Enter runs the selected command. */
export function CommandPalette({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const { dialog, id, query, type, shown, selected, run, onKeyDown } = usePalette(commands, onClose);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog natively
    <dialog
      ref={dialog}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      aria-label="Commands"
      className="enter-layer mx-auto mt-24 w-palette max-w-full overflow-hidden rounded-card border border-line-2 bg-panel p-0 text-fg shadow-layer"
    >
      <input
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={selected && `${id}-${selected.id}`}
        aria-label="Search commands, pages and traces"
        placeholder="Search commands, pages and traces"
        value={query}
        spellCheck={false}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-header w-full border-line border-b bg-transparent px-4 text-body text-fg outline-none placeholder:text-fg-3"
      />
      <div id={id} role="listbox" aria-label="Commands" className="max-h-list overflow-y-auto py-1">
        {shown.map((command, i) => (
          <Entry
            key={command.id}
            command={command}
            id={`${id}-${command.id}`}
            isOn={command === selected}
            hasHead={command.group !== shown[i - 1]?.group}
            onRun={run}
          />
        ))}
        {shown.length === 0 && (
          <Text as="p" size="body" tone="dim" className="px-4 py-3">
            No command, page or trace matches. Traces are found by name, the newest first.
          </Text>
        )}
      </div>
    </dialog>
  );
}

interface EntryProps {
  command: Command;
  id: string;
  isOn: boolean;
  hasHead: boolean;
  onRun: (command: Command) => void;
}

function Entry({ command, id, isOn, hasHead, onRun }: EntryProps) {
  return (
    <>
      {hasHead && (
        <Text as="div" size="label" tone="dim" className="px-4 pt-2 pb-0.5">
          {command.group}
        </Text>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field above handles the keys */}
      <div
        id={id}
        role="option"
        aria-selected={isOn}
        onClick={() => onRun(command)}
        className={clsx('flex h-row items-center gap-3 px-4 text-row', isOn ? 'bg-select text-fg' : 'text-fg-2 hover:bg-hover')}
      >
        <span className="truncate">{command.label}</span>
        <span className="ml-auto flex shrink-0 items-center gap-2 text-fg-3 text-label tabular-nums">
          {command.about}
          {command.hint && <KeyCap>{command.hint}</KeyCap>}
        </span>
      </div>
    </>
  );
}
