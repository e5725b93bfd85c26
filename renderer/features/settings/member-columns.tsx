import type { Role } from '../../../shared/contract/role.ts';
import { exactly, when } from '../../model/time.ts';
import type { Column } from '../../ui/data-list.tsx';
import { Pick } from '../../ui/pick.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import { RowAction } from '../../ui/row-action.tsx';
import { Text } from '../../ui/text.tsx';
import type { Member } from './members-query.ts';
import { aboutRole, roles } from './roles.ts';

interface MemberColumns {
  ownId: string;
  mayTouch: (member: Member) => boolean;
  isOwner: boolean;
  onRole: (member: Member, role: Role) => void;
  onRemove: (member: Member) => void;
}

const labelOf = (role: Role) => roles.find(({ id }) => id === role)?.label ?? role;

export const memberColumns = ({ ownId, mayTouch, isOwner, onRole, onRemove }: MemberColumns): Column<Member>[] => [
  {
    id: 'email',
    head: 'email',
    width: 'minmax(0, 2fr)',
    cell: ({ id, email }) => (
      <Text as="div" cut title={email}>
        {id === ownId ? `${email} (you)` : email}
      </Text>
    ),
  },
  {
    id: 'name',
    head: 'name',
    width: 'minmax(0, 1fr)',
    cell: ({ name }) => (
      <Text as="div" cut tone="quiet" title={name ?? ''}>
        {name ?? '—'}
      </Text>
    ),
  },
  {
    id: 'role',
    head: 'role',
    width: 'var(--width-when)',
    cell: (member) =>
      mayTouch(member) ? (
        <Pick
          label={`Role of ${member.email}`}
          options={roles.filter(({ id }) => isOwner || id !== 'owner')}
          value={member.role}
          onChange={(role) => onRole(member, role)}
        />
      ) : (
        <Text tone="quiet" title={aboutRole(member.role)}>
          {labelOf(member.role)}
        </Text>
      ),
  },
  {
    id: 'joined',
    head: 'joined',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ joined_at }) => <Quantity value={when(joined_at)} title={exactly(joined_at)} />,
  },
  {
    id: 'remove',
    head: '',
    width: 'var(--width-total)',
    end: true,
    cell: (member) =>
      mayTouch(member) && (
        <RowAction onClick={() => onRemove(member)} label={`Remove ${member.email}`}>
          {member.id === ownId ? 'Leave' : 'Remove'}
        </RowAction>
      ),
  },
];
