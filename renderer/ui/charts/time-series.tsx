import clsx from 'clsx';

/** Height of a chart in SVG units; the SVG is stretched to its element. */
export const chartHeight = 100;

export const tones = {
  accent: 'text-accent',
  err: 'text-err',
  warm: 'text-warm',
  quiet: 'text-fg-3',
  errHalf: 'text-err/50',
  cached: 'text-ok/60',
  llm: 'text-llm',
  llmHalf: 'text-llm/60',
  llmFaint: 'text-llm/35',
} as const;

export interface Series {
  name: string;
  tone: keyof typeof tones;
  /** For what was before. */
  isDashed?: boolean;
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

/** A line through the middle of each step. A step without a value interrupts it; a single value is a dot. */
export function Lines({ series, top }: { series: readonly Series[]; top: number }) {
  if (top === 0) return null;
  return series.map(({ name, tone, values, isDashed }) => {
    const path = values
      .map((value, i) => {
        if (value === null) return '';
        const y = heightOf(value, top);
        return `${(values[i - 1] ?? null) === null ? 'M' : 'L'}${i + 0.5} ${y}`;
      })
      .join('');
    // A line of no length with round ends is a dot, whatever the chart is stretched to.
    const dots = values
      .map((value, i) =>
        value !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null
          ? `M${i + 0.5} ${heightOf(value, top)}h0`
          : '',
      )
      .join('');
    const drawn = {
      fill: 'none',
      vectorEffect: 'non-scaling-stroke',
      className: clsx('pointer-events-none stroke-current', tones[tone]),
    } as const;
    return (
      <g key={name}>
        <path d={path} strokeWidth={1.5} strokeDasharray={isDashed ? '3 3' : undefined} {...drawn} />
        {!isDashed && <path d={dots} strokeWidth={5} strokeLinecap="round" {...drawn} />}
      </g>
    );
  });
}

const heightOf = (value: number, top: number): number => chartHeight - (value / top) * (chartHeight - 2) - 1;
