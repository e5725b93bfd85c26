import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ForwardingLink } from '../../../shared/contract/operations/forwarding-links.ts';
import { gateway } from '../../api/client.ts';
import { destinationsKey } from '../../api/forwarding.ts';
import type { StartOptions } from './start-options.tsx';

const pollMs = 1_000;
const at = (linkId: string) => ({ params: { linkId } });

export const useStartLink = () =>
  useMutation({
    networkMode: 'always',
    mutationFn: (body: StartOptions & { url: string }) => gateway.forwardingLinks.start({ body }),
  });

/** State of a link, polled until it is approved or denied. A gateway that restarts loses it. */
export function useLink(started: ForwardingLink) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['forwarding-link', started.id],
    queryFn: async () => {
      const { data } = await gateway.forwardingLinks.get(at(started.id));
      if (data.is === 'linked') void queries.invalidateQueries({ queryKey: destinationsKey });
      return data;
    },
    initialData: started,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.is === 'waiting' ? pollMs : false),
  });
}

export const useCancelLink = (linkId: string) =>
  useMutation({ networkMode: 'always', mutationFn: (_: null) => gateway.forwardingLinks.cancel(at(linkId)) });
