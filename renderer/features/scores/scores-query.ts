import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ScoreDraft } from '../../../shared/contract/evaluation/score-draft.ts';
import { gateway } from '../../api/client.ts';
import { type ScoresView, scoresQuery } from './url.ts';

/** The live stream announces spans but not scores, so the list is fetched on each visit and then at intervals. */
export const useScores = (view: ScoresView) =>
  useQuery({
    queryKey: ['scores', 'list', view],
    queryFn: () => gateway.scores.list({ query: scoresQuery(view) }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: 5000,
  });

export const useScoreNames = () =>
  useQuery({ queryKey: ['scores', 'names'], queryFn: async () => (await gateway.scores.names()).data, staleTime: 0 });

export const useDistribution = (name: string) =>
  useQuery({
    queryKey: ['scores', 'distribution', name],
    queryFn: async () => (await gateway.viewerStatistics.scores({ query: { name } })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

function useInvalidateScores() {
  const queries = useQueryClient();
  return () => Promise.all(['scores', 'traces', 'trace'].map((kind) => queries.invalidateQueries({ queryKey: [kind] })));
}

type NewScore = Pick<ScoreDraft, 'name' | 'score' | 'label' | 'reason'>;

/** Adds the same score to each of the resources. */
export function useAddScores() {
  const invalidate = useInvalidateScores();
  return useMutation({
    networkMode: 'always',
    mutationFn: async ({ resources, ...score }: NewScore & { resources: readonly string[] }) => {
      const scores = resources.map((resource_id) => ({ ...score, resource_id, source: 'annotation' as const }));
      const [first] = scores;
      if (first && scores.length === 1) await gateway.scores.create({ body: first });
      else await gateway.scores.createBatch({ body: { scores } });
    },
    onSuccess: invalidate,
  });
}

/** Trace of a scored resource, and the span id if the resource is a span. */
export const locateResource = async (resourceId: string) => (await gateway.viewer.place({ params: { id: resourceId } })).data;
