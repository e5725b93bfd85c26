// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned one by one; list elements with such a layout lose their role
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
  query: string;
  matchCount: number | null;
  match: number;
  selected: number | null;
}

export interface PanelActions {
  show(from: number, to: number): void;
  select(at: number | null): void;
  toggle(at: number): Promise<void>;
  openTo(depth: number): Promise<void>;
  search(query: string): Promise<void>;
  goTo(match: number): Promise<void>;
  value(at: number, from: number, to: number): Promise<{ path: string; text: string; size: number }>;
}

const levels = [
  { id: '1', label: '1' },
  { id: '2', label: '2' },
  { id: '3', label: '3' },
  { id: '99', label: 'all' },
] as const;

/** A value of any size: only the rows on screen are rendered, and everything else happens in a worker. */
export function JsonPanel({ label, document, actions }: { label: string; document: PanelDocument; actions: PanelActions }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows(document.count, scroller, '--spacing-code-row');
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, (items.at(-1)?.index ?? 0) + 1];
  const { selected, match } = document;
  useEffect(() => actions.show(first, last), [actions, first, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another match is scrolled into view; a clicked row is visible already
  useEffect(() => {
    if (selected !== null) virtual.scrollToIndex(selected, { align: 'auto' });
  }, [match]);

  const onKeyDown = (event: KeyboardEvent) => {
    const at = selected ?? 0;
    const row = document.rows.get(at);
    const steps: Record<string, () => void> = {
      ArrowDown: () => actions.select(Math.min(document.count - 1, at + 1)),
      ArrowUp: () => actions.select(Math.max(0, at - 1)),
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
        aria-activedescendant={selected === null ? undefined : `json-row-${selected}`}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden py-1"
      >
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start, size }) => (
            <div key={index} className={clsx('absolute inset-x-0 top-0')} style={{ transform: `translateY(${start}px)`, height: size }}>
              <JsonPanelRow
                row={document.rows.get(index)}
                at={index}
                isSelected={index === selected}
                query={document.query}
                onSelect={actions.select}
                onToggle={(at) => void actions.toggle(at)}
              />
            </div>
          ))}
        </div>
      </div>
      {selected !== null && <JsonPanelValue key={selected} at={selected} read={actions.value} onClose={() => actions.select(null)} />}
    </div>
  );
}

function Toolbar({ document, actions }: { document: PanelDocument; actions: PanelActions }) {
  const { form, size, query, matchCount, match } = document;
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
        defaultValue={query}
        onKeyDown={(event) => event.key === 'Enter' && step(event.shiftKey ? -1 : 1)}
        onChange={(event) => void actions.search(event.target.value.trim())}
      />
      {query !== '' && (
        <span className="flex items-center text-fg-2 text-label" aria-live="polite">
          <span className="num pr-1">
            {matchCount === null ? 'searching…' : matchCount === 0 ? 'no match' : `${count(match + 1)} of ${count(matchCount)}`}
          </span>
          <IconButton label="Previous match" disabled={!matchCount} onClick={() => step(-1)}>
            <Icon of={ChevronUp} size="small" />
          </IconButton>
          <IconButton label="Next match" disabled={!matchCount} onClick={() => step(1)}>
            <Icon of={ChevronDown} size="small" />
          </IconButton>
        </span>
      )}
      <Text size="label" tone="dim" className="num ml-auto">
        {facts}
      </Text>
      {form === 'json' && <Segmented label="Expanded levels" options={levels} value={level} onChange={open} />}
      {form === 'text' && query === '' && <Button onClick={() => actions.select(0)}>Copy…</Button>}
    </div>
  );
}
