import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueueRule, QueueRuleDraft } from '../../../shared/contract/evaluation/queue-rules.ts';
import { gateway } from '../../api/client.ts';

export type { QueueRule, QueueRuleDraft };

export const useRules = (queueId: string) =>
  useQuery({
    queryKey: ['queues', queueId, 'rules'],
    queryFn: async () => (await gateway.annotationQueues.listRules({ params: { queueId }, query: {} })).data,
    staleTime: 0,
    refetchInterval: 10_000,
  });

type Matching = Pick<QueueRuleDraft, 'filter' | 'sample_percent'>;

/** What a rule would have added in the last 7 days. */
export const useRulePreview = (queueId: string, body: Matching | null) =>
  useQuery({
    queryKey: ['queues', queueId, 'rule-preview', body],
    queryFn: async () => (await gateway.annotationQueues.previewRule({ params: { queueId }, body: body as Matching })).data,
    enabled: body !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });

/** Creates a rule, changes one, or deletes one. */
export function useChangeRules(queueId: string) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: async ({ ruleId, body }: { ruleId: string | null; body: QueueRuleDraft | null }): Promise<void> => {
      const { annotationQueues: queues } = gateway;
      if (ruleId === null) return body === null ? undefined : void (await queues.createRule({ params: { queueId }, body }));
      const params = { queueId, ruleId };
      await (body === null ? queues.removeRule({ params }) : queues.replaceRule({ params, body }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['queues'] }),
  });
}
