import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { AlertChange, Delivery } from './alerts-query.ts';
import { statusLabels, valueInWords } from './words.ts';

const destinations: Record<Delivery['destination'], string> = {
  ...{ webhook: 'Webhook', slack: 'Slack', teams: 'Teams', pagerduty: 'PagerDuty', email: 'E-mail', owner: 'Owner' },
};

const notificationsInWords = (deliveries: readonly Delivery[] | undefined): string =>
  (deliveries ?? [])
    .map(({ destination, state, answer, attempts }) => {
      const retries = attempts > 1 ? ` after ${attempts} attempts` : '';
      return `${destinations[destination]} ${state}${answer ? ` (${answer})` : ''}${retries}`;
    })
    .join(', ');

/** @param deliveries notification results by status change */
export const historyColumns = (deliveries: ReadonlyMap<string, Delivery[]> | undefined): Column<AlertChange>[] => [
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
    cell: ({ id }) => (
      <Text as="div" cut tone="quiet" title={notificationsInWords(deliveries?.get(id))}>
        {notificationsInWords(deliveries?.get(id)) || 'Nobody'}
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
