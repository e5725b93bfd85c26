import { useId } from 'react';
import { exactly } from '../../model/time/time.ts';
import type { Series } from './time-series.tsx';

interface TimeTableProps {
  title: string;
  edges: readonly number[];
  series: readonly Series[];
  format: (value: number) => string;
}

/** The numbers of a chart as a table. */
export function TimeTable({ title, edges, series, format }: TimeTableProps) {
  const id = useId();
  return (
    <details className="text-label">
      <summary className="w-fit text-fg-3 hover:text-fg">As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section tabIndex={0} aria-labelledby={id} className="max-h-image overflow-auto">
        <table className="w-full">
          <caption id={id} className="sr-only">
            {title}
          </caption>
          <thead>
            <tr>
              <th scope="col" className="text-left font-normal text-fg-3">
                from
              </th>
              {series.map(({ name }) => (
                <th key={name} scope="col" className="text-right font-normal text-fg-3">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {edges.slice(0, -1).map((edge, i) =>
              series.every(({ values }) => (values[i] ?? 0) === 0) ? null : (
                <tr key={edge}>
                  <th scope="row" className="text-left font-normal tabular-nums">
                    {exactly(new Date(edge).toISOString())}
                  </th>
                  {series.map(({ name, values }) => (
                    <td key={name} className="num">
                      {values[i] === null || values[i] === undefined ? '—' : format(values[i])}
                    </td>
                  ))}
                </tr>
              ),
            )}
          </tbody>
        </table>
      </section>
    </details>
  );
}
