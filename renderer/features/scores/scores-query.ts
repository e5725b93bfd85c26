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
  return () => queries.invalidateQueries({ queryKey: ['scores'] });
}

export function useAddScore() {
  const invalidate = useInvalidateScores();
  return useMutation({
    networkMode: 'always',
    mutationFn: (score: Pick<ScoreDraft, 'resource_id' | 'name' | 'score' | 'label' | 'reason'>) =>
      gateway.scores.create({ body: { ...score, source: 'annotation' } }),
    onSuccess: invalidate,
  });
}

export const useScoreConfigs = () =>
  useQuery({ queryKey: ['score-configs'], queryFn: async () => (await gateway.scoreConfigs.list({ query: { limit: 1000 } })).data });

/** Trace of a scored resource, and the span id if the resource is a span. */
export const locateResource = async (resourceId: string) => (await gateway.viewer.place({ params: { id: resourceId } })).data;
