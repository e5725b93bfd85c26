import { exactly, when } from '../../model/time/time.ts';
import { actionsHead, type Column } from '../../ui/lists/data-list.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { permissionsLabel } from './key-permissions.ts';
import type { ApiKey } from './keys-query.ts';

const environmentLabel = ({ environment_id, environment_kinds }: ApiKey, nameOf: (id: string | null) => string | undefined): string =>
  environment_kinds ? `any ${environment_kinds.join(' or ')}` : (nameOf(environment_id) ?? '—');

/** @param revoke null without permission to revoke keys */
export const keyColumns = (nameOf: (id: string | null) => string | undefined, revoke: ((key: ApiKey) => void) | null): Column<ApiKey>[] => [
  {
    id: 'name',
    head: 'Name',
    width: 'minmax(0, 2fr)',
    cell: ({ name }) => (
      <Text as="div" cut title={name}>
        {name}
      </Text>
    ),
  },
  {
    id: 'prefix',
    head: 'Prefix',
    width: 'var(--width-name)',
    cell: ({ key_prefix }) => (
      <Text as="div" cut mono tone="dim">
        {`${key_prefix ?? ''}…`}
      </Text>
    ),
  },
  {
    id: 'permissions',
    head: 'Permissions',
    width: 'var(--width-when)',
    cell: ({ permissions }) => (
      <Text as="div" cut tone="quiet" title={permissions.join(', ')}>
        {permissionsLabel(permissions)}
      </Text>
    ),
  },
  {
    id: 'environment',
    head: 'Environment',
    width: 'minmax(0, 1fr)',
    cell: (key) => (
      <Text as="div" cut tone="quiet" title={environmentLabel(key, nameOf)}>
        {environmentLabel(key, nameOf)}
      </Text>
    ),
  },
  {
    id: 'used',
    head: 'Last used',
    width: 'var(--width-when)',
    end: true,
    cell: ({ last_used_at: at }) => <Quantity value={at ? when(at) : null} unknown="Never used" title={at ? exactly(at) : undefined} />,
  },
  {
    id: 'created',
    head: 'Created',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at }) => <Quantity value={when(created_at)} title={exactly(created_at)} />,
  },
  {
    id: 'revoke',
    ...actionsHead,
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
