import { asFailure } from '../../api/failure.ts';
import { useMe } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { exactly, when } from '../../model/time/time.ts';
import { actionsHead, type Column, DataList } from '../../ui/lists/data-list.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Quantity } from '../../ui/primitives/quantity.tsx';
import { RowAction } from '../../ui/primitives/row-action.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type Login, useEndLogins, useLogins } from './logins-query.ts';

/** Where the person is signed in, and the end of each login. */
export function LoginsSection() {
  const me = useMe();
  const logins = useLogins();
  const end = useEndLogins();
  const others = logins.data?.filter(({ is_current }) => !is_current).length ?? 0;
  const problem = restOf(refusalOf(end.error), []);
  return (
    <section aria-label="Where you are signed in" className="grid gap-3">
      <div className="flex items-center gap-3">
        <Text as="h2" size="section" strong>
          Where you are signed in
        </Text>
        {others > 0 && (
          <span className="ml-auto">
            <Button disabled={end.isPending} onClick={() => end.mutate(null)}>
              Sign out everywhere else
            </Button>
          </span>
        )}
      </div>
      {problem && <Text tone="err">{problem}</Text>}
      {logins.isError && !logins.data ? (
        <FailedState failure={asFailure(logins.error, 'The logins could not be loaded')} onRetry={() => void logins.refetch()} />
      ) : (
        <DataList
          label="Logins"
          columns={loginColumns((me?.tenants.length ?? 0) > 1, end.isPending, ({ id }) => end.mutate(id))}
          rows={logins.data ?? []}
          onOpen={() => {}}
          listKey=""
        >
          <SkeletonRows label="Loading the logins" />
        </DataList>
      )}
      <Text as="p" tone="dim">
        A login ends by itself after 12 hours. Machines that you linked send with a key of their own, which is listed under API keys.
      </Text>
    </section>
  );
}

const nameOf = ({ client, is_current }: Login) => `${client ?? 'Unknown program'}${is_current ? ' (this one)' : ''}`;

const loginColumns = (isInSeveralTeams: boolean, isEnding: boolean, onEnd: (login: Login) => void): Column<Login>[] => [
  {
    id: 'client',
    head: 'Browser',
    width: 'minmax(0, 2fr)',
    cell: (login) => (
      <Text as="div" cut title={nameOf(login)}>
        {nameOf(login)}
      </Text>
    ),
  },
  ...(isInSeveralTeams
    ? [
        {
          id: 'tenant',
          head: 'Team',
          width: 'minmax(0, 1fr)',
          wideOnly: true,
          cell: ({ tenant_name }: Login) => (
            <Text as="div" cut tone="quiet" title={tenant_name}>
              {tenant_name}
            </Text>
          ),
        },
      ]
    : []),
  {
    id: 'ip',
    head: 'Address',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ ip }) => (
      <Text as="div" cut tone="quiet" title={ip ?? ''}>
        {ip ?? '—'}
      </Text>
    ),
  },
  {
    id: 'created',
    head: 'Signed in',
    width: 'var(--width-when)',
    end: true,
    wideOnly: true,
    cell: ({ created_at }) => <Quantity value={when(created_at)} title={exactly(created_at)} />,
  },
  {
    id: 'used',
    head: 'Last used',
    width: 'var(--width-when)',
    end: true,
    cell: ({ last_used_at }) => <Quantity value={when(last_used_at)} title={exactly(last_used_at)} />,
  },
  {
    id: 'end',
    ...actionsHead,
    width: 'var(--width-total)',
    end: true,
    cell: (login) =>
      !login.is_current && (
        <RowAction
          label={`Sign out ${nameOf(login)}, signed in ${when(login.created_at)}`}
          disabled={isEnding}
          onClick={() => onEnd(login)}
        >
          Sign out
        </RowAction>
      ),
  },
];
