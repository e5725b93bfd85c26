import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { gateway } from '../../../api/client.ts';

export interface CommentPlace {
  traceId: string;
  spanId: string;
  /** The comments of a trace are shown on its first span. */
  isFirst: boolean;
}

const shownMax = 1000;
const keyOf = ({ traceId, spanId }: CommentPlace) => ['trace', traceId, 'comments', spanId];

/** Oldest first. */
export function useComments(place: CommentPlace, isEnabled: boolean) {
  const { traceId, spanId, isFirst } = place;
  const list = async (resource_type: 'trace' | 'span', resource_id: string) =>
    (await gateway.comments.list({ query: { resource_type, resource_id, limit: shownMax } })).data;
  return useQuery({
    queryKey: keyOf(place),
    queryFn: async () => {
      const lists = await Promise.all([list('span', spanId), ...(isFirst ? [list('trace', traceId)] : [])]);
      return lists.flat().sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
    },
    enabled: isEnabled,
    staleTime: 0,
    gcTime: 60_000,
  });
}

export function useAddComment(place: CommentPlace) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (body: string) => gateway.comments.create({ body: { resource_id: place.spanId, resource_type: 'span', body } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(place) }),
  });
}

export function useRemoveComment(place: CommentPlace) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (commentId: string) => gateway.comments.remove({ params: { commentId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(place) }),
  });
}
