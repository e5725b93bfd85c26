import { Link } from '@tanstack/react-router';
import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Dot, Pill } from '../../ui/primitives/pill.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { Alert } from './alerts-query.ts';
import { attentionInWords, ownerInWords, recipientsInWords, ruleInWords, statusLabels } from './words.ts';

const line = (text: string, tone: 'quiet' | 'dim') => (
  <Text as="div" cut tone={tone} title={text}>
    {text}
  </Text>
);

/**
 * @param names of the members; null while they are not known
 * @param sendsMail whether the gateway sends e-mail
 */
export const alertColumns = (names: ReadonlyMap<string, string> | null, sendsMail: boolean): Column<Alert>[] => [
  {
    id: 'state',
    head: 'Status',
    width: 'var(--width-word)',
    cell: ({ status }) => (
      <Pill tone={status === 'triggered' ? 'err' : 'plain'}>
        {status === 'triggered' && <Dot />}
        {statusLabels[status]}
      </Pill>
    ),
  },
  {
    id: 'name',
    head: 'Alert',
    width: 'minmax(0, 2fr)',
    cell: ({ id, name }) => (
      <Link
        to="/alerts/$alertId"
        params={{ alertId: id }}
        title={name}
        className="block truncate text-fg text-row after:absolute after:inset-0"
      >
        {name}
      </Link>
    ),
  },
  {
    id: 'rule',
    head: 'Condition',
    width: 'minmax(0, 2fr)',
    cell: (alert) => line(ruleInWords(alert), 'quiet'),
  },
  {
    id: 'attention',
    head: 'Attention',
    width: 'minmax(0, 1fr)',
    cell: (alert) => line(attentionInWords(alert), 'dim'),
  },
  {
    id: 'owner',
    head: 'Owner',
    width: 'var(--width-when)',
    wideOnly: true,
    cell: (alert) => line(alert.owner_id === null ? '' : ownerInWords(alert, names), 'dim'),
  },
  {
    id: 'notifies',
    head: 'Notifies',
    width: 'var(--width-when)',
    wideOnly: true,
    cell: (alert) => line(recipientsInWords(alert, sendsMail), 'dim'),
  },
  {
    id: 'created',
    head: 'Created',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at: at }) => <Quantity value={at && when(at)} title={at ? exactly(at) : undefined} />,
  },
];
