import type { AuditEntry } from '../../../shared/contract/identity/audit-log.ts';
import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { actionInWords, actorInWords, changesInWords, targetInWords } from './audit-words.ts';

/** Entry of a list, by its place there. */
export type AuditRow = AuditEntry & { id: string };

const isRefusal = (action: string) => action === 'refused' || action === 'session.refuse';

export const auditColumns = (onActor: (id: string) => void): Column<AuditRow>[] => [
  {
    id: 'when',
    head: 'When',
    width: 'var(--width-when)',
    end: true,
    cell: ({ at }) => <Quantity value={when(at)} title={exactly(at)} />,
  },
  {
    id: 'who',
    head: 'Who',
    width: 'minmax(0, 1fr)',
    cell: (row) => (
      <button
        type="button"
        title={`Only what ${actorInWords(row)} did`}
        onClick={() => onActor(row.actor_id)}
        className="block max-w-full truncate text-fg text-row hover:underline"
      >
        {actorInWords(row)}
      </button>
    ),
  },
  {
    id: 'from',
    head: 'From',
    width: 'var(--width-outcome)',
    wideOnly: true,
    cell: ({ ip }) => (
      <Text as="div" cut tone="dim" title={ip ?? ''}>
        {ip ?? '—'}
      </Text>
    ),
  },
  {
    id: 'what',
    head: 'What',
    width: 'var(--width-name)',
    cell: ({ action }) => (
      <Text as="div" cut tone={isRefusal(action) ? 'err' : 'fg'} title={`${actionInWords(action)} (${action})`}>
        {actionInWords(action)}
      </Text>
    ),
  },
  {
    id: 'target',
    head: 'On',
    width: 'minmax(0, 1fr)',
    cell: (row) => (
      <Text as="div" cut tone="quiet" title={`${targetInWords(row)} (${row.target})`}>
        {targetInWords(row)}
      </Text>
    ),
  },
  {
    id: 'changes',
    head: 'Changed',
    width: 'minmax(0, 1.5fr)',
    cell: ({ changes }) => (
      <Text as="div" cut tone="quiet" title={changesInWords(changes)}>
        {changesInWords(changes) || '—'}
      </Text>
    ),
  },
];
