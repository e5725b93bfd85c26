import type { SpendingSums } from '../../../shared/contract/viewer/spending.ts';
import { cost, count, percent, tokens } from '../../model/text/format.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { savings } from './words.ts';

/** The sums of the range. @param today cost since midnight */
export function SpendingFigures({ total, today }: { total: SpendingSums; today: number }) {
  const share = total.input_tokens > 0 ? percent(total.cache_read_tokens / total.input_tokens) : '—';
  const figures: [name: string, value: string, note: string][] = [
    ['Cost', cost(total.cost), `${cost(total.calls > 0 ? total.cost / total.calls : 0)} a call`],
    ['Today', cost(today), 'since midnight'],
    ['Calls', count(total.calls), total.unpriced_calls > 0 ? `${count(total.unpriced_calls)} without a price` : 'all with a price'],
    ['Input', tokens(total.input_tokens), 'tokens'],
    ['From cache', share, `${tokens(total.cache_read_tokens)} read, ${tokens(total.cache_write_tokens)} written`],
    ['Saved by caches', savings(total.cache_savings), 'by list prices, writes deducted'],
    ['Output', tokens(total.output_tokens), 'tokens'],
  ];
  return (
    <dl aria-label="Figures" className="grid grid-cols-4 border-line border-y split:grid-cols-7">
      {figures.map(([name, value, note]) => (
        <div key={name} className="grid min-w-0 gap-0.5 border-line border-r px-pad py-2 last:border-r-0">
          <dt className="truncate text-fg-3 text-label">{name}</dt>
          <dd className="grid min-w-0">
            <Text size="title" strong className="tabular-nums">
              {value}
            </Text>
            <Text size="label" tone="quiet" cut title={note} className="tabular-nums">
              {note}
            </Text>
          </dd>
        </div>
      ))}
    </dl>
  );
}
