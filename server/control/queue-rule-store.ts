import type { QueueRule, QueueRuleDraft, RuleProblem } from '../../shared/contract/evaluation/queue-rules.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

export interface RulePlace {
  queueId: string;
  ruleId: string;
}

/** How many rules there may be. */
interface RuleLimits {
  ofQueue: number;
  ofApp: number;
}

/** Days for which it is known what a rule has added, which is longer than any round looks back. */
export const rememberedDays = 3;

/** Rules that fill queues. A trace is added at most once to a queue by rules, also when its item is removed. */
export interface QueueRuleStore {
  /** Oldest first. Null for an unknown queue. */
  list(scope: Scope, queueId: string): Promise<QueueRule[] | null>;
  /** @throws LimitReached */
  create(by: Actor, scope: Scope, queueId: string, draft: QueueRuleDraft, max: RuleLimits): Promise<QueueRule | null>;
  /** A change of the filter or share, and a resumption, hold for traces that start from now on. */
  replace(by: Actor, scope: Scope, place: RulePlace, draft: QueueRuleDraft): Promise<QueueRule | null>;
  remove(by: Actor, scope: Scope, place: RulePlace): Promise<boolean>;
  /** Notes that a rule has been looked at now, and what kept it from finding all traces. Not in the audit log. */
  note(scope: Scope, place: RulePlace, problem: RuleProblem | null): Promise<void>;
  /** Rules that are not paused, of queues that are active, of every app. */
  listActive(): Promise<{ scope: Scope; rule: QueueRule }[]>;
  /**
   * Adds those of the traces that rules have not added before, and that are not in the queue, up to the limit of the day. Nothing for a rule
   * that is paused or gone, or whose queue is not active. Once the limit is reached, the rule holds for traces that start on the next day: those
   * of today that it has passed over would be the first of tomorrow.
   * @param traceIds at most 500
   * @returns how many were added, and whether no more can be added today
   */
  fill(by: Actor, scope: Scope, place: RulePlace, traceIds: readonly string[]): Promise<{ added: number; isFull: boolean }>;
}
