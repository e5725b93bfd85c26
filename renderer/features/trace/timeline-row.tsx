import clsx from 'clsx';
import { memo } from 'react';
import type { CriticalPath } from '../../model/critical-path.ts';
import type { Colours } from '../../ui/token-colours.ts';
import { SpanBar } from './span-bar.tsx';
import { SpanName } from './span-name.tsx';
import { rowLook, rowTree, type SpanRowProps } from './span-row.tsx';
import { useSpanText } from './span-texts.ts';
import type { TimeWindow } from './time-window.ts';

export interface Timeline {
  window: TimeWindow;
  critical: CriticalPath;
  colours: Colours;
  /** Of the bars. */
  width: number;
  height: number;
}

export const timelineColumns = 'grid-cols-[minmax(var(--spacing-names),36%)_minmax(0,1fr)] gap-x-2';

export const TimelineRow = memo(function TimelineRow(props: SpanRowProps & { timeline: Timeline }) {
  const { tree, at, texts, isOn, isDim, timeline } = props;
  const text = useSpanText(texts, tree.idAt(at));
  return (
    <div {...rowTree(props)} className={clsx(rowLook(isOn, isDim), timelineColumns)}>
      <SpanName {...props} bare />
      <SpanBar tree={tree} at={at} text={text} {...timeline} />
    </div>
  );
});
