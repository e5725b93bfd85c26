// biome-ignore-all lint/a11y/useSemanticElements: the rows of the tree are positioned one by one
import clsx from 'clsx';
import { memo } from 'react';
import { count, plural } from '../../model/text/format.ts';
import type { JsonRow } from '../../model/text/json-tree.ts';
import { Highlight } from '../primitives/highlight.tsx';

interface RowProps {
  /** Undefined while loading. */
  row: JsonRow | undefined;
  at: number;
  isSelected: boolean;
  query: string;
  onSelect: (at: number) => void;
  onToggle: (at: number) => void;
}

/** Deeper rows keep the indentation of this depth. */
const depthMax = 24;

const sizes = { object: (size: number) => `{${count(size)}}`, array: (size: number) => `[${count(size)}]`, range: () => '' };

export const JsonPanelRow = memo(function JsonPanelRow({ row, at, isSelected, query, onSelect, onToggle }: RowProps) {
  if (!row) return <div className="h-full" />;
  const isBranch = row.kind === 'object' || row.kind === 'array' || row.kind === 'range';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it handles the keys
    <div
      id={`json-row-${at}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-selected={isSelected}
      aria-expanded={isBranch ? row.isOpen : undefined}
      onClick={() => {
        onSelect(at);
        if (isBranch) onToggle(at);
      }}
      className={clsx('flex h-full items-center gap-1.5 pr-2 font-mono text-row hover:bg-hover', isSelected && 'bg-select')}
      style={{ paddingLeft: `calc(var(--spacing-indent) * ${Math.min(row.depth, depthMax)} + var(--spacing) * 2)` }}
    >
      {row.kind !== 'line' && (
        <span aria-hidden="true" className="w-3 shrink-0 text-fg-3">
          {isBranch && row.size > 0 ? (row.isOpen ? '▾' : '▸') : ''}
        </span>
      )}
      {row.name !== '' && (
        <span className="max-w-1/2 shrink-0 truncate text-fg-2">
          <Highlight text={row.name} query={query} />
        </span>
      )}
      <Value row={row} query={query} />
    </div>
  );
});

function Value({ row, query }: { row: JsonRow; query: string }) {
  const { kind, text, size } = row;
  if (kind === 'object' || kind === 'array' || kind === 'range') return <span className="text-fg-3">{sizes[kind](size)}</span>;
  if (kind === 'line')
    return (
      <span className="truncate whitespace-pre">
        <Highlight text={text} query={query} />
      </span>
    );
  if (kind !== 'string') return <span className="text-accent">{text}</span>;
  const isCut = size > text.length || text.includes('\n');
  return (
    <>
      <span className="min-w-0 truncate text-fg">
        <Highlight text={`"${text.replaceAll('\n', '↵')}${isCut ? '' : '"'}`} query={query} />
      </span>
      {size > 80 && <span className="shrink-0 text-fg-3">{plural(size, 'character')}</span>}
    </>
  );
}
