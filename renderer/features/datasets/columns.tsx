import { Link } from '@tanstack/react-router';
import { count } from '../../model/text/format.ts';
import { oneLine } from '../../model/text/one-line.ts';
import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { ListedDataset, NumberedRow } from './datasets-query.ts';

export const datasetColumns: Column<ListedDataset>[] = [
  {
    id: 'name',
    head: 'Dataset',
    width: 'minmax(0, 1fr)',
    cell: ({ name }) => (
      <Link to="/datasets" search={{ name }} className="block truncate font-mono text-row after:absolute after:inset-0">
        {name}
      </Link>
    ),
  },
  {
    id: 'rows',
    head: 'Rows',
    width: 'var(--width-total)',
    end: true,
    cell: ({ row_count }) => <Quantity value={row_count === null ? 'too large' : count(row_count)} />,
  },
  {
    id: 'created',
    head: 'Created',
    width: 'var(--width-when)',
    end: true,
    cell: ({ created_at }) => <Quantity value={when(created_at)} title={exactly(created_at)} />,
  },
];

const valueCell = (value: unknown, tone: 'fg' | 'dim') => (
  <Text as="div" mono cut tone={tone} title={oneLine(value, 2000)}>
    {oneLine(value)}
  </Text>
);

export const rowColumns = (name: string): Column<NumberedRow>[] => [
  {
    id: 'line',
    head: 'Row',
    width: 'var(--width-status)',
    end: true,
    cell: ({ line }) => <Quantity value={count(line)} title="Counted from 0" />,
  },
  {
    id: 'input',
    head: 'Input',
    width: 'minmax(0, 3fr)',
    cell: ({ line, row }) => (
      <Link
        to="/datasets"
        search={{ name, row: line }}
        replace
        title={oneLine(row.input, 2000)}
        className="block truncate font-mono text-row after:absolute after:inset-0"
      >
        {oneLine(row.input) || '—'}
      </Link>
    ),
  },
  { id: 'expected', head: 'Expected output', width: 'minmax(0, 2fr)', cell: ({ row }) => valueCell(row.expected_output, 'dim') },
];
