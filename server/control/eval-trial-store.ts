import type { z } from 'zod';
import type { Reply } from '../../shared/contract/core/route.ts';
import type { trial } from '../../shared/contract/evaluation/evals.ts';
import type { Contract } from '../../shared/contract/index.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { EvalStatus } from './eval-run-store.ts';

export type Trial = z.output<typeof trial>;
export type EvalTask = Reply<Contract['viewerEvals']['tasks']>['data'][number];

/** Results of the trials of a run. */
export interface EvalTrialStore {
  /**
   * Stores all trials or none, in one transaction, so callers keep batches short. A trial replaces an earlier one of the same task and index.
   * @returns the state of the run when it has ended and nothing was stored; null for an unknown run
   */
  add(
    by: Actor,
    scope: Scope,
    runId: string,
    trials: readonly Trial[],
  ): Promise<{ added: number; updated: number } | { ended: EvalStatus } | null>;
  /** By task and index. */
  list(scope: Scope, runId: string, query: PageQuery & { status?: Trial['status'] | undefined }): Promise<Page<Trial>>;
  /** Trials grouped by task; tasks with mostly failing trials first. */
  tasks(scope: Scope, runId: string, query: PageQuery): Promise<Page<EvalTask>>;
}
