/**
 * Connection registry of several gateways. Each has the sockets that it accepted in a local registry, and the directory says which gateway has
 * the newest one of an app; jobs for the others' sockets go to them.
 */
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { JobResult } from '../../shared/worker-frames.ts';
import { type Notices, noticeScope } from '../coordination/notices.ts';
import type { SocketHolder, WorkerSockets } from '../coordination/worker-sockets.ts';
import { Schedule } from '../jobs/schedule.ts';
import type { Log } from '../platform/log.ts';
import { type Scope, scopeKey } from '../platform/scope.ts';
import { throttled } from '../platform/throttled.ts';
import { type ConnectionRegistry, type JobOrder, type WorkerAbout, type WorkerStatus, workerStatus } from './connection-registry.ts';
import type { LocalConnectionRegistry } from './local-connection-registry.ts';
import type { RemoteJobs } from './remote-jobs.ts';

const channel = 'worker_socket';
/** Two renewals may fail before the others take this gateway for gone. */
const renewMs = 5_000;
const renewSoonMs = 1_000;

const notice = z.strictObject({ scope: noticeScope, epoch: z.int() });

interface Parts {
  /** The sockets of this gateway. */
  local: LocalConnectionRegistry;
  remote: RemoteJobs;
  sockets: WorkerSockets;
  notices: Notices;
  /** This gateway. */
  holder: SocketHolder;
  log: Log;
}

/** A socket of this gateway. */
interface Held {
  scope: Scope;
  socket: WebSocket;
  /** Null until the directory has it. */
  epoch: number | null;
  /** Of the app, as far as other gateways have told. */
  newest: number;
}

export class SharedConnectionRegistry implements ConnectionRegistry {
  readonly #parts: Parts;
  /** By app. */
  readonly #held = new Map<string, Held>();
  /** By app. */
  readonly #claims = new Map<string, Promise<void>>();
  readonly #renewals: Schedule;
  /** However many notices were missed. */
  readonly #renewSoon = throttled(() => void this.#renewals.now(), renewSoonMs);
  readonly #unfollow: () => void;
  #isStopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#renewals = new Schedule(
      () => this.renew(),
      renewMs,
      (error) => parts.log.error('worker_sockets_not_renewed', { reason: String(error) }),
    );
    this.#unfollow = parts.notices.follow(channel, notice, {
      heard: ({ scope, epoch }) => this.#heard(scope, epoch),
      missed: () => this.#renewSoon.request(),
    });
  }

  start(): this {
    this.#renewals.start();
    return this;
  }

  register(scope: Scope, socket: WebSocket, about: WorkerAbout): void {
    this.#parts.local.register(scope, socket, about);
    if (this.#isStopped) return;
    const held: Held = { scope, socket, epoch: null, newest: 0 };
    this.#held.set(scopeKey(scope), held);
    socket.once('close', () => this.#closed(held));
    this.#claimInTurn(held);
  }

  async status(scope: Scope): Promise<WorkerStatus | null> {
    const { local, sockets, holder } = this.#parts;
    const found = await sockets.find(scope);
    if (!found || found.instance === holder.instance) return local.status(scope);
    return workerStatus.safeParse(found.status).data ?? null;
  }

  async dispatch(scope: Scope, order: JobOrder): Promise<JobResult> {
    const { local, remote, sockets, holder } = this.#parts;
    const found = await sockets.find(scope);
    if (!found || found.instance === holder.instance) return local.dispatch(scope, order);
    return remote.dispatch(found, scope, order);
  }

  /** Finds out which sockets have been replaced, should the notice be lost. Called every few seconds. */
  async renew(): Promise<void> {
    const { local, sockets, holder } = this.#parts;
    const before: { held: Held; epoch: number; status: unknown }[] = [];
    for (const held of this.#held.values())
      if (held.epoch !== null) before.push({ held, epoch: held.epoch, status: await local.status(held.scope) });
    if (before.length === 0) return;
    const renewed = await sockets.renew(
      holder,
      before.map(({ held, epoch, status }) => ({ scope: held.scope, epoch, status })),
    );
    const epochs = new Map(renewed.map(({ scope, epoch }) => [scopeKey(scope), epoch]));
    for (const { held } of before) this.#renewed(held, epochs.get(scopeKey(held.scope)) ?? null);
  }

  stop(): void {
    this.#isStopped = true;
    this.#unfollow();
    this.#renewSoon.stop();
    this.#parts.remote.stop();
    this.#parts.local.stop();
  }

  /** Resolves when the directory no longer has sockets of this gateway. To be called after `stop`. Never rejects. */
  async stopped(): Promise<void> {
    const { sockets, holder, log } = this.#parts;
    await this.#renewals.stop();
    await Promise.all(this.#claims.values());
    await sockets
      .releaseAll(holder.instance)
      .catch((error: unknown) => log.error('worker_sockets_not_released', { reason: String(error) }));
  }

  /**
   * One at a time for each app, and only the newest socket: with the epochs of two of them in another order, the directory could give the app to
   * the one that this gateway has closed.
   */
  #claimInTurn(held: Held): void {
    const app = scopeKey(held.scope);
    const turn = (this.#claims.get(app) ?? Promise.resolve()).then(async () => {
      if (this.#held.get(app) === held) await this.#claim(held);
      // It was closed before its turn, and the directory may have the one before it.
      else if (!this.#held.has(app)) await this.#release(held.scope, Number.MAX_SAFE_INTEGER);
      if (this.#claims.get(app) === turn) this.#claims.delete(app);
    });
    this.#claims.set(app, turn);
  }

  async #claim(held: Held): Promise<void> {
    const { local, sockets, notices, holder, log } = this.#parts;
    try {
      const epoch = await sockets.claim(holder, held.scope, await local.status(held.scope));
      // Not for a socket that has closed meanwhile: the worker may be connected to another gateway by now.
      if (epoch !== null && this.#held.get(scopeKey(held.scope)) === held)
        notices.publish(channel, { scope: held.scope, epoch } satisfies z.output<typeof notice>);
      this.#renewed(held, epoch);
    } catch (error) {
      log.error('worker_socket_not_claimed', { reason: String(error) });
      // The worker comes back, here or elsewhere.
      held.socket.close(1013, 'Try again later');
    }
  }

  /** @param epoch null when another gateway has a newer connection of the app */
  #renewed(held: Held, epoch: number | null): void {
    const current = this.#held.get(scopeKey(held.scope));
    if (current === held && (epoch === null || epoch < held.newest)) this.#replaced(held);
    else if (current === held) held.epoch = epoch;
    // Closed meanwhile.
    else if (!current && epoch !== null) void this.#release(held.scope, epoch);
  }

  #heard(scope: Scope, epoch: number): void {
    const held = this.#held.get(scopeKey(scope));
    if (held) held.newest = Math.max(held.newest, epoch);
    // Without a socket, jobs may still wait for their worker.
    if (!held) this.#parts.local.replace(scope);
    else if (held.epoch !== null && held.epoch < epoch) this.#replaced(held);
  }

  #replaced({ scope }: Held): void {
    this.#held.delete(scopeKey(scope));
    this.#parts.local.replace(scope);
  }

  #closed(held: Held): void {
    if (this.#held.get(scopeKey(held.scope)) !== held) return;
    this.#held.delete(scopeKey(held.scope));
    if (held.epoch !== null) void this.#release(held.scope, held.epoch);
  }

  /** Never rejects. */
  async #release(scope: Scope, epoch: number): Promise<void> {
    const { sockets, holder, log } = this.#parts;
    await sockets
      .release(holder.instance, scope, epoch)
      .catch((error: unknown) => log.error('worker_socket_not_released', { reason: String(error) }));
  }
}
