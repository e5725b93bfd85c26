import type { z } from 'zod';
import type { escalation, storedEscalation } from '../../shared/contract/evaluation/evals.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

export type Escalation = z.output<typeof storedEscalation>;
export type EscalationDraft = z.output<typeof escalation>;

/** Escalations: items that workers hand to people after their attempts. */
export interface EscalationStore {
  /** @param runId run of the key; null for another key */
  create(by: Actor, scope: Scope, runId: string | null, draft: EscalationDraft): Promise<Escalation>;
  /** Escalations of a run, newest first. */
  list(scope: Scope, runId: string, query: PageQuery): Promise<Page<Escalation>>;
}
