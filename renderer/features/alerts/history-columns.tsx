import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { AlertChange, Delivery } from './alerts-query.ts';
import { valueInWords } from './words.ts';

const heard = (deliveries: readonly Delivery[] | undefined): string =>
  (deliveries ?? [])
    .map(({ destination, state, answer, attempts }) => {
      const tries = attempts > 1 ? ` after ${attempts} attempts` : '';
      return `${destination === 'slack' ? 'Slack' : 'webhook'} ${state}${answer ? ` (${answer})` : ''}${tries}`;
    })
    .join(', ');

/** @param deliveries notification results by status change */
export const historyColumns = (deliveries: ReadonlyMap<string, Delivery[]> | undefined): Column<AlertChange>[] => [
  {
    id: 'state',
    head: 'state',
    width: 'var(--width-word)',
    cell: ({ status }) => <Text tone={status === 'triggered' ? 'err' : 'ok'}>{status}</Text>,
  },
  {
    id: 'value',
    head: 'value',
    width: 'var(--width-total)',
    end: true,
    cell: ({ alert_metric, triggered_value }) => (
      <Quantity value={valueInWords(alert_metric, Number(triggered_value))} title={triggered_value} />
    ),
  },
  {
    id: 'told',
    head: 'notified',
    width: 'minmax(0, 1fr)',
    cell: ({ id }) => (
      <Text as="div" cut tone="quiet" title={heard(deliveries?.get(id))}>
        {heard(deliveries?.get(id)) || 'nobody'}
      </Text>
    ),
  },
  {
    id: 'at',
    head: 'time',
    width: 'var(--width-when)',
    end: true,
    cell: ({ created_at: at }) => <Quantity value={at && when(at)} title={at ? exactly(at) : undefined} />,
  },
];
