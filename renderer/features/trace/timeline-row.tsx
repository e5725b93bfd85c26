import clsx from 'clsx';
import { memo } from 'react';
import { SpanName } from './span-name.tsx';
import { rowLook, rowTree, type SpanRowProps } from './span-row.tsx';

export const timelineColumns = 'grid-cols-[minmax(var(--spacing-names),36%)_minmax(0,1fr)] gap-x-2';

/** The name of a span beside its bar, which is painted over all rows at once (bars.tsx). */
export const TimelineRow = memo(function TimelineRow(props: SpanRowProps) {
  return (
    <div {...rowTree(props)} className={clsx(rowLook(props.isOn, props.isDim), timelineColumns)}>
      <SpanName {...props} bare />
    </div>
  );
});
