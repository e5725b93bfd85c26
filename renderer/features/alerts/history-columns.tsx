import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { AlertChange, Deliveries } from './alerts-query.ts';
import { type NamedChannel, notificationsInWords } from './notification-words.ts';
import { statusLabels, valueInWords } from './words.ts';

/** @param deliveries undefined while they are not known */
export const historyColumns = (
  deliveries: Deliveries | undefined,
  channels: readonly NamedChannel[] | undefined,
): Column<AlertChange>[] => [
  {
    id: 'state',
    head: 'Status',
    width: 'var(--width-word)',
    cell: ({ status }) => <Text tone={status === 'triggered' ? 'err' : 'ok'}>{statusLabels[status]}</Text>,
  },
  {
    id: 'value',
    head: 'Value',
    width: 'var(--width-total)',
    end: true,
    cell: ({ alert_metric, triggered_value }) => (
      <Quantity value={valueInWords(alert_metric, Number(triggered_value))} title={triggered_value} />
    ),
  },
  {
    id: 'notified',
    head: 'Notified',
    width: 'minmax(0, 1fr)',
    cell: (change) => (
      <Text as="div" cut tone="quiet" title={notificationsInWords(change, deliveries, channels)}>
        {notificationsInWords(change, deliveries, channels)}
      </Text>
    ),
  },
  {
    id: 'at',
    head: 'Time',
    width: 'var(--width-when)',
    end: true,
    cell: ({ created_at: at }) => <Quantity value={at && when(at)} title={at ? exactly(at) : undefined} />,
  },
];
