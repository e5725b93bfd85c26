import type { z } from 'zod';
import type { escalation, keptEscalation } from '../../shared/contract/evals.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

export type Escalation = z.output<typeof keptEscalation>;
export type EscalationDraft = z.output<typeof escalation>;

/** What workers hand on to people when their attempts are used up. */
export interface EscalationStore {
  /** @param runId of the key that it came with; null when that is no key of a run */
  create(by: Actor, scope: Scope, runId: string | null, draft: EscalationDraft): Promise<Escalation>;
  /** Those of a run, newest first. */
  list(scope: Scope, runId: string, query: PageQuery): Promise<Page<Escalation>>;
}
