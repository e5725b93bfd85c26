/** Sentences about budgets: of commands, banners and notifications. */
import type { BudgetDraft, BudgetPeriod } from '../contract/viewer/budget-shape.ts';
import type { Budget } from '../contract/viewer/budgets.ts';

export const periodNames: Record<BudgetPeriod, string> = { day: 'a day', week: 'a week', '5h': 'five hours' };
const spans: Record<BudgetPeriod, string> = { day: 'today', week: 'in the last seven days', '5h': 'in this five-hour window' };

/** Cents, and for less than a cent as many digits as it takes. */
const dollars = (amount: number): string => (amount > 0 && amount < 0.01 ? `$${amount.toPrecision(1)}` : `$${amount.toFixed(2)}`);

/** `$20.00 a day in /home/ada/ferries` */
export const budgetName = ({ max, period, folder }: BudgetDraft): string =>
  `${dollars(max)} ${period === '5h' ? 'in ' : ''}${periodNames[period]}${folder === null ? '' : ` in ${folder}`}`;

/** `$24.10 spent today in /home/ada/ferries, more than the budget of $20.00.` */
export function budgetText({ max, period, folder, spent, unpriced_calls, state }: Budget): string {
  const place = folder === null ? '' : ` in ${folder}`;
  const how = state === 'over' ? `more than the budget of ${dollars(max)}` : `of a budget of ${dollars(max)}`;
  const unpriced =
    unpriced_calls === 0
      ? ''
      : ` ${unpriced_calls === 1 ? '1 call has no price and is' : `${unpriced_calls} calls have no price and are`} not counted.`;
  return `${dollars(spent)} spent ${spans[period]}${place}, ${how}.${unpriced}`;
}

/**
 * The same for as long as a budget has not started again. That of the last seven days starts at another time at each reading, and again only once it is not
 * exceeded.
 */
export const budgetKey = ({ period, max, folder, from }: Budget): string => `${period} ${max} ${folder} ${period === 'week' ? '' : from}`;
