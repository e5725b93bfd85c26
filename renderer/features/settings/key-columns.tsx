import { exactly, when } from '../../model/time/time.ts';
import type { Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { rightsInWords } from './key-rights.ts';
import type { ApiKey } from './keys-query.ts';

const placeOf = ({ environment_id, environment_kinds }: ApiKey, nameOf: (id: string | null) => string | undefined): string =>
  environment_kinds ? `any ${environment_kinds.join(' or ')}` : (nameOf(environment_id) ?? '—');

/** @param revoke null without permission */
export const keyColumns = (nameOf: (id: string | null) => string | undefined, revoke: ((key: ApiKey) => void) | null): Column<ApiKey>[] => [
  {
    id: 'name',
    head: 'name',
    width: 'minmax(0, 2fr)',
    cell: ({ name }) => (
      <Text as="div" cut title={name}>
        {name}
      </Text>
    ),
  },
  {
    id: 'prefix',
    head: 'prefix',
    width: 'var(--width-name)',
    cell: ({ key_prefix }) => (
      <Text as="div" cut mono tone="dim">
        {`${key_prefix ?? ''}…`}
      </Text>
    ),
  },
  {
    id: 'rights',
    head: 'permissions',
    width: 'var(--width-when)',
    cell: ({ permissions }) => (
      <Text as="div" cut tone="quiet" title={permissions.join(', ')}>
        {rightsInWords(permissions)}
      </Text>
    ),
  },
  {
    id: 'environment',
    head: 'environment',
    width: 'minmax(0, 1fr)',
    cell: (key) => (
      <Text as="div" cut tone="quiet" title={placeOf(key, nameOf)}>
        {placeOf(key, nameOf)}
      </Text>
    ),
  },
  {
    id: 'used',
    head: 'last used',
    width: 'var(--width-when)',
    end: true,
    cell: ({ last_used_at: at }) => (
      <Quantity value={at ? when(at) : null} unknown="Nothing was ever sent with it" title={at ? exactly(at) : undefined} />
    ),
  },
  {
    id: 'made',
    head: 'created',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at }) => <Quantity value={when(created_at)} title={exactly(created_at)} />,
  },
  {
    id: 'revoke',
    head: '',
    width: 'var(--width-total)',
    end: true,
    cell: (key) =>
      revoke && (
        <RowAction onClick={() => revoke(key)} label={`Revoke ${key.name}`}>
          Revoke
        </RowAction>
      ),
  },
];
