import clsx from 'clsx';

/** Height of a chart in SVG units; the SVG is stretched to its element. */
export const chartHeight = 100;

export const tones = {
  accent: 'text-accent',
  err: 'text-err',
  warm: 'text-warm',
  quiet: 'text-fg-3',
} as const;

export interface Series {
  name: string;
  tone: keyof typeof tones;
  /** One for each step; null for no data, which leaves a gap. */
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
      const size = Math.max(1.2, (value / top) * chartHeight);
      below += size;
      return (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position
          key={`${name} ${i}`}
          x={i + gap}
          width={1 - 2 * gap}
          y={chartHeight - below}
          height={size}
          className={clsx('pointer-events-none fill-current', tones[tone])}
        />
      );
    });
  });
}

/** A line through the middle of each step. A step without a value interrupts it; a single value is a short dash. */
export function Lines({ series, top }: { series: readonly Series[]; top: number }) {
  if (top === 0) return null;
  return series.map(({ name, tone, values }) => {
    const path = values
      .map((value, i) => {
        if (value === null) return '';
        const y = chartHeight - (value / top) * (chartHeight - 2) - 1;
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
