import clsx from 'clsx';
import { memo } from 'react';
import { Bar, type BarProps } from './bar.tsx';
import { SpanName } from './span-name.tsx';
import { rowProps, rowStyle, type SpanRowProps } from './span-row.tsx';

export const timelineColumns = 'grid-cols-[minmax(var(--spacing-names),36%)_minmax(0,1fr)] gap-x-2';

/** The name of a span beside its bar. */
export const TimelineRow = memo(function TimelineRow({ window, style, ...props }: SpanRowProps & Pick<BarProps, 'window' | 'style'>) {
  const { tree, at, texts } = props;
  return (
    <div {...rowProps(props)} className={clsx(rowStyle(props.isOn, props.isDim), timelineColumns)}>
      <SpanName {...props} bare />
      <Bar {...{ tree, at, texts, window, style }} />
    </div>
  );
});
