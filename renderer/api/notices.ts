/** The inbox of the signed-in person. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { gateway } from './client.ts';
import { useMay, useMe } from './identity.ts';
import { useServed } from './served.ts';

const queryKey = ['notices'];
/** While the page is visible. */
const askAgainMs = 60_000;

function useHasInbox(): boolean {
  const isServed = useServed()('notices');
  const may = useMay()('comment.read');
  return useMe() !== null && isServed && may;
}

/** Number of unread notices; 0 while it is not known. */
export function useUnread(): number {
  const { data } = useQuery({
    queryKey: [...queryKey, 'unread'],
    queryFn: async () => (await gateway.notices.unread()).data.unread,
    enabled: useHasInbox(),
    staleTime: 0,
    refetchInterval: askAgainMs,
  });
  return data ?? 0;
}

export const useNotices = () =>
  useInfiniteQuery({
    queryKey: [...queryKey, 'list'],
    queryFn: ({ pageParam }) => gateway.notices.list({ query: { limit: 50, ...(pageParam !== null && { before: pageParam }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    enabled: useHasInbox(),
    staleTime: 0,
    refetchInterval: askAgainMs,
  });

function useChange<T>(change: (input: T) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({ networkMode: 'always', mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey }) });
}

export const useMarkNotice = () =>
  useChange(({ id, isRead }: { id: string; isRead: boolean }) =>
    gateway.notices.mark({ params: { noticeId: id }, body: { is_read: isRead } }),
  );

export const useMarkAllNotices = () => useChange<void>(() => gateway.notices.markAll());
