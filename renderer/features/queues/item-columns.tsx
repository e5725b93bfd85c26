import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { Item } from './queues-query.ts';

const statusLabels: Record<Item['status'], string> = {
  ...{ pending: 'Waiting', in_progress: 'In review', completed: 'Completed', skipped: 'Skipped' },
};

interface Acts {
  open: (item: Item) => void;
  toggle: (item: Item) => void;
  selected: ReadonlySet<string>;
  /** Of members, by their ids. */
  names: ReadonlyMap<string, string> | null;
}

/** Reviewers that are not members are programs, which name themselves. While the members are not known, nobody is said to have left. */
export const reviewerName = (id: string, names: Acts['names']): string =>
  names?.get(id) ??
  (/^[0-9a-f-]{36}$/.test(id) ? (names ? 'A former member' : 'A member') : id.startsWith('api_key:') ? 'An API key' : `${id} (API key)`);

export const itemColumns = ({ open, toggle, selected, names }: Acts): Column<Item>[] => [
  {
    id: 'select',
    head: 'Select',
    isHeadHidden: true,
    width: 'var(--width-mark)',
    cell: (item) => (
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={`Select ${item.resource_id}`}
        checked={selected.has(item.id)}
        onChange={() => toggle(item)}
        className="relative z-10 block size-3.5 accent-accent"
      />
    ),
  },
  {
    id: 'resource',
    head: 'Item',
    width: 'minmax(0, 1fr)',
    cell: (item) => (
      <button
        type="button"
        onClick={() => open(item)}
        className="block w-full truncate text-left font-mono text-fg text-row after:absolute after:inset-0"
      >
        {item.resource_id}
      </button>
    ),
  },
  { id: 'type', head: 'Type', width: 'var(--width-total)', wideOnly: true, cell: (item) => <Text tone="dim">{item.resource_type}</Text> },
  { id: 'status', head: 'Status', width: 'var(--width-word)', cell: ({ status }) => <Text tone="dim">{statusLabels[status]}</Text> },
  {
    id: 'assignees',
    head: 'Assigned to',
    width: 'var(--width-name)',
    cell: ({ assignees }) => {
      const text = assignees.map((id) => reviewerName(id, names)).join(', ');
      return (
        <Text as="div" cut title={text} tone={text === '' ? 'quiet' : 'fg'}>
          {text === '' ? '—' : text}
        </Text>
      );
    },
  },
  {
    id: 'added',
    head: 'Added',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at }) => <Quantity value={when(created_at)} title={exactly(created_at)} />,
  },
];
