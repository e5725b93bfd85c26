import { Link } from '@tanstack/react-router';
import { cost, count, percent, tokens } from '../../model/text/format.ts';
import { Text } from '../../ui/primitives/text.tsx';
import type { GroupTotal, Span } from './activity.ts';

const headings = { model: 'Model', prompt: 'Prompt' };
const unnamed = { model: 'No model', prompt: 'No prompt' };

interface GroupTableProps {
  by: 'model' | 'prompt';
  groups: readonly GroupTotal[];
  span: Span;
}

const head = 'px-pad font-normal text-fg-3 text-label';

/** Model calls of the range by group, each with a sparkline. */
export function GroupTable({ by, groups, span }: GroupTableProps) {
  const totalCost = groups.reduce((sum, group) => sum + group.cost, 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label={`By ${by}`} tabIndex={0} className="overflow-x-auto border-line border-t">
      <table className="w-full text-row">
        <thead>
          <tr className="h-row border-line border-b">
            <th scope="col" className={`${head} text-left`}>
              {headings[by]}
            </th>
            {['Calls', 'Failed', 'Tokens in', 'Tokens out', 'Cost', 'Share'].map((name) => (
              <th key={name} scope="col" className={`${head} text-right`}>
                {name}
              </th>
            ))}
            <th scope="col" className={`${head} w-form text-left`}>
              {totalCost > 0 ? 'Cost over time' : 'Calls over time'}
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.id} className="h-row hover:bg-hover">
              <th scope="row" className="max-w-form truncate px-pad text-left font-normal">
                <Name by={by} name={group.name} span={span} />
              </th>
              <td className="num px-pad text-fg-2">{count(group.calls)}</td>
              <td className="num px-pad">{group.errors > 0 ? <Text tone="err">{count(group.errors)}</Text> : ''}</td>
              <td className="num px-pad text-fg-2">{group.input_tokens > 0 ? tokens(group.input_tokens) : '—'}</td>
              <td className="num px-pad text-fg-2">{group.output_tokens > 0 ? tokens(group.output_tokens) : '—'}</td>
              <td className="num px-pad">{group.cost > 0 ? cost(group.cost) : <span title="Unknown price, or free">—</span>}</td>
              <td className="num px-pad text-fg-3">{totalCost > 0 ? percent(group.cost / totalCost) : ''}</td>
              <td className="px-pad">
                <Sparkline values={group.series} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Name({ by, name, span }: { by: 'model' | 'prompt'; name: string; span: Span }) {
  if (name === '') return <Text tone="dim">{unnamed[by]}</Text>;
  const search = {
    from: span.from,
    to: span.to,
    ...(by === 'model' ? { model: name } : { filter: `prompt_name = ${JSON.stringify(name)}` }),
  };
  return (
    <Link to="/traces" search={search} title={`Open the traces of ${name}`} className="hover:underline">
      {name}
    </Link>
  );
}

/** Bars without an axis, scaled to the highest one; the columns beside them have the numbers. */
function Sparkline({ values }: { values: readonly number[] }) {
  const top = Math.max(...values);
  const width = values.length;
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} 16`} preserveAspectRatio="none" className="block h-control w-full py-1">
      {values.map((value, i) => {
        const high = value === 0 || top === 0 ? 0 : Math.max(1, (value / top) * 16);
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position
        return <rect key={i} x={i + 0.1} width={0.8} y={16 - high} height={high} className="fill-accent" />;
      })}
    </svg>
  );
}
