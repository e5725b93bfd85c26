// biome-ignore-all lint/a11y/useSemanticElements: a row of a tree that is placed one by one
import clsx from 'clsx';
import { memo } from 'react';
import { count, plural } from '../../model/text/format.ts';
import type { JsonRow } from '../../model/text/json-tree.ts';
import { Marked } from '../primitives/marked.tsx';

interface RowProps {
  /** Undefined while loading. */
  row: JsonRow | undefined;
  at: number;
  isChosen: boolean;
  words: string;
  onChoose: (at: number) => void;
  onToggle: (at: number) => void;
}

/** Deeper rows keep the indentation of this depth. */
const depthMax = 24;

const sizes = { object: (size: number) => `{${count(size)}}`, array: (size: number) => `[${count(size)}]`, range: () => '' };

export const JsonPanelRow = memo(function JsonPanelRow({ row, at, isChosen, words, onChoose, onToggle }: RowProps) {
  if (!row) return <div className="h-full" />;
  const isBranch = row.kind === 'object' || row.kind === 'array' || row.kind === 'range';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys
    <div
      id={`json-row-${at}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-selected={isChosen}
      aria-expanded={isBranch ? row.isOpen : undefined}
      onClick={() => {
        onChoose(at);
        if (isBranch) onToggle(at);
      }}
      className={clsx('flex h-full items-center gap-1.5 pr-2 font-mono text-row hover:bg-hover', isChosen && 'bg-select')}
      style={{ paddingLeft: `calc(var(--spacing-indent) * ${Math.min(row.depth, depthMax)} + var(--spacing) * 2)` }}
    >
      {row.kind !== 'line' && (
        <span aria-hidden="true" className="w-3 shrink-0 text-fg-3">
          {isBranch && row.size > 0 ? (row.isOpen ? '▾' : '▸') : ''}
        </span>
      )}
      {row.name !== '' && (
        <span className="max-w-1/2 shrink-0 truncate text-fg-2">
          <Marked text={row.name} words={words} />
        </span>
      )}
      <Value row={row} words={words} />
    </div>
  );
});

function Value({ row, words }: { row: JsonRow; words: string }) {
  const { kind, text, size } = row;
  if (kind === 'object' || kind === 'array' || kind === 'range') return <span className="text-fg-3">{sizes[kind](size)}</span>;
  if (kind === 'line')
    return (
      <span className="truncate whitespace-pre">
        <Marked text={text} words={words} />
      </span>
    );
  if (kind !== 'string') return <span className="text-accent">{text}</span>;
  const isCut = size > text.length || text.includes('\n');
  return (
    <>
      <span className="min-w-0 truncate text-fg">
        <Marked text={`"${text.replaceAll('\n', '↵')}${isCut ? '' : '"'}`} words={words} />
      </span>
      {size > 80 && <span className="shrink-0 text-fg-3">{plural(size, 'character')}</span>}
    </>
  );
}
