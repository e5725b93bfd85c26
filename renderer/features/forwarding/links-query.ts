import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ForwardingLink } from '../../../shared/contract/operations/forwarding-links.ts';
import { gateway } from '../../api/client.ts';
import { destinationsKey } from '../../api/forwarding.ts';
import type { Beginning } from './begin-choices.tsx';

const lookMs = 1_000;
const at = (linkId: string) => ({ params: { linkId } });

export const useStartLink = () =>
  useMutation({
    networkMode: 'always',
    mutationFn: (body: Beginning & { url: string }) => gateway.forwardingLinks.start({ body }),
  });

/** State of a link, polled until it is decided; a restarted gateway has lost it. */
export function useLink(begun: ForwardingLink) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['forwarding-link', begun.id],
    queryFn: async () => {
      const { data } = await gateway.forwardingLinks.get(at(begun.id));
      if (data.is === 'linked') void queries.invalidateQueries({ queryKey: destinationsKey });
      return data;
    },
    initialData: begun,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.is === 'waiting' ? lookMs : false),
  });
}

export const useCancelLink = (linkId: string) =>
  useMutation({ networkMode: 'always', mutationFn: (_: null) => gateway.forwardingLinks.cancel(at(linkId)) });
