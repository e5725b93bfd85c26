import type { z } from 'zod';
import type { evalRun } from '../../shared/contract/evals.ts';
import type { Contract } from '../../shared/contract/index.ts';
import type { Reply } from '../../shared/contract/route.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { KeyDraft } from './key-store.ts';

export type EvalRun = z.output<typeof evalRun>;
export type EvalStatus = EvalRun['status'];
export type ListedEvalRun = Reply<Contract['viewerEvals']['runs']>['data'][number];
export type ShownEvalRun = Reply<Contract['viewerEvals']['run']>['data'];

type Fields = Record<string, unknown>;

export interface EvalRunDraft {
  name: string | null;
  experiment_key: string | null;
  metadata: Fields | null;
  /** Of the key that the run works with; the store binds it to the run. */
  key: Omit<KeyDraft, 'name' | 'run_id'>;
}

/** What somebody says of a run. What is null is not said. */
export interface EvalReport {
  status: Exclude<EvalStatus, 'queued'>;
  card: Fields | null;
  cost_usd: number | null;
  error: string | null;
}

/** What became of a report, and the state of the run after it. `late`: the run had ended, and nothing was changed. */
export interface Reported {
  outcome: 'taken' | 'late';
  status: EvalStatus;
}

/** Runs of evaluations. A run ends once, and its key with it. */
export interface EvalRunStore {
  /** The run and its key, in one transaction. */
  create(by: Actor, scope: Scope, draft: EvalRunDraft): Promise<EvalRun>;
  find(scope: Scope, id: string): Promise<EvalRun | null>;
  /** With what came of it. */
  show(scope: Scope, id: string): Promise<ShownEvalRun | null>;
  /** Newest first, without cards. */
  list(scope: Scope, query: PageQuery & { status?: EvalStatus | undefined }): Promise<Page<ListedEvalRun>>;
  /**
   * Decided by comparing and setting the state in one statement: of reports that end a run, one is taken, whoever else reports meanwhile.
   * In the same transaction the key of a run that ends is revoked. Null when there is no such run.
   */
  report(by: Actor, scope: Scope, id: string, report: EvalReport): Promise<Reported | null>;
}
