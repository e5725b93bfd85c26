import clsx from 'clsx';

/** How high the picture of a chart is, in its own units; it is stretched to its place. */
export const high = 100;

export const tones = {
  accent: 'text-accent',
  err: 'text-err',
  warm: 'text-warm',
  quiet: 'text-fg-3',
} as const;

export interface Series {
  name: string;
  tone: keyof typeof tones;
  /** One for each step; null where there is nothing to say, which leaves a gap. */
  values: readonly (number | null)[];
}

export function Columns({ series, top, steps }: { series: readonly Series[]; top: number; steps: number }) {
  if (top === 0) return null;
  const gap = steps > 80 ? 0.04 : 0.08;
  return Array.from({ length: steps }, (_, i) => {
    let below = 0;
    return series.map(({ name, tone, values }) => {
      const value = values[i] ?? 0;
      if (value === 0) return null;
      const size = Math.max(1.2, (value / top) * high);
      below += size;
      return (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place
          key={`${name} ${i}`}
          x={i + gap}
          width={1 - 2 * gap}
          y={high - below}
          height={size}
          className={clsx('pointer-events-none fill-current', tones[tone])}
        />
      );
    });
  });
}

/** A line through the middles of the steps; a step without a value ends it, and one alone is a short dash. */
export function Lines({ series, top }: { series: readonly Series[]; top: number }) {
  if (top === 0) return null;
  return series.map(({ name, tone, values }) => {
    const path = values
      .map((value, i) => {
        if (value === null) return '';
        const y = high - (value / top) * (high - 2) - 1;
        const isAlone = (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null;
        if (isAlone) return `M${i + 0.2} ${y}L${i + 0.8} ${y}`;
        return `${(values[i - 1] ?? null) === null ? 'M' : 'L'}${i + 0.5} ${y}`;
      })
      .join('');
    return (
      <path
        key={name}
        d={path}
        fill="none"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
        className={clsx('pointer-events-none stroke-current', tones[tone])}
      />
    );
  });
}
