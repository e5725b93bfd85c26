import { type PointerEvent, type Ref, useMemo, useState } from 'react';
import type { ContextCall, ContextPart } from '../../../../shared/contract/tracing/context-windows.ts';
import { cost, count, tokens } from '../../../model/text/format.ts';
import { partName } from '../../../model/trace/context-parts.ts';
import {
  areaColumns,
  columnsMax,
  costColumns,
  type PlotColumn,
  scaleOf,
  tickText,
  tokenColumns,
} from '../../../model/trace/context-plot.ts';
import { promptTokens } from '../../../model/trace/context-verdicts.ts';
import { useSize } from '../../../ui/charts/canvas.tsx';
import { CallTable } from './call-table.tsx';
import { Drawing } from './drawing.tsx';
import { BreakLines, FigureRows, PrunedLabels } from './figure-rows.tsx';
import { PictureHead } from './picture-head.tsx';
import type { Chosen } from './use-chosen.ts';

/** Few calls do not fill the width. */
const columnPxMax = 72;
/** A shorter movement of the pointer is a click. */
const dragPx = 4;

export interface Layout {
  /** Of one call. */
  step: number;
  height: number;
  width: number;
  pxPerUnit: number;
  xOf: (call: number) => number;
  /** Height of a value above the bottom. */
  yOf: (value: number) => number;
}

/** One column per call, stacked in the order of the prompt, with the figures of the calls below. */
export function WindowPicture({ chosen, ref, onOpen }: { chosen: Chosen; ref: Ref<HTMLDivElement>; onOpen: () => void }) {
  const { window, range, by, bands, index } = chosen;
  const [measure, { width, height }] = useSize<HTMLDivElement>();
  const calls = range.to - range.from + 1;
  const columns = useMemo(
    () => (by === 'cost' ? costColumns(window, range) : tokenColumns(window, bands, range)),
    [window, bands, range, by],
  );
  const drawn = useMemo(() => (calls > columnsMax ? areaColumns(columns, width) : columns), [columns, calls, width]);
  const scale = useMemo(() => {
    const most = Math.max(0, ...window.calls.map((call) => (by === 'cost' ? (call.cost ?? 0) : promptTokens(call))));
    return scaleOf(most, by === 'cost' ? null : window.limit_tokens);
  }, [window, by]);
  const step = Math.min(columnPxMax, width / calls);
  const layout: Layout = {
    ...{ step, height, width, pxPerUnit: height / scale.top },
    xOf: (call) => (call - range.from) * step,
    yOf: (value) => (value * height) / scale.top,
  };
  const format = by === 'cost' ? cost : tokens;
  const pointer = usePicking(chosen, columns, layout);
  return (
    <section aria-label="What fills the window" className="flex min-h-80 shrink-0 flex-col @beside:flex-1">
      <PictureHead {...{ chosen, scale, onOpen }} />
      <div ref={ref} tabIndex={-1} className="flex min-h-0 flex-1 flex-col px-pad pt-5 outline-none">
        <div className="relative flex min-h-0 flex-1 flex-col">
          <div className="flex min-h-0 flex-1">
            <div aria-hidden="true" className="relative w-14 shrink-0 text-fg-3 text-label tabular-nums">
              {scale.ticks.map((tick) => (
                <span key={tick} className="absolute right-2 translate-y-1/2" style={{ bottom: layout.yOf(tick) }}>
                  {tickText(format(tick))}
                </span>
              ))}
            </div>
            <div ref={measure} className="relative min-w-0 flex-1 border-line-2 border-b">
              <div className="absolute inset-0 touch-none select-none" title={pointer.title} {...pointer.handlers}>
                {width > 0 && <Drawing {...{ chosen, columns: drawn, scale, layout, isArea: calls > columnsMax }} />}
                {pointer.brushed && (
                  <div
                    className="pointer-events-none absolute inset-y-0 border-accent border-x bg-select"
                    style={{ left: pointer.brushed.from, width: pointer.brushed.to - pointer.brushed.from }}
                  />
                )}
              </div>
              {by === 'tokens' && <PrunedLabels chosen={chosen} layout={layout} />}
            </div>
          </div>
          <FigureRows chosen={chosen} layout={layout} />
          <BreakLines chosen={chosen} layout={layout} />
        </div>
      </div>
      <CallTable window={window} chosen={index} />
    </section>
  );
}

/** A click selects a call and the part at this height; where calls are many, dragging picks a range of them. */
function usePicking(chosen: Chosen, columns: readonly PlotColumn[], { step, height, yOf }: Layout) {
  const { window, range, by } = chosen;
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const [title, setTitle] = useState<string>();
  const xOf = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const columnAt = (x: number) => columns[Math.floor(x / Math.max(step, 1e-6))];
  const partAt = (column: PlotColumn, event: PointerEvent<HTMLElement>): number | null => {
    const y = height - (event.clientY - event.currentTarget.getBoundingClientRect().top);
    return column.pieces.find(({ low, high }) => y >= yOf(low) && y < yOf(high))?.part ?? null;
  };
  const canBrush = window.calls.length > columnsMax;
  const isBrushing = drag !== null && canBrush && Math.abs(drag.to - drag.from) >= dragPx;
  const callAt = (x: number) => range.from + Math.min(columns.length - 1, Math.max(0, Math.floor(x / step)));
  const finish = (event: PointerEvent<HTMLElement>) => {
    setDrag(null);
    if (!drag) return;
    if (isBrushing) {
      const [from, to] = [callAt(Math.min(drag.from, drag.to)), callAt(Math.max(drag.from, drag.to))];
      return chosen.setRange({ from: Math.min(from, to - 1), to });
    }
    const column = columnAt(xOf(event));
    if (column) chosen.selectPart(partAt(column, event), column.call);
  };
  const brushed = isBrushing ? { from: Math.min(drag.from, drag.to), to: Math.max(drag.from, drag.to) } : null;
  return {
    brushed,
    title,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: xOf(event), to: xOf(event) });
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const column = columnAt(xOf(event));
        setTitle(column && titleOf(window.calls[column.call] as ContextCall, column.call, partOf(chosen, partAt(column, event)), by));
        if (drag) setDrag({ ...drag, to: xOf(event) });
      },
      onPointerUp: finish,
      onPointerCancel: () => setDrag(null),
    },
  };
}

const partOf = ({ window }: Chosen, part: number | null): ContextPart | undefined => (part === null ? undefined : window.parts[part]);

/** `Call 9: 97.2 k tokens, $0.341` and the part below the pointer. */
function titleOf(call: ContextCall, index: number, part: ContextPart | undefined, by: 'tokens' | 'cost'): string {
  const price = call.cost === null ? '' : `, ${cost(call.cost)}`;
  const line = `Call ${count(index + 1)}: ${tokens(promptTokens(call))} tokens${price}`;
  if (by === 'cost' || !part) return line;
  const { name, note } = partName(part);
  return `${line}\n${note ? `${name}, ${note}` : name}`;
}
