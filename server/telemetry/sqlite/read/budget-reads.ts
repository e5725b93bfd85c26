import type { BudgetDraft, BudgetPeriod } from '../../../../shared/contract/viewer/budget-shape.ts';
import { nearPart } from '../../../../shared/contract/viewer/budget-shape.ts';
import type { Budget } from '../../../../shared/contract/viewer/budgets.ts';
import { LocalDays } from '../../../platform/local-days.ts';
import { countedFrom, FiveHourWindows, fiveHoursMs } from '../../spending/five-hour-windows.ts';
import { SpendingCount } from '../../spending/spending-count.ts';
import type { SpentCall } from '../../spending/spent-call.ts';
import type { SpendingQuery } from '../../spending-reader.ts';
import { isoOf } from './iso-time.ts';
import type { ReadContext } from './read-context.ts';
import { weekMs } from './spending-reads.ts';
import { SpentCalls } from './spent-calls.ts';

/** Calls of a budget, in order of time. */
interface BudgetCount {
  fromMs: number;
  toMs: number | null;
  add(call: SpentCall): void;
  /** What counts of it. */
  count(): { fromMs: number; toMs: number | null; count: SpendingCount };
}

export class BudgetReads {
  readonly #calls: SpentCalls;

  constructor(context: ReadContext) {
    this.#calls = new SpentCalls(context);
  }

  budgets(scope: number, budgets: readonly BudgetDraft[], { now_ms, time_zone }: Pick<SpendingQuery, 'now_ms' | 'time_zone'>): Budget[] {
    const days = new LocalDays(time_zone);
    const counts = budgets.map((budget) => ({ budget, own: countOf(budget.period, now_ms, days) }));
    const folders = new Map<number, string | null>();
    const earliest = Math.min(now_ms, ...counts.map(({ own }) => own.fromMs));
    for (const call of counts.length === 0 ? [] : this.#calls.between(scope, earliest, now_ms + 1)) {
      for (const { budget, own } of counts) {
        if (call.atMs < own.fromMs) continue;
        if (budget.folder === null || isInside(this.#calls.folderOf(call.trace, folders), budget.folder)) own.add(call);
      }
    }
    return counts.map(({ budget, own }) => judged(budget, own));
  }
}

function countOf(period: BudgetPeriod, nowMs: number, days: LocalDays): BudgetCount {
  if (period === '5h') return windowCount(nowMs);
  const count = new SpendingCount();
  const [fromMs, toMs] = period === 'day' ? [days.startOfDay(nowMs), days.endOfDay(nowMs)] : [nowMs - weekMs, null];
  return { fromMs, toMs, add: (call) => count.add(call), count: () => ({ fromMs, toMs, count }) };
}

/** Without a current window, the next call begins one. */
function windowCount(nowMs: number): BudgetCount {
  const windows = new FiveHourWindows();
  return {
    fromMs: countedFrom(nowMs),
    toMs: null,
    add: (call) => windows.add(call),
    count: () => {
      const window = windows.at(nowMs) ?? { fromMs: nowMs, count: new SpendingCount() };
      return { fromMs: window.fromMs, toMs: window.fromMs + fiveHoursMs, count: window.count };
    },
  };
}

/** With the separators of both kinds of systems, because the store may come from another one. */
const isInside = (folder: string | null, outer: string): boolean => {
  if (folder === null) return false;
  const bare = outer.replace(/[/\\]+$/, '');
  return folder === outer || folder === bare || (folder.startsWith(bare) && /[/\\]/.test(folder.charAt(bare.length)));
};

function judged(budget: BudgetDraft, own: BudgetCount): Budget {
  const { fromMs, toMs, count } = own.count();
  const { cost, calls, unpriced_calls } = count.sums;
  const state = cost > budget.max ? 'over' : cost >= budget.max * nearPart ? 'near' : 'within';
  const until = toMs === null ? null : isoOf(toMs * 1000);
  return { ...budget, from: isoOf(fromMs * 1000), to: until, spent: cost, calls, unpriced_calls, state };
}
