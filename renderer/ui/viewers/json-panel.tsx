// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one; list elements laid out like that lose their meaning
import clsx from 'clsx';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { bytes, count, plural } from '../../model/text/format.ts';
import type { JsonRow } from '../../model/text/json-tree.ts';
import { useVirtualRows } from '../lists/virtual-rows.ts';
import { Button, IconButton } from '../primitives/button.tsx';
import { SearchField } from '../primitives/field.tsx';
import { Icon } from '../primitives/icon.tsx';
import { Segmented } from '../primitives/segmented.tsx';
import { Text } from '../primitives/text.tsx';
import { JsonPanelRow } from './json-panel-row.tsx';
import { JsonPanelValue } from './json-panel-value.tsx';

/** Content of the panel, and its requests (api/open-document.ts). */
export interface PanelDocument {
  form: 'json' | 'text';
  size: number;
  count: number;
  rows: ReadonlyMap<number, JsonRow>;
  words: string;
  found: number | null;
  match: number;
  chosen: number | null;
}

export interface PanelActions {
  show(from: number, to: number): void;
  choose(at: number | null): void;
  toggle(at: number): Promise<void>;
  openTo(depth: number): Promise<void>;
  search(words: string): Promise<void>;
  goTo(match: number): Promise<void>;
  value(at: number, from: number, to: number): Promise<{ path: string; text: string; size: number }>;
}

const levels = [
  { id: '1', label: '1' },
  { id: '2', label: '2' },
  { id: '3', label: '3' },
  { id: '99', label: 'all' },
] as const;

/** A value of any size: only the rows on screen exist, and everything else happens in another thread. */
export function JsonPanel({ label, document, actions }: { label: string; document: PanelDocument; actions: PanelActions }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows(document.count, scroller, '--spacing-code-row');
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, (items.at(-1)?.index ?? 0) + 1];
  const { chosen, match } = document;
  useEffect(() => actions.show(first, last), [actions, first, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another match is brought in sight, a row that is clicked is there
  useEffect(() => {
    if (chosen !== null) virtual.scrollToIndex(chosen, { align: 'auto' });
  }, [match]);

  const onKeyDown = (event: KeyboardEvent) => {
    const at = chosen ?? 0;
    const row = document.rows.get(at);
    const steps: Record<string, () => void> = {
      ArrowDown: () => actions.choose(Math.min(document.count - 1, at + 1)),
      ArrowUp: () => actions.choose(Math.max(0, at - 1)),
      ArrowRight: () => row && !row.isOpen && void actions.toggle(at),
      ArrowLeft: () => row?.isOpen && void actions.toggle(at),
      Enter: () => void actions.toggle(at),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    step();
    virtual.scrollToIndex(at, { align: 'auto' });
  };

  return (
    <div className="flex h-full min-w-0 flex-col overflow-hidden rounded-card border border-line">
      <Toolbar document={document} actions={actions} />
      <div
        ref={scroller}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={chosen === null ? undefined : `json-row-${chosen}`}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden py-1"
      >
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start, size }) => (
            <div key={index} className={clsx('absolute inset-x-0 top-0')} style={{ transform: `translateY(${start}px)`, height: size }}>
              <JsonPanelRow
                row={document.rows.get(index)}
                at={index}
                isChosen={index === chosen}
                words={document.words}
                onChoose={actions.choose}
                onToggle={(at) => void actions.toggle(at)}
              />
            </div>
          ))}
        </div>
      </div>
      {chosen !== null && <JsonPanelValue key={chosen} at={chosen} read={actions.value} onClose={() => actions.choose(null)} />}
    </div>
  );
}

function Toolbar({ document, actions }: { document: PanelDocument; actions: PanelActions }) {
  const { form, size, words, found, match } = document;
  const [level, setLevel] = useState<(typeof levels)[number]['id']>('2');
  const open = (id: (typeof levels)[number]['id']) => {
    setLevel(id);
    void actions.openTo(Number(id));
  };
  const step = (by: number) => void actions.goTo(match + by);
  const facts = [size > 0 ? bytes(size) : '', `${plural(document.count, form === 'json' ? 'row' : 'line')}`].filter(Boolean).join(', ');
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b p-1.5">
      <SearchField
        label="Search keys and values"
        className="w-side"
        defaultValue={words}
        onKeyDown={(event) => event.key === 'Enter' && step(event.shiftKey ? -1 : 1)}
        onChange={(event) => void actions.search(event.target.value.trim())}
      />
      {words !== '' && (
        <span className="flex items-center text-fg-2 text-label" aria-live="polite">
          <span className="num pr-1">
            {found === null ? 'searching…' : found === 0 ? 'nothing' : `${count(match + 1)} of ${count(found)}`}
          </span>
          <IconButton label="Previous match" disabled={!found} onClick={() => step(-1)}>
            <Icon of={ChevronUp} size="small" />
          </IconButton>
          <IconButton label="Next match" disabled={!found} onClick={() => step(1)}>
            <Icon of={ChevronDown} size="small" />
          </IconButton>
        </span>
      )}
      <Text size="label" tone="dim" className="num ml-auto">
        {facts}
      </Text>
      {form === 'json' && <Segmented label="Expanded levels" options={levels} value={level} onChange={open} />}
      {form === 'text' && words === '' && <Button onClick={() => actions.choose(0)}>Copy…</Button>}
    </div>
  );
}
