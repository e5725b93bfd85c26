import { count } from '../../model/text/format.ts';
import { Text } from '../primitives/text.tsx';

export interface Bar {
  label: string;
  value: number;
}

interface BarChartProps {
  label: string;
  bars: readonly Bar[];
  /** Counted items: `scores`. */
  noun: string;
}

const height = 120;

/** Bars for ranges of a number, with a table of the same figures for screen readers. */
export function Histogram({ label, bars, noun }: BarChartProps) {
  const maxValue = Math.max(1, ...bars.map(({ value }) => value));
  const width = 100 / Math.max(1, bars.length);
  return (
    <figure className="grid min-w-0 gap-1">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        className="h-chart w-full overflow-visible"
      >
        {bars.map(({ label: name, value }, i) => {
          const barHeight = value === 0 ? 0 : Math.max(1.5, (value / maxValue) * height);
          return (
            <g key={name}>
              <title>{`${name}: ${count(value)} ${noun}`}</title>
              <rect x={i * width} y={0} width={width} height={height} className="fill-transparent hover:fill-hover" />
              <rect
                x={i * width + width * 0.08}
                y={height - barHeight}
                width={width * 0.84}
                height={barHeight}
                className="pointer-events-none fill-accent"
              />
            </g>
          );
        })}
        <line x1={0} x2={100} y1={height} y2={height} className="stroke-line-2" vectorEffect="non-scaling-stroke" />
      </svg>
      <AsTable label={label} bars={bars} noun={noun} />
    </figure>
  );
}

/** Horizontal bars with their names and numbers, for categories. */
export function CategoryBars({ label, bars, noun }: BarChartProps) {
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  return (
    <table aria-label={label} className="w-full text-row">
      <tbody>
        {bars.map(({ label: name, value }) => (
          <tr key={name} className="h-row">
            <th scope="row" className="w-(--width-word) max-w-(--width-name) truncate pr-3 text-left font-normal" title={name}>
              {name}
            </th>
            <td>
              <svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none" className="h-bar w-full">
                <rect width={100} height={10} className="fill-raised" />
                <rect width={(value / Math.max(1, total)) * 100} height={10} className="fill-accent" />
              </svg>
            </td>
            <td className="num w-total pl-3">{`${count(value)} ${value === 1 ? noun.replace(/s$/, '') : noun}`}</td>
            <td className="num w-total pl-3 text-fg-3">{`${Math.round((value / Math.max(1, total)) * 100)} %`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const AsTable = ({ label, bars, noun }: BarChartProps) => (
  <figcaption className="sr-only">
    <table>
      <caption>{label}</caption>
      <tbody>
        {bars.map(({ label: name, value }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{`${value} ${noun}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </figcaption>
);

/** Title of a chart with its value, and content on its right. */
export const ChartTitle = ({ title, value, children }: { title: string; value?: string | undefined; children?: React.ReactNode }) => (
  <header className="flex h-row items-center justify-between gap-3">
    <span className="flex shrink-0 items-baseline gap-2">
      <Text as="h2" size="label" tone="quiet">
        {title}
      </Text>
      {value !== undefined && (
        <Text strong className="tabular-nums">
          {value}
        </Text>
      )}
    </span>
    {children}
  </header>
);
