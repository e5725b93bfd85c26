/** What the user of this machine wants to spend, and what was spent of it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BudgetDraft } from '../../shared/contract/viewer/budget-shape.ts';
import type { Budget } from '../../shared/contract/viewer/budgets.ts';
import { ownZone } from '../../shared/own-zone.ts';
import { gateway } from './client.ts';
import { useServed } from './served.ts';

export const budgetsKey = ['budgets'];
const none: readonly Budget[] = [];
/** Midnight passes and windows end without a commit, and commands keep budgets. */
const againMs = 60_000;

/** The budgets; none while they are loading or where there is no page of spending. */
export const useBudgets = (): readonly Budget[] => useBudgetQuery().data ?? none;

/** Has no data until the budgets are known: who changes them must wait for that. */
export function useBudgetQuery() {
  const isServed = useServed()('spending');
  return useQuery({
    queryKey: budgetsKey,
    queryFn: async () => (await gateway.spending.budgets({ query: { time_zone: ownZone() } })).data,
    enabled: isServed,
    refetchInterval: againMs,
  });
}

/** Replaces all budgets. */
export function useSetBudgets(onSet?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (budgets: readonly BudgetDraft[]) =>
      gateway.spending.setBudgets({ body: { budgets: budgets.map(({ period, max, folder }) => ({ period, max, folder })) } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: budgetsKey });
      onSet?.();
    },
  });
}
