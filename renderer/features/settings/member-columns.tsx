import type { Role } from '../../../shared/contract/identity/role.ts';
import { exactly, when } from '../../model/time/time.ts';
import { actionsHead, type Column } from '../../ui/lists/data-list.tsx';
import { InlineSelect } from '../../ui/primitives/inline-select.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { Person } from './members-query.ts';
import { aboutRole, roles } from './roles.ts';

interface MemberColumns {
  ownId: string;
  mayChange: (person: Person) => boolean;
  isOwner: boolean;
  onRole: (person: Person, role: Role) => void;
  /** Signs a member out everywhere. */
  onSignOut: (person: Person) => void;
  /** Removes a member or withdraws an invitation. */
  onRemove: (person: Person) => void;
}

const labelOf = (role: Role) => roles.find(({ id }) => id === role)?.label ?? role;

const actionLabel = ({ invited, id }: Person, ownId: string) => (invited ? 'Withdraw' : id === ownId ? 'Leave' : 'Remove');

/** Includes the email address, for screen readers. */
const accessibleActionLabel = (person: Person, ownId: string) =>
  `${person.id === ownId ? 'Leave as' : actionLabel(person, ownId)} ${person.email}`;

export const memberColumns = ({ isOwner, onRole, ...rest }: MemberColumns): Column<Person>[] => [
  {
    id: 'email',
    head: 'Email',
    width: 'minmax(0, 2fr)',
    cell: ({ id, email }) => (
      <Text as="div" cut title={email}>
        {id === rest.ownId ? `${email} (you)` : email}
      </Text>
    ),
  },
  {
    id: 'name',
    head: 'Name',
    width: 'minmax(0, 1fr)',
    cell: ({ name }) => (
      <Text as="div" cut tone="quiet" title={name ?? ''}>
        {name ?? '—'}
      </Text>
    ),
  },
  {
    id: 'role',
    head: 'Role',
    width: 'var(--width-when)',
    cell: (member) =>
      rest.mayChange(member) && !member.invited ? (
        <InlineSelect
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
    head: 'Joined',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: (person) =>
      person.invited ? (
        <Text tone="warm" title={`The invitation is valid until ${exactly(person.expires_at)}`}>
          Invited
        </Text>
      ) : (
        <Quantity value={when(person.joined_at)} title={exactly(person.joined_at)} />
      ),
  },
  ...actionColumns(rest),
];

type ActionColumns = Pick<MemberColumns, 'ownId' | 'mayChange' | 'onSignOut' | 'onRemove'>;

const actionColumns = ({ ownId, mayChange, onSignOut, onRemove }: ActionColumns): Column<Person>[] => [
  {
    id: 'actions',
    ...actionsHead,
    width: 'calc(2 * var(--width-total))',
    end: true,
    cell: (member) =>
      mayChange(member) && (
        <div className="flex justify-end gap-2">
          {!member.invited && member.id !== ownId && (
            <RowAction onClick={() => onSignOut(member)} label={`Sign out ${member.email}`}>
              Sign out
            </RowAction>
          )}
          <RowAction onClick={() => onRemove(member)} label={accessibleActionLabel(member, ownId)}>
            {actionLabel(member, ownId)}
          </RowAction>
        </div>
      ),
  },
];
