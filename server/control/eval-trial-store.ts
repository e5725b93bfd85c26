import type { z } from 'zod';
import type { trial } from '../../shared/contract/evals.ts';
import type { Contract } from '../../shared/contract/index.ts';
import type { Reply } from '../../shared/contract/route.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { EvalStatus } from './eval-run-store.ts';

export type Trial = z.output<typeof trial>;
export type EvalTask = Reply<Contract['viewerEvals']['tasks']>['data'][number];

/** What trials of a run came to. */
export interface EvalTrialStore {
  /**
   * All of them or none; the caller keeps a call short, because each is one transaction. One of the same task and index takes the place of the one before; the last counts.
   * @returns the state of the run, when it has ended and nothing was stored; null when there is no such run
   */
  add(
    by: Actor,
    scope: Scope,
    runId: string,
    trials: readonly Trial[],
  ): Promise<{ added: number; updated: number } | { ended: EvalStatus } | null>;
  /** By task and index. */
  list(scope: Scope, runId: string, query: PageQuery & { status?: Trial['status'] | undefined }): Promise<Page<Trial>>;
  /** Trials put together by task; those of which most do not pass first. */
  tasks(scope: Scope, runId: string, query: PageQuery): Promise<Page<EvalTask>>;
}
