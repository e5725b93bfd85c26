/** Budgets, for requests and for the file that keeps them. */
import { z } from 'zod';
import { text } from '../core/parameters.ts';

export const budgetPeriods = ['day', 'week', '5h'] as const;
export const budgetsMax = 50;
export const spendingDaysMax = 400;
/** The part of a budget from which it is nearly spent. */
export const nearPart = 0.8;

export const budgetPeriod = z.enum(budgetPeriods).meta({
  id: 'BudgetPeriod',
  description: '`day`: since midnight of the time zone. `week`: the last seven days. `5h`: the current five-hour window.',
});
export type BudgetPeriod = z.output<typeof budgetPeriod>;

export const budgetDraft = z.object({
  period: budgetPeriod,
  max: z.number().positive().max(1e6).meta({ description: 'US dollars.' }),
  folder: text.min(1).max(4096).nullable().meta({ description: 'Of a project, with the folders in it; null for everything.' }),
});
export type BudgetDraft = z.output<typeof budgetDraft>;

export const budgetState = z
  .enum(['within', 'near', 'over'])
  .meta({ id: 'BudgetState', description: '`near`: 80 % of the budget is spent. `over`: more than the budget is spent.' });
