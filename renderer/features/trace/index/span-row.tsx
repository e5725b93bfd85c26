import clsx from 'clsx';
import { type CSSProperties, memo } from 'react';
import { count, duration, percent } from '../../../model/text/format.ts';
import { milliseconds } from '../../../model/time/time.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { Quantity } from '../../../ui/primitives/quantity.tsx';
import type { SpanTexts } from '../detail/span-texts.ts';
import { SpanName } from './span-name.tsx';
import { SpanCost, SpanTokens } from './span-numbers.tsx';

export interface SpanRowProps {
  tree: SpanTree;
  at: number;
  texts: SpanTexts;
  isFolded: boolean;
  /** Number of repeated steps that the row represents, 0 for a single span. */
  times: number;
  /** Whether those are steps of a framework. */
  isInternal: boolean;
  isOn: boolean;
  /** Dimmed context: not a match, or outside the time range. */
  isDim: boolean;
  isHot: boolean;
  words: string;
  start: number;
  onFold: (at: number, isFolded: boolean) => void;
  onSelect: (at: number) => void;
  onHover: (at: number | null) => void;
}

export const rowStyle = (isOn: boolean, isDim: boolean) =>
  clsx(
    'absolute inset-x-0 top-0 grid h-row items-center pr-pad outline-none hover:bg-hover',
    isOn && 'bg-select shadow-[inset_var(--spacing-edge)_0_var(--color-accent)]',
    isDim && !isOn && 'opacity-60',
  );

/** Properties of a row: ARIA attributes, pointer handlers and position. */
export function rowProps({ tree, at, isFolded, times, isOn, start, onSelect, onHover }: SpanRowProps) {
  return {
    id: `span-${tree.idAt(at)}`,
    role: 'treeitem',
    'aria-level': (tree.depth[at] as number) + 1,
    'aria-selected': isOn,
    'aria-expanded': (tree.below[at] as number) > 0 || times > 0 ? !isFolded : undefined,
    tabIndex: -1,
    onClick: () => onSelect(at),
    onPointerEnter: () => onHover(at),
    onPointerLeave: () => onHover(null),
    style: { transform: `translateY(${start}px)` } as CSSProperties,
  };
}

export const SpanRow = memo(function SpanRow(props: SpanRowProps) {
  const { tree, at, isOn, isDim, isHot } = props;
  const self = tree.self[at] as number;
  const isPending = tree.isPending(at);
  return (
    <div
      {...rowProps(props)}
      className={clsx(
        rowStyle(isOn, isDim),
        'grid-cols-[minmax(0,1fr)_var(--width-duration)_var(--width-tokens)_var(--width-cost)] gap-x-2 @max-tight:grid-cols-[minmax(0,1fr)_var(--width-duration)_var(--width-cost)]',
      )}
    >
      <SpanName {...props} />
      {isPending ? (
        <span className="num text-ok text-row" title="In progress: started but not ended">
          Running
        </span>
      ) : props.times > 0 ? (
        <RepeatedDuration {...props} />
      ) : (
        <Quantity
          value={duration(milliseconds(tree.durationAt(at)))}
          hot={isHot}
          title={
            (tree.below[at] as number) > 0 || isHot
              ? `Self time ${duration(milliseconds(self))}, ${percent(self / Math.max(tree.horizon, 1e-6))} of the trace`
              : undefined
          }
        />
      )}
      <div className="@max-tight:hidden">
        <SpanTokens tree={tree} at={at} />
      </div>
      <SpanCost tree={tree} at={at} />
    </div>
  );
});

/** Total duration of the steps in one row, without that of what is below them. */
function RepeatedDuration({ tree, at, times, isInternal }: SpanRowProps) {
  let [sum, least, most] = [0, Number.POSITIVE_INFINITY, 0];
  for (let position = at; position < at + times; position += (tree.below[position] as number) + 1) {
    const spanMs = tree.durationAt(position);
    sum += spanMs;
    least = Math.min(least, spanMs);
    most = Math.max(most, spanMs);
  }
  const range = [least, most].map((ms) => duration(milliseconds(ms)));
  return (
    <Quantity value={duration(milliseconds(sum))} title={isInternal ? undefined : `${count(times)} times, ${range.join(' to ')} each`} />
  );
}
