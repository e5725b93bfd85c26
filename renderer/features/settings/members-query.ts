import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Contract } from '../../../shared/contract/index.ts';
import type { Reply } from '../../../shared/contract/route.ts';
import { gateway } from '../../api/client.ts';
import { lookAgain } from '../../api/sign-in.ts';

export type { Member } from '../../../shared/contract/members.ts';
export type { Role } from '../../../shared/contract/role.ts';

import type { Role } from '../../../shared/contract/role.ts';

export type AddedMember = Reply<Contract['members']['add']>['data'];

const queryKey = ['members'];

export const useMembers = () => useQuery({ queryKey, queryFn: async () => (await gateway.members.list()).data, staleTime: 0 });

function useChange<T, R>(change: (asked: T) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({ networkMode: 'always', mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey }) });
}

export const useAddMember = () =>
  useChange(async (body: { email: string; name?: string; role: Role }) => (await gateway.members.add({ body })).data);

/** A change of the own role is a change of what is shown. */
export const useSetRole = () =>
  useChange(async ({ userId, role }: { userId: string; role: Role }) => {
    await gateway.members.change({ params: { userId }, body: { role } });
    await lookAgain();
  });

export const useRemoveMember = () =>
  useChange(async (userId: string) => {
    await gateway.members.remove({ params: { userId } });
    await lookAgain();
  });
