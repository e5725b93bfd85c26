import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply } from '../../../shared/contract/core/route.ts';
import type { Contract } from '../../../shared/contract/index.ts';
import { gateway } from '../../api/client.ts';
import { refreshIdentity } from '../../api/sign-in.ts';

export type { Invitation, Member } from '../../../shared/contract/identity/members.ts';
export type { Role } from '../../../shared/contract/identity/role.ts';

import type { Invitation, Member } from '../../../shared/contract/identity/members.ts';
import type { Role } from '../../../shared/contract/identity/role.ts';

export type CreatedInvitation = Reply<Contract['members']['invite']>['data'];

const queryKey = ['members'];

/** A member of the team, or somebody invited. */
export type Person = (Member & { invited: false }) | (Invitation & { invited: true });

/** Members, then invitations. */
async function fetchPeople(): Promise<Person[]> {
  const [members, invitations] = await Promise.all([gateway.members.list(), gateway.members.invitations()]);
  return [
    ...members.data.map((member) => ({ ...member, invited: false as const })),
    ...invitations.data.map((invitation) => ({ ...invitation, invited: true as const })),
  ];
}

export const usePeople = () => useQuery({ queryKey, queryFn: fetchPeople, staleTime: 0 });

function useChange<T, R>(change: (input: T) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({ networkMode: 'always', mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey }) });
}

export const useInvite = () =>
  useChange(async (body: { email: string; name?: string; role: Role }) => (await gateway.members.invite({ body })).data);

export const useWithdraw = () =>
  useChange(async (invitationId: string) => {
    await gateway.members.withdraw({ params: { invitationId } });
  });

/** Identity is fetched again, because a change of one's own role changes the available screens. */
export const useSetRole = () =>
  useChange(async ({ userId, role }: { userId: string; role: Role }) => {
    await gateway.members.change({ params: { userId }, body: { role } });
    await refreshIdentity();
  });

export const useEndMemberLogins = () =>
  useChange(async (userId: string) => {
    await gateway.members.endLogins({ params: { userId } });
  });

export const useRemoveMember = () =>
  useChange(async (userId: string) => {
    await gateway.members.remove({ params: { userId } });
    await refreshIdentity();
  });
