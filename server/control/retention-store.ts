import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

/** How many days traces are kept. */
export interface RetentionRules {
  /** For environments without a rule, and for traces of no environment; null for no rule. */
  keep_days: number | null;
  /** Those with a rule of their own. */
  environments: { environment_id: string; keep_days: number }[];
}

/** How long the traces of apps are kept. A rule goes with its environment or app. */
export interface RetentionStore {
  of(scope: Scope): Promise<RetentionRules>;
  /** Every app, with rules or without. */
  listApps(): Promise<Scope[]>;
  /** Replaces all rules of an app. @returns false when an environment is not one of the app */
  replace(by: Actor, scope: Scope, rules: RetentionRules): Promise<boolean>;
}
