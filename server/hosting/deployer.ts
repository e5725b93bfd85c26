/**
 * Operations on environments, each as a saga with stored steps. Those of a gateway that has gone are taken over by another one: an interrupted
 * creation is undone, because its caller got no answer; all others are completed.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { CodeOutcome, Deployment, DeploymentDraft, RunningDeployment } from '../control/deployment-store.ts';
import type { Environment } from '../control/environment-store.ts';
import type { Claim } from '../control/lease-store.ts';
import type { EnvironmentDraft, ReleasePlan, Saga } from '../control/saga-store.ts';
import type { SnapshotFile } from '../control/snapshot-store.ts';
import type { Lease, Leases } from '../jobs/lease.ts';
import type { Schedule } from '../jobs/schedule.ts';
import { must } from '../platform/assert.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import { type Handler, type Hosting, HostingFailed, HostingStopped, type Place } from './hosting.ts';

const retryMs = { first: 500, max: 60_000 };
const systemActor: Actor = { kind: 'system', id: 'deployer', ip: null };
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface DeployerParts {
  control: ControlStore;
  hosting: Hosting;
  leases: Leases;
  log: Log;
}

/** Starts a deployer with the work of gateways that have gone. */
export async function startDeployer(parts: DeployerParts): Promise<Deployer> {
  const deployer = new Deployer(parts);
  await deployer.open();
  return deployer;
}

export class Deployer {
  readonly #control: ControlStore;
  readonly #hosting: Hosting;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  readonly #leases: Leases;
  readonly #running = new Set<Promise<void>>();
  readonly #takingOver: Schedule;
  /** Lease of the code that runs in the environments. */
  #code: Lease | null = null;

  constructor({ control, hosting, leases, log }: DeployerParts) {
    this.#control = control;
    this.#hosting = hosting;
    this.#leases = leases;
    this.#log = log;
    this.#takingOver = leases.takeOver('deployer_takes_over_nothing', () => this.#takeOver());
  }

  /** Resolves when requests can be served. */
  async open(): Promise<void> {
    const places = await this.#control.environments.listAllApps();
    await this.#hosting.keepOnly(new Set(places.map(({ environment_id }) => environment_id)));
    await this.#takingOver.open();
  }

  /**
   * @param max number of environments that the app may have; null for no limit
   * @throws LimitReached, or else Duplicate when the app has an environment with that name or pull request
   * @throws HostingFailed when the host failed; the environment does not exist then
   */
  async create(by: Actor, scope: Scope, draft: EnvironmentDraft, max: number | null): Promise<Environment> {
    const { saga } = await this.#control.sagas.create(by, scope, draft, max, this.#leases.holder);
    this.#leases.keep(saga.claim);
    try {
      const environment = await this.#control.sagas.settle(saga, await this.#hosting.provision(saga));
      if (!environment) throw new Error('The environment was deleted meanwhile');
      return environment;
    } catch (error) {
      this.#log.error('provisioning_failed', { environment_id: saga.environment_id, error: messageOf(error) });
      await this.#undo(saga);
      throw new HostingFailed(messageOf(error));
    }
  }

  /** False when the app has no such environment. @throws OperationInProgress */
  async remove(by: Actor, scope: Scope, environmentId: string): Promise<boolean> {
    const saga = await this.#control.sagas.remove(by, scope, environmentId, this.#leases.holder);
    if (!saga) return false;
    this.#leases.keep(saga.claim);
    try {
      await this.#hosting.remove(saga);
    } catch (error) {
      await this.#orRelease([saga.claim], () => this.#control.sagas.abandon(saga));
      throw error;
    }
    await this.#orRelease([saga.claim], () => this.#control.sagas.discard(saga));
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
    const { saga, deployment } = await this.#control.sagas.release(by, scope, plan, this.#leases.holder);
    this.#leases.keep(saga.claim);
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
    const running = await deployments.start(by, scope, draft, this.#leases.holder);
    const { deployment } = running;
    this.#leases.keep(running.claim);
    try {
      const synced = await deployments.sync(by, running, await read());
      if (synced) this.#begin(() => this.#buildPushed(by, running));
    } catch (error) {
      this.#log.error('push_failed', { deployment_id: deployment.id, error: messageOf(error) });
      await this.#orRelease([running.claim], () => deployments.fail(by, running, messageOf(error)));
    }
    return (await deployments.find(scope, deployment.id)) ?? deployment;
  }

  /** Continues the work of gateways that have gone, and restarts the code that they ran. */
  async #takeOver(): Promise<void> {
    const { sagas, deployments } = this.#control;
    const taken = await sagas.takeOver(this.#leases.holder);
    const running = await deployments.takeOver(this.#leases.holder);
    const claims = [...taken, ...running].map(({ claim }) => claim);
    for (const claim of claims) this.#leases.keep(claim);
    await this.#orRelease(claims, async () => {
      for (const saga of taken) if (saga.kind === 'creation' || saga.kind === 'removal') await this.#undo(saga);
      await this.#takeOverCode();
      for (const saga of taken) if (saga.kind === 'promotion' || saga.kind === 'rollback') this.#begin(() => this.#runSteps(saga));
      for (const each of running) {
        if (each.deployment.files_status === 'synced') this.#begin(() => this.#buildPushed(systemActor, each));
        else
          this.#begin(async () => void (await deployments.fail(systemActor, each, 'The gateway was stopped before the files were read')));
      }
    });
  }

  async #takeOverCode(): Promise<void> {
    if (this.#code && !this.#code.lost.aborted) return;
    const lease = await this.#leases.claim('hosting');
    if (!lease) return;
    await this.#orRelease([lease.claim], async () => {
      for (const place of await this.#control.environments.listAllApps()) this.#begin(() => this.#restart(place));
    });
    this.#code = lease;
  }

  /** Stops all code. Unfinished sagas are for the next gateway. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#takingOver.stop();
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
      await this.#leases.release(saga.claim);
    };
    try {
      await steps();
    } catch (error) {
      this.#log.error('environment_not_removed', { environment_id: saga.environment_id, error: messageOf(error) });
      this.#begin(steps);
    }
  }

  /** Lets a gateway take over what could not be ended. */
  async #orRelease(claims: readonly Claim[], work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      for (const claim of claims) await this.#leases.release(claim);
      throw error;
    }
  }

  /** Runs one step after the other. */
  async #runSteps(saga: Saga): Promise<void> {
    for (let next: Saga | null = saga; next; ) next = await this.#step(next);
    // Still held if the environment was deleted meanwhile.
    await this.#leases.release(saga.claim);
  }

  async #step(saga: Saga): Promise<Saga | null> {
    const { sagas } = this.#control;
    const step = await sagas.step(saga);
    if (!step) return null;
    const current = { ...saga, step };
    if (current.step === 'begun') return sagas.pin(current);
    if (current.step === 'pinned')
      return sagas.built(current, await this.#build(current, must(current.deployment_id, 'a pinned saga has one')));
    await sagas.finish(current);
    return null;
  }

  async #buildPushed(by: Actor, running: RunningDeployment): Promise<void> {
    const { deployments, environments } = this.#control;
    const { scope } = running;
    const deploymentId = running.deployment.id;
    const environment = await environments.findDefault(scope);
    if (!environment || (await deployments.find(scope, deploymentId))?.deployment_status !== 'running') return;
    const code = await this.#build({ scope, environment_id: environment.id }, deploymentId);
    await deployments.finish(by, running, code);
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
