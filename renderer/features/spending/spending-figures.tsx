import type { SpendingSums } from '../../../shared/contract/viewer/spending.ts';
import { cost, count, percent, tokens } from '../../model/text/format.ts';
import { FigureList } from '../../ui/primitives/figure-list.tsx';
import { savings } from './words.ts';

/** The sums of the range. @param today cost since midnight */
export function SpendingFigures({ total, today }: { total: SpendingSums; today: number }) {
  const share = total.input_tokens > 0 ? percent(total.cache_read_tokens / total.input_tokens) : '—';
  const figures = [
    { name: 'Cost', value: cost(total.cost), note: `${cost(total.calls > 0 ? total.cost / total.calls : 0)} a call` },
    { name: 'Today', value: cost(today), note: 'since midnight' },
    {
      name: 'Calls',
      value: count(total.calls),
      note: total.unpriced_calls > 0 ? `${count(total.unpriced_calls)} without a price` : 'all with a price',
    },
    { name: 'Input', value: tokens(total.input_tokens), note: 'tokens' },
    { name: 'From cache', value: share, note: `${tokens(total.cache_read_tokens)} read, ${tokens(total.cache_write_tokens)} written` },
    { name: 'Saved by caches', value: savings(total.cache_savings), note: 'by list prices, writes deducted' },
    { name: 'Output', value: tokens(total.output_tokens), note: 'tokens' },
  ];
  return <FigureList label="Figures" figures={figures} />;
}
