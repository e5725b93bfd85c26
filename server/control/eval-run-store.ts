import type { z } from 'zod';
import type { Reply } from '../../shared/contract/core/route.ts';
import type { evalRun } from '../../shared/contract/evaluation/evals.ts';
import type { Contract } from '../../shared/contract/index.ts';
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
  /** Key of the run; the store binds it to the run. */
  key: Omit<KeyDraft, 'name' | 'run_id'>;
}

/** Report about a run. Null properties stay unchanged. */
export interface EvalReport {
  status: Exclude<EvalStatus, 'queued'>;
  card: Fields | null;
  cost_usd: number | null;
  error: string | null;
}

/** Result of a report, with the state of the run. `late`: the run had ended, and nothing changed. */
export interface ReportResult {
  outcome: 'taken' | 'late';
  status: EvalStatus;
}

/** Runs of evaluations. A run ends once, and its key with it. */
export interface EvalRunStore {
  /** The run and its key, in one transaction. */
  create(by: Actor, scope: Scope, draft: EvalRunDraft): Promise<EvalRun>;
  find(scope: Scope, id: string): Promise<EvalRun | null>;
  /** With its results. */
  show(scope: Scope, id: string): Promise<ShownEvalRun | null>;
  /** Newest first, without cards. */
  list(scope: Scope, query: PageQuery & { status?: EvalStatus | undefined }): Promise<Page<ListedEvalRun>>;
  /**
   * Compares and sets the state in one statement: of concurrent reports that end a run, one wins. The same transaction revokes the key of an
   * ended run. Null for an unknown run.
   */
  report(by: Actor, scope: Scope, id: string, report: EvalReport): Promise<ReportResult | null>;
}
