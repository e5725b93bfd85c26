/**
 * Brings what was pushed to the environments that follow. An event only says that there is something new: what is deployed is what the
 * branch points to when we look, so an event that is late, repeated or out of order does no harm. What is due is kept, and taken up again
 * after a stop.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { Actor } from '../control/actor.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { DueLink, GitProvider } from '../control/git-store.ts';
import type { Deployer } from '../hosting/deployer.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import type { GitConnections } from './git-connections.ts';
import type { PushEvent } from './git-host.ts';
import { readProject } from './read-project.ts';

const atOnce = 4;
const retryMs = { first: 1000, most: 60_000 };
const messageCharsMax = 1000;
const ourselves: Actor = { kind: 'system', id: 'git', ip: null };

export class PushDeployments {
  readonly #control: ControlStore;
  readonly #connections: GitConnections;
  readonly #deployer: Deployer;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;

  constructor(control: ControlStore, connections: GitConnections, deployer: Deployer, log: Log) {
    this.#control = control;
    this.#connections = connections;
    this.#deployer = deployer;
    this.#log = log;
  }

  /** Resolves when it is kept what is to be done. False when nothing is: it is known already, or nobody follows the branch. */
  async receive(provider: GitProvider, push: PushEvent): Promise<boolean> {
    const followers = await this.#control.git.receivePush({ provider, ...push });
    if (!followers) return false;
    this.resume();
    return true;
  }

  /** Begins with what is due, when it is not under way. */
  resume(): void {
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping;
    for (let pauseMs = retryMs.first; !signal.aborted; ) {
      const due = await this.#control.git.due();
      if (due.length === 0) return;
      const done = await this.#round(due);
      if (done) pauseMs = retryMs.first;
      else {
        await after(pauseMs, undefined, { signal }).catch(() => {});
        pauseMs = Math.min(2 * pauseMs, retryMs.most);
      }
    }
  }

  /** False when none of them could be done. */
  async #round(due: readonly DueLink[]): Promise<boolean> {
    let done = false;
    for (let from = 0; from < due.length && !this.#stopping.signal.aborted; from += atOnce) {
      const results = await Promise.all(due.slice(from, from + atOnce).map((link) => this.#take(link)));
      done ||= results.includes(true);
    }
    return done;
  }

  async #take({ scope, due_since }: DueLink): Promise<boolean> {
    try {
      await this.#deployHead(scope);
      await this.#control.git.settle(scope, due_since);
      return true;
    } catch (error) {
      this.#log.error('push_waits', { app_id: scope.app_id, error: error instanceof Error ? error.message : String(error) });
      return false;
    }
  }

  async #deployHead(scope: Scope): Promise<void> {
    const { git, environments, apps, snapshots } = this.#control;
    const link = await git.findLink(scope);
    const connected = link && (await this.#connections.find(scope));
    const environment = await environments.findDefault(scope);
    if (!link || !connected || !environment) return;
    const { repository_id: id, repository: full_name, branch } = link;
    const repository = { id, full_name, name: full_name, default_branch: branch };
    const head = await connected.host.head(connected.reach, repository, branch);
    if (!head || head.sha === environment.current_commit_sha) return;
    const app = await apps.find(scope.tenant_id, scope.app_id);
    const draft = {
      ...{ deployment_type: 'push', branch, commit_sha: head.sha } as const,
      commit_message: head.message?.slice(0, messageCharsMax) ?? null,
      initiated_by: head.author ?? link.provider,
    };
    await this.#deployer.push(ourselves, scope, draft, async () => {
      const { latest_deployment_id } = environment;
      const before = latest_deployment_id === null ? null : await snapshots.files(scope, latest_deployment_id);
      return readProject({ connected, repository, sha: head.sha }, app?.entry_point ?? null, before ?? []);
    });
  }
}
