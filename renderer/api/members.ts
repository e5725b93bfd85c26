/** The people of the team, where their names are shown or picked. */
import { useQuery } from '@tanstack/react-query';
import type { Member } from '../../shared/contract/identity/members.ts';
import { type Mentionable, mentionablesOf } from '../../shared/mentions.ts';
import { gateway } from './client.ts';
import { useMay } from './identity.ts';
import { useServed } from './served.ts';

function useMembersQuery() {
  const isServed = useServed()('members');
  const mayList = useMay()('app.read');
  return useQuery({
    queryKey: ['members', 'names'],
    queryFn: async () => (await gateway.members.list()).data,
    enabled: isServed && mayList,
  });
}

/** Null while they are not loaded, and for those who may not list them. */
const useMembers = (): readonly Member[] | null => useMembersQuery().data ?? null;

/** Members who may be asked to review. Null while they are not known. */
export function useReviewers() {
  const { data, isError, refetch } = useMembersQuery();
  const mayReview = data?.filter(({ role }) => role !== 'read') ?? null;
  const reviewers = mayReview?.map(({ id, name, email }) => ({ id, label: name || email }));
  return { reviewers, hasFailed: isError && !data, retry: () => void refetch() };
}

/** Names of the members by their ids. */
export function useMemberNames(): ReadonlyMap<string, string> | null {
  const members = useMembers();
  return members && new Map(members.map(({ id, name, email }) => [id, name || email]));
}

/** Who can be mentioned, by the names to write after `@`. */
export const useMentionables = (): readonly Mentionable[] => mentionablesOf(useMembers() ?? []);
