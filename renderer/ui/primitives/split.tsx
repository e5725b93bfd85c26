import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { preference, usePreference } from './preferences.ts';
import { tokenPx } from './token-size.ts';

interface SplitProps {
  /** The list. Its width is dragged and remembered. */
  index: ReactNode;
  detail: ReactNode;
  /** On a narrow window the detail is a layer over the index, shown only when this is set. */
  isDetailWanted: boolean;
  /** Preference that stores its width. */
  width?: typeof preference.indexWidth;
}

const step = 24;

/** Index on the left, detail on the right. The index has a minimum width, the detail takes the rest. */
export function Split({ index, detail, isDetailWanted, width: widthPreference = preference.indexWidth }: SplitProps) {
  const [stored, setStored] = usePreference(widthPreference);
  const [dragged, setDragged] = useState<number | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const clampWidth = (width: number) => {
    const min = tokenPx('--spacing-index-min');
    const max = Math.max(min, (host.current?.clientWidth ?? width) - min);
    return Math.round(Math.min(max, Math.max(min, width)));
  };
  const widthAt = (event: PointerEvent) => clampWidth(event.clientX - (host.current?.getBoundingClientRect().left ?? 0));
  const width = dragged ?? stored;

  const onKeyDown = (event: KeyboardEvent) => {
    const delta = { ArrowLeft: -step, ArrowRight: step }[event.key];
    if (delta === undefined) return;
    event.preventDefault();
    setStored(clampWidth((host.current?.firstElementChild?.clientWidth ?? 0) + delta));
  };

  return (
    <div ref={host} className="relative flex min-h-0 flex-1">
      <section
        aria-label="Index"
        className="flex min-h-0 w-full min-w-0 shrink-0 flex-col border-line border-r split:w-(--index-width) split:min-w-index-min"
        style={
          {
            '--index-width': width === null ? (widthPreference === preference.indexWidth ? '44%' : '62%') : `${width}px`,
          } as React.CSSProperties
        }
      >
        {index}
      </section>
      {/* biome-ignore lint/a11y/useSemanticElements: an hr element cannot be dragged */}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label="Width of the index"
        aria-valuenow={width ?? 44}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onDoubleClick={() => setStored(null)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(widthAt(event));
        }}
        onPointerMove={(event) => dragged !== null && setDragged(widthAt(event))}
        onPointerUp={() => {
          setStored(dragged);
          setDragged(null);
        }}
        className="relative z-10 -mx-1 hidden w-2 shrink-0 cursor-col-resize hover:bg-select split:block"
      />
      <section
        aria-label="Detail"
        data-wanted={isDetailWanted}
        className="absolute inset-0 z-20 hidden min-h-0 min-w-0 flex-col bg-bg data-[wanted=true]:flex split:static split:z-auto split:flex split:flex-1"
      >
        {detail}
      </section>
    </div>
  );
}
