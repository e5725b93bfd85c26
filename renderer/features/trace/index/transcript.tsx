import { type CSSProperties, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { indexOfRow } from '../../../model/trace/span-rows.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { layOutTranscript, type TranscriptLayout } from '../../../model/trace/transcript.ts';
import { type RowSource, useMeasuredRows } from '../../../ui/lists/measured-rows.ts';
import { useInSight } from '../../../ui/lists/virtual-rows.ts';
import { useVisibleTexts } from '../detail/span-texts.ts';
import type { SpanIndexProps } from './span-index.tsx';
import { type TimeWindow, useNarrowed } from './time-window.ts';
import { TranscriptPart } from './transcript-part.tsx';
import type { SpanList } from './use-span-list.ts';

/** Estimated heights in pixels, used until a part is measured. */
const estimatedHeights = { talk: 150, tool: 96, agent: 36, line: 26 };

const partsOf = (tree: SpanTree, rows: Int32Array, script: TranscriptLayout): RowSource => ({
  count: rows.length,
  idAt: (index) => tree.idAt(rows[index] as number),
  indexOf: (id) => indexOfRow(rows, tree.placeOf(id) ?? -1),
  estimate: (index) => estimatedHeights[script.part(rows[index] as number)],
});

/** Trace as a conversation: messages, tool calls and results. */
export function Transcript({ loaded, list, texts, window, treeRef, onOpen }: SpanIndexProps) {
  const { tree } = loaded;
  const { rows } = list;
  const script = useMemo(() => layOutTranscript(tree), [tree]);
  const virtual = useMeasuredRows(
    useMemo(() => partsOf(tree, rows, script), [tree, rows, script]),
    treeRef,
  );
  const { items } = virtual;
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1];
  // Includes the row before, because a call is compared with the previous one.
  useVisibleTexts(texts, tree, rows, first - 1, last);
  const selectedId = tree.size > 0 ? tree.idAt(list.selected) : null;
  useInSight(virtual, selectedId, list.at);
  useVisibleRange(window, tree, rows[first], rows[last]);
  const isOutside = useOutside(window, tree);
  const on = usePartActions(list, onOpen);
  return (
    <div
      ref={treeRef}
      role="tree"
      aria-label="Spans of the trace, as a transcript"
      aria-activedescendant={selectedId === null ? undefined : `span-${selectedId}`}
      tabIndex={0}
      className="@container min-h-0 flex-1 overflow-y-auto overflow-x-hidden py-1 focus-visible:outline-none"
    >
      <div className="relative" style={{ height: virtual.total }}>
        {items.map(({ index, start }) => {
          const at = rows[index] as number;
          return (
            <div
              key={tree.idAt(at)}
              ref={virtual.measure}
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
                internalSpans={list.isInternal(at) ? list.timesOf(at) : 0}
                {...on}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Returns the same functions on every render, so that unchanged parts are not rendered again. */
function usePartActions(list: SpanList, onOpen: () => void) {
  const latest = useRef({ list, onOpen });
  useLayoutEffect(() => {
    latest.current = { list, onOpen };
  });
  return useMemo(
    () => ({
      onFold: (at: number, isFolded: boolean) => latest.current.list.fold(at, isFolded),
      onSelect: (at: number) => {
        latest.current.list.reveal(at);
        latest.current.onOpen();
      },
    }),
    [],
  );
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
