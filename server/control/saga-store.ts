import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { CodeOutcome, Deployment } from './deployment-store.ts';
import type { Environment } from './environment-store.ts';

/**
 * Operations on an environment that take several steps, each of them one transaction. A saga is kept until it has ended, so that one that
 * was cut off is found at the next start and led to its end. Every step may be taken again: what is done already stays as it is.
 *
 * - creation: `create`, then `settle`, or `discard` when it could not be hosted
 * - removal: `remove`, then `discard`, or `abandon`
 * - promotion, rollback: `release`, `pin`, `built`, `finish`
 *
 * An environment has one saga at a time; another is refused with `OperationInProgress`.
 */
export interface SagaStore {
  /** Of every app, the oldest first. */
  unfinished(): Promise<Saga[]>;
  /** Null once it has ended, or its environment has gone. */
  find(id: string): Promise<Saga | null>;

  /**
   * Adds the environment, in its saga.
   * @throws Duplicate when the app has one of that name, or of that pull request
   */
  create(by: Actor, scope: Scope, draft: EnvironmentDraft): Promise<{ saga: Saga; environment: Environment }>;
  /** Ends a creation. */
  settle(saga: Saga, hosting_app_name: string | null): Promise<Environment>;

  /** @throws OperationInProgress */
  remove(by: Actor, scope: Scope, environmentId: string): Promise<Saga>;
  /** Deletes the environment with all that is kept of it here, and the saga with it. */
  discard(saga: Saga): Promise<void>;
  /** Ends a removal that did not come about. */
  abandon(saga: Saga): Promise<void>;

  /**
   * Begins a promotion or rollback: gives it the next version, which is never given again.
   * @throws OperationInProgress when another runs, or one ended after the environment was read: its epoch is another
   */
  release(by: Actor, scope: Scope, plan: ReleasePlan): Promise<{ saga: Saga; deployment: Deployment }>;
  /**
   * Copies the snapshot of the source and makes the environment serve it, all at once.
   * The deployment fails, and the saga with it, when the source has gone meanwhile: then null.
   */
  pin(saga: Saga): Promise<Saga | null>;
  /** Notes what became of the code. */
  built(saga: Saga, code: CodeOutcome): Promise<Saga>;
  /** Ends the deployment and the saga. */
  finish(saga: Saga): Promise<void>;
}

export interface Saga {
  id: string;
  kind: 'creation' | 'removal' | 'promotion' | 'rollback';
  /** What was done last. */
  step: 'begun' | 'pinned' | 'built';
  scope: Scope;
  environment_id: string;
  /** Of promotions and rollbacks. */
  deployment_id: string | null;
  /** That the environment had when the saga began. */
  epoch: number;
  /** Who asked for it. */
  by: Actor;
}

export interface EnvironmentDraft {
  name: string;
  /** Makes it the preview of a pull request. */
  pr_number: number | null;
}

export interface ReleasePlan {
  kind: 'promotion' | 'rollback';
  /** Where to, as it was read. */
  environment: Environment;
  source_env_id: string;
  /** Whose files and code are brought there; null for a default environment that nothing was pushed to. */
  source_deployment_id: string | null;
  commit_sha: string;
  note: string | null;
}

/** Something else is being done with the environment. */
export class OperationInProgress extends Error {
  /** Null when it has ended by now. */
  readonly in_flight_saga_id: string | null;

  constructor(sagaId: string | null) {
    super('Another operation of the environment is in progress');
    this.name = 'OperationInProgress';
    this.in_flight_saga_id = sagaId;
  }
}
