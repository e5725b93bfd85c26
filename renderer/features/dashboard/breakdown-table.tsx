import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { useState } from 'react';
import type { ActivityBreakdown } from '../../../shared/contract/viewer/activity-shape.ts';
import { requiredValues, spellValue, toggleValue } from '../../model/filter/filter-text.ts';
import { cost, count, duration, percent, tokens } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import { Text } from '../../ui/primitives/text.tsx';
import type { Shown } from './activity-query.ts';
import { type BreakdownRow, type BreakdownSort, breakdownColumns, breakdowns, errorsOf, rowsOf, sortRows, tokensOf } from './breakdown.ts';
import { BreakdownHead } from './breakdown-head.tsx';
import { fewMax } from './comparison.ts';
import { tracesSearch } from './open-traces.ts';
import { Sparkline } from './sparkline.tsx';

interface BreakdownTableProps {
  data: Shown;
  onFilter: (filter: string | undefined) => void;
}

/** The figures broken down. A row narrows the dashboard to it; its link opens its traces. */
export function BreakdownTable({ data, onFilter }: BreakdownTableProps) {
  const { view } = data;
  const by = view.by ?? 'model';
  const [sort, setSort] = useState<BreakdownSort | null>(null);
  const { label, counted, field } = breakdowns[by];
  const { groups, more } = data.activity;
  const rows = sortRows(rowsOf(data.activity, data.before), sort);
  const isPriced = groups.some((group) => group.cost > 0);
  const selected = requiredValues(view.filter ?? '', field);
  const filter = view.filter ?? '';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label={`By ${by}`} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-row">
        <BreakdownHead
          columns={[{ id: 'name', head: label }, ...breakdownColumns(counted)]}
          last={isPriced ? 'Cost over time' : `${counted} over time`}
          sort={sort}
          onSort={setSort}
        />
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.name}
              row={row}
              none={breakdowns[by].none}
              isOn={selected.includes(row.name)}
              onNarrow={() => onFilter(toggleValue(filter, field, row.name) || undefined)}
              search={tracesSearch(view, data.period, `${field} = ${spellValue(row.name)}`)}
            />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="px-pad py-2 text-fg-3 text-row">{`No trace ${within[by]}.`}</p>}
      {more > 0 && <p className="px-pad py-1 text-fg-3 text-label">{`${count(more)} more are not shown. Narrow by the search line.`}</p>}
    </section>
  );
}

const within: Record<ActivityBreakdown, string> = {
  model: 'called a model',
  prompt: 'used a prompt',
  user: 'has a user',
  tool: 'called a tool',
  service: 'has a service',
  tag: 'has a tag',
};

interface RowProps {
  row: BreakdownRow;
  none: string;
  isOn: boolean;
  onNarrow: () => void;
  search: ReturnType<typeof tracesSearch>;
}

const time = (ms: number) => duration(milliseconds(ms));

function Row({ row, none, isOn, onNarrow, search }: RowProps) {
  const errors = errorsOf(row);
  const isDearer = row.count > fewMax && row.growth >= 0.25 && row.growth < Number.POSITIVE_INFINITY;
  const numbers: [id: string, text: string, tone: 'err' | 'warm' | 'quiet'][] = [
    ['count', count(row.count), 'quiet'],
    ['errors', count(errors), errors > 0 ? 'err' : 'quiet'],
    ['rate', percent(errors / row.count), 'quiet'],
    ['p50', time(row.p50_ms), 'quiet'],
    ['p95', row.count > fewMax ? time(row.p95_ms) : '—', 'quiet'],
    ['first', row.first_token_p50_ms === null ? '—' : time(row.first_token_p50_ms), 'quiet'],
    ['tokens', tokensOf(row) > 0 ? tokens(tokensOf(row)) : '—', 'quiet'],
    ['cost', row.cost > 0 ? cost(row.cost) : '—', 'quiet'],
    ['change', row.change || '—', isDearer ? 'warm' : 'quiet'],
  ];
  return (
    <tr className={clsx('h-row hover:bg-hover', isOn && 'bg-select')}>
      <th scope="row" className="max-w-form px-pad text-left font-normal">
        <span className="flex min-w-0 items-center gap-2">
          {row.name === '' ? (
            <Text tone="dim">{none}</Text>
          ) : (
            <>
              <button
                type="button"
                aria-pressed={isOn}
                title={isOn ? `Show all, not only ${row.name}` : `Show only ${row.name}`}
                onClick={onNarrow}
                className="min-w-0 truncate text-left hover:underline"
              >
                {row.name}
              </button>
              <Link
                to="/traces"
                search={search}
                title={`Open the traces of ${row.name}`}
                className="shrink-0 text-fg-3 text-label hover:text-accent"
              >
                Traces
              </Link>
            </>
          )}
        </span>
      </th>
      {numbers.map(([id, text, tone]) => (
        <td key={id} className="num px-pad">
          <Text tone={tone}>{text}</Text>
        </td>
      ))}
      <td className="w-step px-pad">
        <Sparkline values={row.series} />
      </td>
    </tr>
  );
}
