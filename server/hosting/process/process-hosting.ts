import type { CodeOutcome } from '../../control/deployment-store.ts';
import { ProjectError } from '../../project/project-error.ts';
import { type Hosting, HostingFailed, type HostingStatus, HostingStopped, type Place, type Release } from '../hosting.ts';
import { HandlerProcess, type HandlerTimeouts } from './handler-process.ts';
import { Workspaces } from './workspace.ts';

const standardTimeouts: HandlerTimeouts = { readyMs: 30_000, restartMs: 500, restartMaxMs: 60_000, endMs: 5000 };

/**
 * Runs handlers as processes on this machine. A handler is a self-contained Node program that serves HTTP on the port in `PORT`; nothing is
 * installed for it.
 */
export class ProcessHosting implements Hosting {
  readonly #workspaces: Workspaces;
  readonly #timeouts: HandlerTimeouts;
  readonly #handlers = new Map<string, HandlerProcess>();
  /** The last operation of each environment, which the next one waits for. */
  readonly #turns = new Map<string, Promise<unknown>>();
  #isStopped = false;

  constructor(dataDir: string, timeouts: HandlerTimeouts = standardTimeouts) {
    this.#workspaces = new Workspaces(dataDir);
    this.#timeouts = timeouts;
  }

  async provision({ environment_id }: Place): Promise<string> {
    try {
      await this.#workspaces.prepare(environment_id);
    } catch (error) {
      throw new HostingFailed(`Its folder could not be created: ${(error as Error).message}`);
    }
    return `process-${environment_id}`;
  }

  remove({ environment_id }: Place): Promise<void> {
    return this.#inTurn(environment_id, async () => {
      await this.#replace(environment_id, null);
      await this.#workspaces.remove(environment_id);
    });
  }

  deploy(release: Release): Promise<CodeOutcome> {
    return this.#inTurn(release.environment_id, async () => {
      if (this.#isStopped) throw new HostingStopped();
      const failure = await this.#run(release);
      if (this.#isStopped) throw new HostingStopped();
      if (failure !== null) return { code_status: 'failed', code_failure_reason: failure };
      return { code_status: release.handler ? 'deployed' : 'skipped', code_failure_reason: null };
    });
  }

  status(environmentId: string): HostingStatus {
    const handler = this.#handlers.get(environmentId);
    if (!handler) return 'empty';
    return handler.isHealthy ? 'running' : 'restarting';
  }

  keepOnly(environmentIds: ReadonlySet<string>): Promise<void> {
    return this.#workspaces.keepOnly(environmentIds);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#handlers.values(), ...this.#starting].map((handler) => handler.stop()));
    await Promise.allSettled(this.#turns.values());
  }

  readonly #starting = new Set<HandlerProcess>();

  /** Null when it runs or has nothing to run, otherwise the reason why it does not. */
  async #run({ environment_id, deployment_id, handler, files }: Release): Promise<string | null> {
    if (handler && handler.runtime !== 'nodejs') return `This host runs nodejs, not ${handler.runtime}`;
    if (!handler) {
      await this.#replace(environment_id, null);
      await this.#workspaces.keepRelease(environment_id, null);
      return null;
    }
    const next = await this.#start(environment_id, deployment_id, handler.entry_point, await files());
    if (typeof next === 'string') return next;
    await this.#replace(environment_id, next);
    await this.#workspaces.keepRelease(environment_id, deployment_id);
    return null;
  }

  async #start(environmentId: string, deploymentId: string, entryPoint: string, files: Awaited<ReturnType<Release['files']>>) {
    let folder: string;
    try {
      folder = await this.#workspaces.write(environmentId, deploymentId, files);
    } catch (error) {
      if (error instanceof ProjectError) return `A path in the project ${error.message}`;
      throw error;
    }
    const handler = new HandlerProcess(folder, entryPoint, this.#timeouts);
    this.#starting.add(handler);
    const failure = await handler.start();
    this.#starting.delete(handler);
    return failure ?? handler;
  }

  async #replace(environmentId: string, next: HandlerProcess | null): Promise<void> {
    const before = this.#handlers.get(environmentId);
    if (next) this.#handlers.set(environmentId, next);
    else this.#handlers.delete(environmentId);
    await before?.stop();
  }

  #inTurn<T>(environmentId: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(environmentId) ?? Promise.resolve()).then(work, work);
    const settled = turn.catch(() => {});
    this.#turns.set(environmentId, settled);
    void settled.then(() => this.#turns.get(environmentId) === settled && this.#turns.delete(environmentId));
    return turn;
  }
}
