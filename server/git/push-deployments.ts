/**
 * Deploys pushes to the environments that follow the branch. An event only triggers a check of the branch: its current head is deployed, so
 * late, repeated or reordered events do no harm. Due links are stored, and resumed after a stop.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { DueLink, GitProvider } from '../control/git-store.ts';
import type { Deployer } from '../hosting/deployer.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import type { GitConnections } from './git-connections.ts';
import { GitError, type PushEvent } from './git-host.ts';
import { readProject } from './read-project.ts';

const concurrency = 4;
const retryMs = { first: 1000, max: 10_000 };
const attemptsMax = 3;
const messageCharsMax = 1000;
const systemActor: Actor = { kind: 'system', id: 'git', ip: null };

export class PushDeployments {
  readonly #control: ControlStore;
  readonly #connections: GitConnections;
  readonly #deployer: Deployer;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;
  #isRequested = false;

  constructor(control: ControlStore, connections: GitConnections, deployer: Deployer, log: Log) {
    this.#control = control;
    this.#connections = connections;
    this.#deployer = deployer;
    this.#log = log;
  }

  /** Resolves when the due links are stored. False for a repeated event, or a branch that no app follows. */
  async receive(provider: GitProvider, push: PushEvent): Promise<boolean> {
    const followers = await this.#control.git.receivePush({ provider, ...push });
    if (!followers) return false;
    this.resume();
    return true;
  }

  /** Starts with the due links, or schedules another pass. */
  resume(): void {
    this.#isRequested = true;
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let pauseMs = retryMs.first; this.#isRequested && !signal.aborted; ) {
      this.#isRequested = false;
      const left = await this.#round().catch((error: unknown) => this.#logWaiting(error));
      if (left === 0) continue;
      await after(pauseMs, undefined, { signal }).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, retryMs.max);
      this.#isRequested = true;
    }
    // In the same turn as the last check, so that no request is lost in between.
    this.#running = null;
  }

  /** @returns how many links are left */
  async #round(): Promise<number> {
    const due = await this.#control.git.due();
    let left = 0;
    for (let from = 0; from < due.length && !this.#stopping.signal.aborted; from += concurrency) {
      const results = await Promise.all(due.slice(from, from + concurrency).map((link) => this.#deployLink(link)));
      left += results.filter((isDone) => !isDone).length;
    }
    return left;
  }

  async #deployLink({ scope, due_since }: DueLink): Promise<boolean> {
    try {
      await this.#deployHead(scope).catch((error: unknown) => this.#giveUp(scope, error));
      await this.#control.git.settle(scope, due_since);
      return true;
    } catch (error) {
      this.#logWaiting(error);
      return false;
    }
  }

  /** Gives up on a permanent error of the host; the next push tries again. */
  #giveUp({ app_id }: Scope, error: unknown): void {
    if (!(error instanceof GitError) || error.errorKind === 'unavailable') throw error;
    this.#log.error('push_not_deployed', { app_id, error: error.message });
  }

  /** @returns 1, for the links that are left */
  #logWaiting(error: unknown): number {
    this.#log.error('push_waits', { error: error instanceof Error ? error.message : String(error) });
    return 1;
  }

  async #deployHead(scope: Scope): Promise<void> {
    const { git, environments, apps, snapshots } = this.#control;
    const link = await git.findLink(scope);
    const connected = link && (await this.#connections.find(scope));
    const environment = await environments.findDefault(scope);
    if (!link || !connected || !environment) return;
    const { repository_id: id, repository: full_name, branch } = link;
    const repository = { id, full_name, name: full_name, default_branch: branch };
    const head = await connected.host.head(connected.access, repository, branch);
    if (!head || head.sha === environment.current_commit_sha) return;
    const app = await apps.find(scope.tenant_id, scope.app_id);
    const draft = {
      ...({ deployment_type: 'push', branch, commit_sha: head.sha } as const),
      commit_message: head.message?.slice(0, messageCharsMax) ?? null,
      initiated_by: head.author ?? link.provider,
    };
    await this.#deployer.push(systemActor, scope, draft, async () => {
      const { latest_deployment_id } = environment;
      const before = latest_deployment_id === null ? null : await snapshots.files(scope, latest_deployment_id);
      return this.#withRetries(() => readProject({ connected, repository, sha: head.sha }, app?.entry_point ?? null, before ?? []));
    });
  }

  /** A host that does not answer for a moment does not fail a deployment. */
  async #withRetries<T>(read: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await read();
      } catch (error) {
        if (attempt === attemptsMax || !(error instanceof GitError) || error.errorKind !== 'unavailable') throw error;
        await after(attempt * retryMs.first, undefined, { signal: this.#stopping.signal });
      }
    }
  }
}
