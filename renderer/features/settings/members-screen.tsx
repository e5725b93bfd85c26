import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useMay, useMe } from '../../api/identity.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { plural } from '../../model/text/format.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { memberColumns } from './member-columns.tsx';
import { InvitedDialog, MemberForm } from './member-form.tsx';
import {
  type CreatedInvitation,
  type Person,
  useEndMemberLogins,
  usePeople,
  useRemoveMember,
  useSetRole,
  useWithdraw,
} from './members-query.ts';

/** Members of the team with their roles. */
export function MembersScreen() {
  const me = useMe();
  const people = usePeople();
  const setRole = useSetRole();
  const withdraw = useWithdraw();
  const mayManage = useMay()('app.write');
  const [isInviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<CreatedInvitation | null>(null);
  const [removing, setRemoving] = useState<Person | null>(null);
  const [signingOut, setSigningOut] = useState<Person | null>(null);
  const isOwner = me?.role === 'owner';
  const columns = memberColumns({
    ownId: me?.user.id ?? '',
    mayChange: ({ role }) => mayManage && (isOwner || role !== 'owner'),
    isOwner,
    onRole: ({ id }, role) => setRole.mutate({ userId: id, role }),
    onSignOut: setSigningOut,
    onRemove: (person) => (person.invited ? withdraw.mutate(person.id) : setRemoving(person)),
  });
  const problem = restOf(refusalOf(setRole.error ?? withdraw.error), []);
  return (
    <>
      <title>Members · Glasshouse</title>
      <ScreenHeader title="Members">
        {problem && (
          <Text tone="err" cut title={problem}>
            {problem}
          </Text>
        )}
        <span className="ml-auto flex shrink-0 items-center gap-3">
          {people.data && <Text tone="dim">{plural(people.data.filter((person) => !person.invited).length, 'member')}</Text>}
          {mayManage && <Button onClick={() => setInviting(true)}>Invite member</Button>}
        </span>
      </ScreenHeader>
      {people.isError && !people.data ? (
        <FailedState failure={asFailure(people.error, 'The members could not be loaded')} onRetry={() => void people.refetch()} />
      ) : (
        <DataList label="Members" columns={columns} rows={people.data ?? []} onOpen={() => {}} listKey="">
          <SkeletonRows label="Loading members" />
        </DataList>
      )}
      {isInviting && (
        <MemberForm
          isOwner={isOwner}
          onClose={() => setInviting(false)}
          onInvited={(invitation) => {
            setInviting(false);
            setInvited(invitation);
          }}
        />
      )}
      {invited && <InvitedDialog invitation={invited} onClose={() => setInvited(null)} />}
      {signingOut && <SignOutDialog member={signingOut} onClose={() => setSigningOut(null)} />}
      {removing && <RemoveDialog member={removing} isSelf={removing.id === me?.user.id} onClose={() => setRemoving(null)} />}
    </>
  );
}

function SignOutDialog({ member, onClose }: { member: Person; onClose: () => void }) {
  const end = useEndMemberLogins();
  return (
    <ConfirmDialog
      title={`Sign out ${member.email}`}
      action="Sign out"
      isBusy={end.isPending}
      problem={restOf(refusalOf(end.error), [])}
      onConfirm={() => end.mutate(member.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        All their logins to this team end at once, and they can sign in again, or come back from a login to another team. API keys stay:
        revoke those that they know. If somebody has their password, they must change it too. To keep somebody out, remove them.
      </p>
    </ConfirmDialog>
  );
}

function RemoveDialog({ member, isSelf, onClose }: { member: Person; isSelf: boolean; onClose: () => void }) {
  const remove = useRemoveMember();
  return (
    <ConfirmDialog
      title={isSelf ? 'Leave team' : `Remove ${member.email}`}
      action={isSelf ? 'Leave' : 'Remove member'}
      isBusy={remove.isPending}
      problem={restOf(refusalOf(remove.error), [])}
      onConfirm={() => remove.mutate(member.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {isSelf ? 'You are' : 'They are'} signed out at once. Existing data stays, and so do API keys: revoke those that
        {isSelf ? ' you know.' : ' they know.'}
      </p>
    </ConfirmDialog>
  );
}
