import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { CodeOutcome, Deployment } from './deployment-store.ts';
import type { Environment } from './environment-store.ts';
import type { Claim } from './lease-store.ts';

/**
 * Sagas: operations on an environment in several steps, each in a transaction. A saga is stored until it has ended, with the lease of the
 * gateway that leads it, so that another one can resume it when that gateway has gone. Every step is idempotent, and changes nothing when the
 * lease is lost.
 *
 * - creation: `create`, then `settle`, or `discard` when hosting failed
 * - removal: `remove`, then `discard`, or `abandon`
 * - promotion, rollback: `release`, `pin`, `built`, `finish`
 *
 * An environment has one saga at a time; another one is refused with `OperationInProgress`.
 */
export interface SagaStore {
  /** Claims the unfinished sagas of all apps whose lease has ended, oldest first. */
  takeOver(holder: string): Promise<Saga[]>;
  /** Last completed step. Null once the saga has ended, its environment was deleted, or the lease is lost. */
  step(saga: Saga): Promise<Saga['step'] | null>;

  /**
   * Creates the environment and its saga.
   * @param max number of environments that the app may have; null for no limit
   * @throws LimitReached, or else Duplicate when the app has one of that name, or of that pull request
   */
  create(
    by: Actor,
    scope: Scope,
    draft: EnvironmentDraft,
    max: number | null,
    holder: string,
  ): Promise<{ saga: Saga; environment: Environment }>;
  /** Ends a creation. Null when the saga has ended otherwise. */
  settle(saga: Saga, hosting_app_name: string | null): Promise<Environment | null>;

  /** Null when the app has no such environment. @throws OperationInProgress */
  remove(by: Actor, scope: Scope, environmentId: string, holder: string): Promise<Saga | null>;
  /** Deletes the environment with all its records here, including the saga. Changes nothing when the saga has ended. */
  discard(saga: Saga): Promise<void>;
  /** Ends a failed removal. */
  abandon(saga: Saga): Promise<void>;

  /**
   * Begins a promotion or rollback with the next version, which is never used again.
   * @throws OperationInProgress when another one runs, or has ended since the environment was read: its epoch has changed
   */
  release(by: Actor, scope: Scope, plan: ReleasePlan, holder: string): Promise<{ saga: Saga; deployment: Deployment }>;
  /**
   * Copies the snapshot of the source and makes the environment serve it, atomically. When the source was deleted, the deployment and the
   * saga fail. Null when the saga has ended.
   */
  pin(saga: Saga): Promise<Saga | null>;
  /** Records the outcome of the code; the first one counts. Null when the saga has ended. */
  built(saga: Saga, code: CodeOutcome): Promise<Saga | null>;
  /** Ends the deployment and the saga. */
  finish(saga: Saga): Promise<void>;
}

export interface Saga {
  id: string;
  kind: 'creation' | 'removal' | 'promotion' | 'rollback';
  /** Last completed step. */
  step: 'begun' | 'pinned' | 'built';
  scope: Scope;
  environment_id: string;
  /** For promotions and rollbacks. */
  deployment_id: string | null;
  /** Epoch of the environment at the start of the saga. */
  epoch: number;
  /** Actor who requested it. */
  by: Actor;
  claim: Claim;
}

export interface EnvironmentDraft {
  name: string;
  /** Makes it the preview of a pull request. */
  pr_number: number | null;
}

export interface ReleasePlan {
  kind: 'promotion' | 'rollback';
  /** Target environment as it was read. */
  environment: Environment;
  source_env_id: string;
  /** Deployment whose files and code are released; null for a default environment without a push. */
  source_deployment_id: string | null;
  commit_sha: string;
  note: string | null;
}

/** Another operation of the environment is in progress. */
export class OperationInProgress extends Error {
  /** Null when it has ended by now. */
  readonly in_flight_saga_id: string | null;

  constructor(sagaId: string | null) {
    super('Another operation of the environment is in progress');
    this.name = 'OperationInProgress';
    this.in_flight_saga_id = sagaId;
  }
}
