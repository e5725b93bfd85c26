/**
 * Operations on environments, each as a saga with stored steps; `resume` continues those cut off by a crash. An interrupted creation is
 * undone, because its caller got no answer; all others are completed.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { CodeOutcome, Deployment, DeploymentDraft } from '../control/deployment-store.ts';
import type { Environment } from '../control/environment-store.ts';
import type { EnvironmentDraft, ReleasePlan, Saga } from '../control/saga-store.ts';
import type { SnapshotFile } from '../control/snapshot-store.ts';
import { must } from '../platform/assert.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import { type Handler, type Hosting, HostingFailed, HostingStopped, type Place } from './hosting.ts';

const retryMs = { first: 500, max: 60_000 };
const systemActor: Actor = { kind: 'system', id: 'deployer', ip: null };
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Starts a deployer and resumes the sagas of the previous one. */
export async function startDeployer(control: ControlStore, hosting: Hosting, log: Log): Promise<Deployer> {
  const deployer = new Deployer(control, hosting, log);
  await deployer.resume();
  return deployer;
}

export class Deployer {
  readonly #control: ControlStore;
  readonly #hosting: Hosting;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(control: ControlStore, hosting: Hosting, log: Log) {
    this.#control = control;
    this.#hosting = hosting;
    this.#log = log;
  }

  /**
   * @param max number of environments that the app may have; null for no limit
   * @throws LimitReached, or else Duplicate when the app has an environment with that name or pull request
   * @throws HostingFailed when the host failed; the environment does not exist then
   */
  async create(by: Actor, scope: Scope, draft: EnvironmentDraft, max: number | null): Promise<Environment> {
    const { saga } = await this.#control.sagas.create(by, scope, draft, max);
    try {
      const environment = await this.#control.sagas.settle(saga, await this.#hosting.provision(saga));
      if (!environment) throw new Error('The environment was deleted with its app');
      return environment;
    } catch (error) {
      this.#log.error('provisioning_failed', { environment_id: saga.environment_id, error: messageOf(error) });
      await this.#undo(saga);
      throw new HostingFailed(messageOf(error));
    }
  }

  /** False when the app has no such environment. @throws OperationInProgress */
  async remove(by: Actor, scope: Scope, environmentId: string): Promise<boolean> {
    const saga = await this.#control.sagas.remove(by, scope, environmentId);
    if (!saga) return false;
    try {
      await this.#hosting.remove(saga);
    } catch (error) {
      await this.#control.sagas.abandon(saga);
      throw error;
    }
    await this.#control.sagas.discard(saga);
    return true;
  }

  /** Removes the places of an app that has been deleted with all its environments. */
  async forget(places: readonly Place[]): Promise<void> {
    for (const place of places) await this.#hosting.remove(place);
  }

  /**
   * Promotes or rolls back. When this resolves the environment serves the files; the code follows.
   * @throws OperationInProgress
   */
  async release(by: Actor, scope: Scope, plan: ReleasePlan): Promise<Deployment> {
    const { saga, deployment } = await this.#control.sagas.release(by, scope, plan);
    // A failure occurs again below, where it is logged and retried.
    const pinned = await this.#control.sagas.pin(saga).catch(() => saga);
    if (pinned) this.#begin(() => this.#runSteps(pinned));
    return deployment;
  }

  /**
   * Deploys a commit to the default environment. Resolves when the environment serves its files, or the deployment has failed because they
   * could not be read or a later push replaced it. The code follows in the background.
   */
  async push(by: Actor, scope: Scope, draft: DeploymentDraft, read: () => Promise<readonly SnapshotFile[]>): Promise<Deployment> {
    const { deployments } = this.#control;
    const started = await deployments.start(by, scope, draft);
    const current = async () => (await deployments.find(scope, started.id)) ?? started;
    try {
      const synced = await deployments.sync(by, scope, started.id, await read());
      if (synced) this.#begin(() => this.#buildPushed(by, scope, synced.id));
    } catch (error) {
      this.#log.error('push_failed', { deployment_id: started.id, error: messageOf(error) });
      await deployments.fail(by, scope, started.id, messageOf(error));
    }
    return current();
  }

  /** Resumes interrupted sagas and restarts running code. Resolves when requests can be served. */
  async resume(): Promise<void> {
    const { sagas, deployments, environments } = this.#control;
    for (const saga of await sagas.unfinished()) {
      if (saga.kind === 'creation' || saga.kind === 'removal') await this.#undo(saga);
    }
    const places = await environments.listAllApps();
    await this.#hosting.keepOnly(new Set(places.map(({ environment_id }) => environment_id)));
    for (const place of places) this.#begin(() => this.#restart(place));
    for (const saga of await sagas.unfinished()) this.#begin(() => this.#runSteps(saga));
    for (const { scope, deployment } of await deployments.unfinished()) {
      if (deployment.files_status === 'synced') this.#begin(() => this.#buildPushed(systemActor, scope, deployment.id));
      else await deployments.fail(systemActor, scope, deployment.id, 'The gateway was stopped before the files were read');
    }
  }

  /** Stops all code. Unfinished sagas resume at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#hosting.stop();
    await Promise.all(this.#running);
  }

  /**
   * Removes the record first, which frees its name. A failure of the host is retried in the background; a starting gateway removes all places
   * without a record.
   */
  async #undo(saga: Saga): Promise<void> {
    const steps = async () => {
      await this.#control.sagas.discard(saga);
      await this.#hosting.remove(saga);
    };
    try {
      await steps();
    } catch (error) {
      this.#log.error('environment_not_removed', { environment_id: saga.environment_id, error: messageOf(error) });
      this.#begin(steps);
    }
  }

  /** Runs one step after the other. */
  async #runSteps(saga: Saga): Promise<void> {
    for (let next: Saga | null = saga; next; ) next = await this.#step(next);
  }

  async #step(saga: Saga): Promise<Saga | null> {
    const { sagas } = this.#control;
    const stored = await sagas.find(saga.id);
    // It may have been deleted with its app.
    if (!stored) return null;
    const current = { ...saga, step: stored.step };
    if (current.step === 'begun') return sagas.pin(current);
    if (current.step === 'pinned')
      return sagas.built(current, await this.#build(current, must(current.deployment_id, 'a pinned saga has one')));
    await sagas.finish(current);
    return null;
  }

  async #buildPushed(by: Actor, scope: Scope, deploymentId: string): Promise<void> {
    const { deployments, environments } = this.#control;
    const environment = await environments.findDefault(scope);
    if (!environment || (await deployments.find(scope, deploymentId))?.deployment_status !== 'running') return;
    const code = await this.#build({ scope, environment_id: environment.id }, deploymentId);
    await deployments.finish(by, scope, deploymentId, code);
  }

  async #restart(place: Place): Promise<void> {
    const running = await this.#control.deployments.findRunningCode(place.scope, place.environment_id);
    if (!running) return;
    const { code_failure_reason } = await this.#build(place, running.id);
    if (code_failure_reason) this.#log.error('code_not_running', { deployment_id: running.id, error: code_failure_reason });
  }

  async #build({ scope, environment_id }: Place, deployment_id: string): Promise<CodeOutcome> {
    const handler = await this.#handlerOf(scope, deployment_id);
    const files = async () => (await this.#control.snapshots.files(scope, deployment_id)) ?? [];
    try {
      return await this.#hosting.deploy({ scope, environment_id, deployment_id, handler, files });
    } catch (error) {
      if (error instanceof HostingStopped) throw error;
      return { code_status: 'failed', code_failure_reason: messageOf(error) };
    }
  }

  /** The app's settings name the file; a project without it has no code. */
  async #handlerOf(scope: Scope, deploymentId: string): Promise<Handler | null> {
    const app = await this.#control.apps.find(scope.tenant_id, scope.app_id);
    const entry_point = app?.entry_point?.replace(/^\.\//, '');
    if (!entry_point || (await this.#control.snapshots.text(scope, deploymentId, entry_point)) === null) return null;
    return { entry_point, runtime: app?.runtime ?? 'nodejs' };
  }

  /** Runs in the background. Failures there are temporary storage errors, retried until the gateway stops. */
  #begin(work: () => Promise<void>): void {
    const { signal } = this.#stopping;
    const retry = async () => {
      for (let pauseMs = retryMs.first; !signal.aborted; pauseMs = Math.min(2 * pauseMs, retryMs.max)) {
        try {
          return await work();
        } catch (error) {
          if (signal.aborted) return;
          this.#log.error('deployer_retries', { error: messageOf(error), pause_ms: pauseMs });
          await after(pauseMs, undefined, { signal }).catch(() => {});
        }
      }
    };
    const running = retry().finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}
