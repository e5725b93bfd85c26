/**
 * Deploys pushes to the environments that follow the branch. An event only triggers a check of the branch: its current head is deployed, so
 * late, repeated or reordered events do no harm. Due links are stored, and each is deployed by the gateway that has its lease.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { DueLink, GitProvider } from '../control/git-store.ts';
import type { Deployer } from '../hosting/deployer.ts';
import type { Lease, Leases } from '../jobs/lease.ts';
import { Schedule } from '../jobs/schedule.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import type { GitConnections } from './git-connections.ts';
import { GitError, type PushEvent } from './git-host.ts';
import { readProject } from './read-project.ts';

const concurrency = 4;
/** Pause between two looks for due links. */
const roundMs = 5_000;
const retryMs = 1000;
const attemptsMax = 3;
const messageCharsMax = 1000;
const systemActor: Actor = { kind: 'system', id: 'git', ip: null };

interface PushParts {
  control: ControlStore;
  connections: GitConnections;
  deployer: Deployer;
  leases: Leases;
  log: Log;
}

export class PushDeployments {
  readonly #control: ControlStore;
  readonly #connections: GitConnections;
  readonly #deployer: Deployer;
  readonly #log: Log;
  readonly #leases: Leases;
  readonly #schedule: Schedule;
  readonly #stopping = new AbortController();

  constructor({ control, connections, deployer, leases, log }: PushParts) {
    this.#control = control;
    this.#connections = connections;
    this.#deployer = deployer;
    this.#leases = leases;
    this.#log = log;
    this.#schedule = new Schedule(
      () => this.#round(),
      roundMs,
      (error) => this.#logWaiting(error),
    );
  }

  /** Resolves when the due links are stored. False for a repeated event, or a branch that no app follows. */
  async receive(provider: GitProvider, push: PushEvent): Promise<boolean> {
    const followers = await this.#control.git.receivePush({ provider, ...push });
    if (!followers) return false;
    this.open();
    return true;
  }

  /** Deploys the head of the linked branch of an app in the background, as after a push. */
  async deployNow(by: Actor, scope: Scope): Promise<void> {
    await this.#control.git.makeDue(by, scope);
    this.open();
  }

  /** Deploys the due links in the background: now, and whenever there are any. */
  open(): void {
    void this.#schedule.now();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#schedule.stop();
  }

  async #round(): Promise<void> {
    const due = await this.#control.git.due();
    for (let from = 0; from < due.length && !this.#stopping.signal.aborted; from += concurrency) {
      await Promise.all(due.slice(from, from + concurrency).map((link) => this.#deployLink(link)));
    }
  }

  async #deployLink({ scope, due_since }: DueLink): Promise<void> {
    let lease: Lease | null = null;
    try {
      lease = await this.#leases.claim(`push/${scope.app_id}`);
      if (!lease) return;
      await this.#deployHead(scope).catch((error: unknown) => this.#giveUp(scope, error));
      await this.#control.git.settle(lease.claim, scope, due_since);
    } catch (error) {
      this.#logWaiting(error);
    } finally {
      if (lease) await this.#leases.release(lease.claim);
    }
  }

  /** Gives up on a permanent error of the host; the next push tries again. */
  #giveUp({ app_id }: Scope, error: unknown): void {
    if (!(error instanceof GitError) || error.errorKind === 'unavailable') throw error;
    this.#log.error('push_not_deployed', { app_id, error: error.message });
  }

  #logWaiting(error: unknown): void {
    this.#log.error('push_waits', { error: error instanceof Error ? error.message : String(error) });
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
        await after(attempt * retryMs, undefined, { signal: this.#stopping.signal });
      }
    }
  }
}
