import type { RefObject } from 'react';
import { count, plural } from '../../model/format.ts';
import { isHot } from '../../model/trace-facts.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/field.tsx';
import { KeyCap } from '../../ui/key-cap.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Text } from '../../ui/text.tsx';
import { useInSight, useVirtualRows } from '../../ui/virtual-rows.ts';
import { SpanRow } from './span-row.tsx';
import type { LoadedTrace } from './trace-query.ts';
import type { SpanList } from './use-span-list.ts';

interface SpanIndexProps {
  loaded: LoadedTrace;
  list: SpanList;
  searchField: RefObject<HTMLInputElement | null>;
  treeRef: RefObject<HTMLDivElement | null>;
  onOpen: () => void;
}

export function SpanIndex({ loaded, list, searchField, treeRef, onOpen }: SpanIndexProps) {
  return (
    <>
      <IndexBar loaded={loaded} list={list} searchField={searchField} />
      {list.isSearching && list.found.length === 0 ? (
        <div className="grid justify-items-center gap-2 p-6">
          <Text size="body" tone="dim">
            No name, message or preview in this trace holds these words.
          </Text>
          <Button onClick={() => list.setWords('')}>Clear the search</Button>
        </div>
      ) : (
        <Rows loaded={loaded} list={list} treeRef={treeRef} onOpen={onOpen} />
      )}
    </>
  );
}

function IndexBar({ loaded, list, searchField }: Omit<SpanIndexProps, 'onOpen' | 'treeRef'>) {
  const { tree } = loaded;
  return (
    <div className="flex h-header shrink-0 items-center gap-2 border-line border-b px-pad">
      <SearchField
        ref={searchField}
        label="Search in trace"
        hint="/"
        className="flex-1"
        value={list.words}
        onChange={(event) => list.setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') list.nextFound(event.shiftKey ? -1 : 1);
          if (event.key !== 'Escape') return;
          if (list.words !== '') list.setWords('');
          event.currentTarget.blur();
        }}
      />
      <span aria-live="polite" className="shrink-0 text-fg-3 text-label tabular-nums">
        {list.isSearching ? `${count(list.found.length)} of ${plural(tree.nodes.length, 'span')}` : ''}
      </span>
      {tree.errors.length > 0 && (
        <Pill tone="err" title="Go to the next error" onClick={() => list.nextError(1)}>
          {plural(tree.errors.length, 'error')} <KeyCap>e</KeyCap>
        </Pill>
      )}
    </div>
  );
}

function Rows({ loaded: { tree, facts }, list, treeRef, onOpen }: Omit<SpanIndexProps, 'searchField'>) {
  const virtual = useVirtualRows(list.rows.length, treeRef);
  const selectedId = list.selected?.span.id ?? null;
  useInSight(virtual, selectedId, list.at);
  return (
    <div
      ref={treeRef}
      role="tree"
      aria-label="Spans of the trace"
      aria-activedescendant={selectedId === null ? undefined : `span-${selectedId}`}
      tabIndex={0}
      className="@container min-h-0 flex-1 overflow-y-auto overflow-x-hidden focus-visible:outline-none"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const node = list.rows[index];
          if (!node) return null;
          const { id } = node.span;
          const isFolded = !list.isSearching && list.folded.has(id);
          return (
            <SpanRow
              key={id}
              node={node}
              isFolded={isFolded}
              isOn={id === selectedId}
              isHot={isHot(node.self, facts, tree)}
              hotShare={node.self / facts.wall}
              words={list.words}
              start={start}
              onFold={() => list.fold(node, !isFolded)}
              onSelect={() => {
                list.reveal(node);
                onOpen();
              }}
            />
          );
        })}
      </div>
    </div>
  );
}
