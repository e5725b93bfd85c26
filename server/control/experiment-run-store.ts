import type { ExperimentRun } from '../../shared/contract/experiment-runs.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

export interface ExperimentRunDraft extends Pick<ExperimentRun, 'name' | 'dataset' | 'prompt' | 'evals'> {
  /** As its front matter has it, for lists. */
  prompt_name: string | null;
}

/** As it is kept. */
export interface KeptRun extends ExperimentRun {
  prompt_name: string | null;
}

export type Progress = Pick<ExperimentRun, 'rows_total' | 'rows_done' | 'rows_failed'>;

export interface RunEnd extends Progress {
  status: Exclude<ExperimentRun['status'], 'running'>;
  error: string | null;
}

/** The runs that were given to workers. Each ends once: whoever says so first is right. */
export interface ExperimentRunStore {
  /** Begins as running. */
  create(by: Actor, scope: Scope, draft: ExperimentRunDraft): Promise<KeptRun>;
  find(scope: Scope, id: string): Promise<KeptRun | null>;
  /** Newest first; the newest hundred. */
  running(scope: Scope): Promise<KeptRun[]>;
  /** Does nothing to one that has ended. */
  progress(scope: Scope, id: string, progress: Progress): Promise<void>;
  /** False when it has ended already, or there is none. */
  finish(by: Actor, scope: Scope, id: string, end: RunEnd): Promise<boolean>;
  /** Of all apps: fails every run that has not ended, because whoever watched over it is gone. */
  abandon(error: string): Promise<void>;
}
