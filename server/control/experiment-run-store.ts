import type { ExperimentRun } from '../../shared/contract/evaluation/experiment-runs.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { Claim } from './lease-store.ts';

export interface ExperimentRunDraft extends Pick<ExperimentRun, 'name' | 'dataset' | 'prompt' | 'evals'> {
  /** From the front matter, for lists. */
  prompt_name: string | null;
}

/** Stored run. */
export interface StoredRun extends ExperimentRun {
  prompt_name: string | null;
}

export type Progress = Pick<ExperimentRun, 'rows_total' | 'rows_done' | 'rows_failed'>;

export interface RunEnd extends Progress {
  status: Exclude<ExperimentRun['status'], 'running'>;
  error: string | null;
}

/** Experiment runs given to eval workers. Each ends once: the first end counts. */
export interface ExperimentRunStore {
  /** Creates it as running, with the lease of the gateway that runs it. */
  create(by: Actor, scope: Scope, draft: ExperimentRunDraft, holder: string): Promise<{ run: StoredRun; claim: Claim }>;
  find(scope: Scope, id: string): Promise<StoredRun | null>;
  /** Newest first; the newest hundred. */
  running(scope: Scope): Promise<StoredRun[]>;
  /** Ignored for an ended run. */
  progress(scope: Scope, id: string, progress: Progress): Promise<void>;
  /** Ends the run and its lease. False for an ended or unknown run. */
  finish(by: Actor, scope: Scope, id: string, end: RunEnd): Promise<boolean>;
  /** Fails the unfinished runs of all apps whose lease has ended, because the gateway that ran them has stopped. */
  abandon(error: string): Promise<void>;
}
