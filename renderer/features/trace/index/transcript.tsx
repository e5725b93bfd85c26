import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useEffect, useMemo, useRef } from 'react';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { layOutTranscript, type TranscriptLayout } from '../../../model/trace/transcript.ts';
import { useInSight } from '../../../ui/lists/virtual-rows.ts';
import { useVisibleTexts } from '../detail/span-texts.ts';
import type { SpanIndexProps } from './span-index.tsx';
import { type TimeWindow, useNarrowed } from './time-window.ts';
import { TranscriptPart } from './transcript-part.tsx';

/** Estimated heights in pixels, used until a part is measured. */
const estimatedHeights = { talk: 150, tool: 96, agent: 36, line: 26 };

function useParts(tree: SpanTree, rows: Int32Array, script: TranscriptLayout, scroller: RefObject<HTMLDivElement | null>) {
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => tree.idAt(rows[index] as number),
    estimateSize: (index) => estimatedHeights[script.part(rows[index] as number)],
    overscan: 4,
  });
}

/** Trace as a conversation: messages, tool calls and results. */
export function Transcript({ loaded, list, texts, window, treeRef, onOpen }: SpanIndexProps) {
  const { tree } = loaded;
  const { rows } = list;
  const script = useMemo(() => layOutTranscript(tree), [tree]);
  const virtual = useParts(tree, rows, script, treeRef);
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1];
  // Includes the row before, because a call is compared with the previous one.
  useVisibleTexts(texts, tree, rows, first - 1, last);
  const selectedId = tree.size > 0 ? tree.idAt(list.selected) : null;
  useInSight(virtual, selectedId, list.at);
  useKeptInView(virtual, selectedId, list.at);
  useVisibleRange(window, tree, rows[first], rows[last]);
  const isOutside = useOutside(window, tree);
  return (
    <div
      ref={treeRef}
      role="tree"
      aria-label="Spans of the trace, as a transcript"
      aria-activedescendant={selectedId === null ? undefined : `span-${selectedId}`}
      tabIndex={0}
      className="@container min-h-0 flex-1 overflow-y-auto overflow-x-hidden py-1 focus-visible:outline-none"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, key }) => {
          const at = rows[index] as number;
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)`, '--indent': Math.min(script.indent[at] as number, 6) } as CSSProperties}
            >
              <TranscriptPart
                tree={tree}
                at={at}
                script={script}
                texts={texts}
                words={list.words}
                isOn={at === list.selected}
                isDim={isOutside(at)}
                isFolded={list.isFolded(at)}
                onFold={() => list.fold(at, !list.isFolded(at))}
                onSelect={() => {
                  list.reveal(at);
                  onOpen();
                }}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Texts that load after a jump change the layout, so the target is kept in view for this time. */
const settleMs = 3000;

function useKeptInView(virtual: ReturnType<typeof useParts>, id: string | null, at: number): void {
  const chosen = useRef({ id, since: performance.now() });
  useEffect(() => {
    chosen.current = { id, since: performance.now() };
  }, [id]);
  const size = virtual.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the size changes
  useEffect(() => {
    if (at >= 0 && performance.now() - chosen.current.since < settleMs) virtual.scrollToIndex(at, { align: 'auto' });
  }, [size]);
}

/** Reports the time range of the visible rows to the overview strip. */
function useVisibleRange(window: TimeWindow, tree: SpanTree, first: number | undefined, last: number | undefined): void {
  useEffect(() => {
    if (first !== undefined && last !== undefined) window.setVisible({ from: tree.start[first] as number, to: tree.start[last] as number });
  }, [window, tree, first, last]);
}

/** Whether a span lies outside the selected time range. */
function useOutside(window: TimeWindow, tree: SpanTree): (at: number) => boolean {
  const narrowed = useNarrowed(window);
  return (at) => narrowed !== null && ((tree.end[at] as number) < narrowed.from || (tree.start[at] as number) > narrowed.to);
}
