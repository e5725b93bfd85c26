/** Comments on spans, traces and sessions. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RouteInput } from '../../shared/contract/core/route.ts';
import type { comments } from '../../shared/contract/evaluation/comments.ts';
import { gateway } from './client.ts';

type NewComment = NonNullable<RouteInput<typeof comments.create>['body']>;
/** What a comment is on. */
export type Commented = Required<Pick<NewComment, 'resource_type' | 'resource_id'>>;

const shownMax = 1000;

/** Comments on any of these, oldest first. */
export function useComments(resources: readonly Commented[], isEnabled: boolean) {
  return useQuery({
    queryKey: ['comments', ...resources.map(({ resource_type, resource_id }) => `${resource_type} ${resource_id}`)],
    queryFn: async () => {
      const lists = await Promise.all(resources.map((of) => gateway.comments.list({ query: { ...of, limit: shownMax } })));
      return lists.flatMap(({ data }) => data).sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
    },
    enabled: isEnabled,
    staleTime: 0,
    gcTime: 60_000,
  });
}

/** Adds one comment to each of the resources. When that fails half way, the next call goes on where it failed. */
export function useAddComment() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async ({ body, resources, done }: { body: string; resources: readonly Commented[]; done: Set<string> }) => {
      for (const of of resources) {
        if (done.has(of.resource_id)) continue;
        await gateway.comments.create({ body: { ...of, body } });
        done.add(of.resource_id);
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['comments'] }),
  });
}

export function useRemoveComment() {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (commentId: string) => gateway.comments.remove({ params: { commentId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['comments'] }),
  });
}
