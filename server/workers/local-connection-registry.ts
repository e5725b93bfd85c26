/** Connection registry of a single gateway, in memory. */
import type { WebSocket } from 'ws';
import { type FromWorker, type JobResult, replacedReason } from '../../shared/worker-frames.ts';
import type { Clock } from '../platform/clock.ts';
import { type Scope, scopeKey } from '../platform/scope.ts';
import { type ConnectionRegistry, JobFailure, type JobOrder, type WorkerAbout, type WorkerStatus } from './connection-registry.ts';
import { Jobs, jobFrame } from './jobs.ts';
import { WorkerConnection } from './worker-connection.ts';

const checkIntervalMs = 1_000;

export class LocalConnectionRegistry implements ConnectionRegistry {
  readonly #clock: Clock;
  readonly #jobs: Jobs;
  /** By app. */
  readonly #connections = new Map<string, WorkerConnection>();
  #checksTimeouts = false;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#jobs = new Jobs(clock);
  }

  /** Checks timeouts from the first worker on: a gateway without workers sleeps. */
  start(): this {
    this.#checksTimeouts = true;
    return this;
  }

  register(scope: Scope, socket: WebSocket, about: WorkerAbout): void {
    const app = scopeKey(scope);
    const connection = new WorkerConnection(socket, about, this.#clock, (frame) => this.#receive(app, frame));
    if (this.#isStopped) {
      connection.close(1012, 'Service restart');
      return;
    }
    if (this.#checksTimeouts) this.#timer ??= setInterval(() => this.checkTimeouts(), checkIntervalMs).unref();
    const previous = this.#connections.get(app);
    this.#connections.set(app, connection);
    if (previous) {
      this.#jobs.disconnect(app);
      previous.close(1000, replacedReason);
    }
    socket.once('close', () => {
      if (this.#connections.get(app) !== connection) return;
      this.#connections.delete(app);
      this.#jobs.disconnect(app);
    });
  }

  async status(scope: Scope): Promise<WorkerStatus | null> {
    return this.#open(scopeKey(scope))?.status ?? null;
  }

  async dispatch(scope: Scope, order: JobOrder): Promise<JobResult> {
    const app = scopeKey(scope);
    const connection = this.#open(app);
    const refuse = (errorKind: ConstructorParameters<typeof JobFailure>[0], message: string): never => {
      throw new JobFailure(errorKind, order.id, message);
    };
    if (!connection) return refuse('no_worker', 'No worker of this app is connected');
    if (order.signal?.aborted) return refuse('cancelled', String(order.signal.reason));
    if (!connection.isReading) return refuse('overloaded', 'The worker does not read its messages');
    const frame = jobFrame(order);
    const sendCancel = (reason: string) =>
      this.#connections.get(app)?.send({ type: 'job-cancel', jobId: order.id, reason: reason.slice(0, 1000) });
    const result = this.#jobs.add(app, order, sendCancel);
    connection.send(frame);
    return result;
  }

  /** The worker of the app has connected to another gateway: closes its connection and fails its jobs. */
  replace(scope: Scope): void {
    const app = scopeKey(scope);
    const connection = this.#connections.get(app);
    this.#connections.delete(app);
    this.#jobs.lose(app);
    connection?.close(1000, replacedReason);
  }

  /** Closes silent connections and fails silent jobs. */
  checkTimeouts(): void {
    for (const connection of this.#connections.values()) connection.checkTimeouts();
    this.#jobs.checkTimeouts();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearInterval(this.#timer);
    for (const connection of this.#connections.values()) connection.close(1012, 'Service restart');
    this.#jobs.stop();
  }

  /** Null also while the connection is closing. */
  #open(app: string): WorkerConnection | null {
    const connection = this.#connections.get(app);
    return connection?.isOpen ? connection : null;
  }

  #receive(app: string, frame: FromWorker): void {
    if (frame.type !== 'heartbeat') this.#jobs.receive(app, frame);
  }
}
