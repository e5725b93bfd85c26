/** What was spent of budgets, and what their routes take. */
import { z } from 'zod';
import { text } from '../core/parameters.ts';
import { budgetDraft, budgetPeriod, budgetState, budgetsMax } from './budget-shape.ts';

const moment = z.iso.datetime();

export const judgedBudget = z
  .object({
    ...budgetDraft.shape,
    from: moment.meta({ description: 'Since when the calls count.' }),
    to: moment.nullable().meta({ description: 'When the count starts again; null for `week`, which is always the last seven days.' }),
    spent: z.number().meta({ description: 'US dollars, without the calls of `unpriced_calls`.' }),
    calls: z.int(),
    unpriced_calls: z.int(),
    state: budgetState,
  })
  .meta({ id: 'Budget' });
export type Budget = z.output<typeof judgedBudget>;

const zoneMax = 100;

/** Names that this runtime knows. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export const timeZone = z
  .string()
  .max(zoneMax)
  .refine(isTimeZone, 'must be a time zone, such as Europe/Berlin or +02:00')
  .optional()
  .meta({ description: 'Of days; that of the gateway by default.' });

export const budgetQuestion = z
  .object({
    period: budgetPeriod.optional(),
    max: z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'must be an amount such as 20 or 7.50')
      .transform(Number)
      .pipe(z.number().positive().max(1e6))
      .optional()
      .meta({ override: { type: 'number', exclusiveMinimum: 0, maximum: 1e6 } }),
    folder: text.min(1).max(4096).optional(),
    time_zone: timeZone,
  })
  .refine(({ period, max }) => (period === undefined) === (max === undefined), { error: 'goes with period', path: ['max'] });

export const budgetList = z
  .strictObject({ budgets: z.array(budgetDraft).max(budgetsMax) })
  .refine(({ budgets }) => new Set(budgets.map(({ period, folder }) => `${period} ${folder}`)).size === budgets.length, {
    error: 'has two budgets for the same period and folder',
    path: ['budgets'],
  });
