/** Links by which anybody reads one trace. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RouteInput } from '../../shared/contract/core/route.ts';
import type { ShareLink, shareLinks } from '../../shared/contract/tracing/share-links.ts';
import { gateway } from './client.ts';
import { useMay } from './identity.ts';
import { useServed } from './served.ts';

const queryKey = ['share-links'];
const shownMax = 1000;

/** Whether the reader may make and revoke links here. */
export function useMayShare(): boolean {
  const isServed = useServed()('share_links');
  return useMay()('share_link.write') && isServed;
}

/** Links of one trace, or of all traces of the app. */
export const useShareLinks = (trace_id?: string) =>
  useQuery({
    queryKey: [...queryKey, trace_id ?? 'all'],
    queryFn: async () => (await gateway.shareLinks.list({ query: { limit: shownMax, ...(trace_id && { trace_id }) } })).data,
    staleTime: 0,
  });

/** Whether the team allows links. */
export const useSharingAllowed = () =>
  useQuery({
    queryKey: [...queryKey, 'allowed'],
    queryFn: async () => (await gateway.shareLinks.settings({})).data.allowed,
    staleTime: 0,
  });

function useChange<T, R>(change: (input: T) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({ networkMode: 'always', mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey }) });
}

export type NewShareLink = RouteInput<typeof shareLinks.create>['body'];

export const useMakeShareLink = () => useChange(async (body: NewShareLink) => (await gateway.shareLinks.create({ body })).data);

export const useRevokeShareLink = () => useChange((linkId: string) => gateway.shareLinks.revoke({ params: { linkId } }));

export const useAllowSharing = () => useChange((allowed: boolean) => gateway.shareLinks.changeSettings({ body: { allowed } }));

/** Also of links that are forbidden now, because they work again when they are allowed. */
export const canBeRevoked = ({ state }: ShareLink): boolean => state === 'works' || state === 'forbidden';

/** What a link hides, in words. */
export function hiddenInWords({ contents, attributes, costs }: ShareLink['hides']): string {
  const words = [...(contents ? ['contents'] : []), ...(attributes ? ['attributes'] : []), ...(costs ? ['costs'] : [])];
  return words.length === 0 ? 'nothing' : words.join(', ');
}
