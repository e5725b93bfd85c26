import { axisLabel } from '../../model/time/over-time.ts';

const marksMax = 5;

/** Evenly spaced time labels below a chart. */
export function AxisMarks({ edges }: { edges: readonly number[] }) {
  const last = edges.length - 1;
  const marks = Math.min(marksMax, edges.length);
  const lengthMs = (edges[last] ?? 0) - (edges[0] ?? 0);
  return (
    <div aria-hidden="true" className="flex justify-between pt-0.5 text-fg-3 text-key tabular-nums">
      {Array.from({ length: marks }, (_, i) => edges[Math.round((i / (marks - 1)) * last)] ?? 0).map((at, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mark is identified by its position
        <span key={i}>{axisLabel(at, lengthMs)}</span>
      ))}
    </div>
  );
}
