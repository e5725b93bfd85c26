import type { BudgetDraft } from '../../shared/contract/viewer/budget-shape.ts';
import type { Budget } from '../../shared/contract/viewer/budgets.ts';
import type { Spending } from '../../shared/contract/viewer/spending.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

export interface SpendingQuery {
  from_ms: number;
  /** Excluded. */
  to_ms: number;
  now_ms: number;
  time_zone: string;
}

/** What model calls cost, on the machine of the only user. */
export interface SpendingReader {
  of(scope: Scope, query: SpendingQuery): Promise<Encoded<Spending>>;
  /** In the order of the budgets. */
  budgets(scope: Scope, budgets: readonly BudgetDraft[], at: Pick<SpendingQuery, 'now_ms' | 'time_zone'>): Promise<Encoded<Budget[]>>;
}
