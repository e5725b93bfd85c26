import clsx from 'clsx';
import type { AgentWindows } from '../../../shared/contract/viewer/spending.ts';
import { cost, percent, tokens } from '../../model/text/format.ts';
import { exactly, when } from '../../model/time/time.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { hourMinute } from './words.ts';

const heads = ['Agent', 'Five hours', 'Until', 'Of the highest', 'Seven days', 'Tokens'];
const wideOnly = 'max-sidebar:hidden';

/** The five-hour window and the week of each agent, as plans count them. */
export const PlanWindows = ({ windows }: { windows: readonly AgentWindows[] }) => (
  <section aria-label="Plan windows" className="min-w-0">
    <h2 className="flex h-row items-center text-fg-2 text-label">Plan windows, until now</h2>
    {windows.length === 0 ? (
      <Text as="p" tone="dim">
        No agent was used in the last seven days.
      </Text>
    ) : (
      <table className="w-full text-row">
        <thead>
          <tr className="h-row text-fg-3 text-label">
            {heads.map((head, at) => (
              <th
                key={head}
                scope="col"
                className={clsx('whitespace-nowrap font-normal', at === 0 ? 'text-left' : 'pl-3 text-right', head === 'Tokens' && wideOnly)}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {windows.map(({ agent, five_hours, highest, week }) => (
            <tr key={agent} className="h-row border-line border-t">
              <th scope="row" className="max-w-(--width-name) truncate text-left font-normal" title={agent}>
                {agent || 'no service'}
              </th>
              <td className="num pl-3">{five_hours ? cost(five_hours.cost) : <Text tone="dim">none now</Text>}</td>
              <td className="num pl-3 text-fg-2" title={five_hours ? exactly(five_hours.to) : undefined}>
                {five_hours ? hourMinute(five_hours.to) : '—'}
              </td>
              <td
                className="num pl-3 text-fg-2"
                title={`The most expensive five hours of the last 14 days cost ${cost(highest.cost)}, from ${when(highest.from)}`}
              >
                {five_hours && highest.cost > 0
                  ? `${percent(five_hours.cost / highest.cost)} of ${cost(highest.cost)}`
                  : cost(highest.cost)}
              </td>
              <td className="num pl-3">{cost(week.cost)}</td>
              <td className={clsx('num pl-3 text-fg-2', wideOnly)} title="Input and output of the last seven days">
                {tokens(week.input_tokens + week.output_tokens)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
);
