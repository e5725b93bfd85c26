/** The people of the team, where their names are shown or picked. */
import { useQuery } from '@tanstack/react-query';
import type { Member } from '../../shared/contract/identity/members.ts';
import { type Mentionable, mentionablesOf } from '../../shared/mentions.ts';
import { gateway } from './client.ts';
import { useMay } from './identity.ts';
import { useServed } from './served.ts';

/** Null while they are not loaded, and for those who may not list them. */
function useMembers(): readonly Member[] | null {
  const isServed = useServed()('members');
  const mayList = useMay()('app.read');
  const members = useQuery({
    queryKey: ['members', 'names'],
    queryFn: async () => (await gateway.members.list()).data,
    enabled: isServed && mayList,
  });
  return members.data ?? null;
}

/** Members who may be asked to review. */
export const useReviewers = (): readonly { id: string; label: string }[] =>
  (useMembers() ?? []).filter(({ role }) => role !== 'read').map(({ id, name, email }) => ({ id, label: name || email }));

/** Names of the members by their ids. */
export function useMemberNames(): ReadonlyMap<string, string> | null {
  const members = useMembers();
  return members && new Map(members.map(({ id, name, email }) => [id, name || email]));
}

/** Who can be mentioned, by the names to write after `@`. */
export const useMentionables = (): readonly Mentionable[] => mentionablesOf(useMembers() ?? []);
