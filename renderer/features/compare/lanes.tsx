import clsx from 'clsx';
import type { Comparison } from '../../../shared/contract/tracing/comparison.ts';
import { duration } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import { kindBackground } from '../../ui/primitives/kind-icon.tsx';

/** More bars than this could not be told apart. */
const barsMax = 600;

interface LanesProps {
  comparison: Comparison;
  /** Index of the open pair. */
  chosen: number | null;
  onSelect: (index: number) => void;
}

/** Both runs on one scale of time. The list says the same in words, so that this is for pointers only. */
export function Lanes({ comparison, chosen, onSelect }: LanesProps) {
  const { a, b, pairs } = comparison;
  const wholeMs = Math.max(a.duration_ms, b.duration_ms, 1);
  const steps = pairs.map((pair, index) => ({ pair, index })).filter(({ pair }) => (pair.a ?? pair.b)?.phase === 'whole');
  if (steps.length === 0) return null;
  return (
    <div
      aria-hidden="true"
      className="grid shrink-0 grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1 border-line border-b px-pad py-2 text-fg-3 text-label"
    >
      {(['a', 'b'] as const).map((side) => (
        <div key={side} className="contents">
          <span>{side.toUpperCase()}</span>
          <div className="relative h-bar">
            {steps.slice(0, barsMax).map(({ pair, index }) => {
              const step = pair[side];
              if (!step) return null;
              return (
                <button
                  key={index}
                  type="button"
                  tabIndex={-1}
                  title={`${index + 1} ${step.name}, ${duration(milliseconds(step.duration_ms))}`}
                  onClick={() => onSelect(index)}
                  className={clsx(
                    'absolute inset-y-0 min-w-edge',
                    step.is_failed ? 'bg-err' : kindBackground(step.kind),
                    pair.differences.length === 0 && 'opacity-50',
                    index === comparison.divergence && 'outline-2 outline-warm outline-offset-1',
                    index === chosen && index !== comparison.divergence && 'outline-1 outline-fg outline-offset-1',
                  )}
                  style={{ left: `${(100 * step.start_ms) / wholeMs}%`, width: `${(100 * step.duration_ms) / wholeMs}%` }}
                />
              );
            })}
          </div>
        </div>
      ))}
      <span />
      <div className="flex justify-between tabular-nums">
        <span>{duration(milliseconds(0))}</span>
        <span>{duration(milliseconds(wholeMs))}</span>
      </div>
    </div>
  );
}
