/**
 * Experiments run by workers. Each has a job and a record of its progress. The record ends once, by whatever comes first: the worker's result,
 * a cancellation, a timeout, or the end of the gateway that runs it.
 */
import type { Actor } from '../control/actor.ts';
import type { ExperimentRunStore, Progress, RunEnd, StoredRun } from '../control/experiment-run-store.ts';
import type { Lease, Leases } from '../jobs/lease.ts';
import type { Schedule } from '../jobs/schedule.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';
import { type ConnectionRegistry, JobFailure } from './connection-registry.ts';

/** Time limit for one row. */
const silenceMs = 15 * 60_000;
/** Minimum interval between two writes of the progress. */
const progressEveryMs = 2_000;
const errorLength = 2_000;
const by: Actor = { kind: 'system', id: 'experiments', ip: null };

export interface RunOrder {
  name: string;
  dataset: string;
  prompt: { path: string; name: string | null; ast: unknown } | null;
  evals: string[];
  concurrency: number;
  row_limit: number | null;
  experiment_key: string;
  commit_sha: string | null;
}

interface Running {
  scope: Scope;
  progress: Progress;
  storedMs: number;
  lease: Lease;
  cancel: AbortController;
  ended: Promise<void>;
}

interface Parts {
  store: ExperimentRunStore;
  workers: ConnectionRegistry;
  leases: Leases;
  clock: Clock;
  log: Log;
}

export class ExperimentRuns {
  readonly #parts: Parts;
  readonly #running = new Map<string, Running>();

  readonly #abandoning: Schedule;

  constructor(parts: Parts) {
    this.#parts = parts;
    const abandon = () => parts.store.abandon('The gateway ended while the experiment ran');
    this.#abandoning = parts.leases.takeOver('experiments_not_abandoned', abandon);
  }

  /** Ends the runs of gateways that have gone: now, and as long as this one runs. */
  async open(): Promise<this> {
    await this.#abandoning.open();
    return this;
  }

  /** @throws JobFailure `no_worker` */
  async start(actor: Actor, scope: Scope, order: RunOrder): Promise<StoredRun> {
    const { store, workers, leases, clock } = this.#parts;
    if (!(await workers.status(scope))) throw new JobFailure('no_worker', '', 'No worker of this app is connected');
    const { name, dataset, prompt, evals } = order;
    const draft = { name, dataset, prompt: prompt?.path ?? null, prompt_name: prompt?.name ?? null, evals };
    const { run, claim } = await store.create(actor, scope, draft, leases.holder);
    const running: Running = {
      scope,
      progress: { rows_total: null, rows_done: 0, rows_failed: 0 },
      storedMs: clock.monotonic(),
      lease: leases.keep(claim),
      cancel: new AbortController(),
      ended: Promise.resolve(),
    };
    this.#running.set(run.experiment_id, running);
    running.ended = this.#follow(run.experiment_id, running, order);
    return run;
  }

  async find(scope: Scope, id: string): Promise<StoredRun | null> {
    const found = await this.#parts.store.find(scope, id);
    return found && this.#withProgress(found);
  }

  /** Running ones without a finished row, newest first. */
  async withoutRows(scope: Scope): Promise<StoredRun[]> {
    const found = await this.#parts.store.running(scope);
    return found.map((run) => this.#withProgress(run)).filter(({ rows_done }) => rows_done === 0);
  }

  async cancel(actor: Actor, scope: Scope, id: string): Promise<'cancelled' | 'ended' | 'missing'> {
    const { store } = this.#parts;
    const found = await this.find(scope, id);
    if (!found) return 'missing';
    const { rows_total, rows_done, rows_failed } = found;
    const end: RunEnd = { status: 'cancelled', error: null, rows_total, rows_done, rows_failed };
    if (!(await store.finish(actor, scope, id, end))) return 'ended';
    this.#running.get(id)?.cancel.abort('The experiment was cancelled');
    return 'cancelled';
  }

  /** Resolves when the end of every run is stored. The connection registry ends the jobs. */
  async stop(): Promise<void> {
    await this.#abandoning.stop();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  #withProgress(run: StoredRun): StoredRun {
    const running = run.status === 'running' ? this.#running.get(run.experiment_id) : undefined;
    return running ? { ...run, ...running.progress } : run;
  }

  async #follow(id: string, running: Running, order: RunOrder): Promise<void> {
    const { store, workers, log } = this.#parts;
    const { scope, cancel, lease } = running;
    try {
      const request = { type: 'dataset-run', data: dataOf(id, scope, order) } as const;
      const onLine = (line: unknown) => this.#readLine(id, running, line);
      const result = workers.dispatch(scope, { id, request, silenceMs, onLine, signal: AbortSignal.any([cancel.signal, lease.lost]) });
      const end = await result.then((): RunEnd => ({ ...running.progress, status: 'succeeded', error: null }), endOf(running));
      // The record of a cancelled run ended before its job.
      await store.finish(by, scope, id, end);
    } catch (error) {
      log.error('experiment_run_not_ended', { experiment_id: id, reason: String(error) });
    } finally {
      // Does nothing when the end was stored, and lets another gateway store it otherwise.
      await this.#parts.leases.release(lease.claim);
      this.#running.delete(id);
    }
  }

  #readLine(id: string, running: Running, line: unknown): void {
    const { store, clock, log } = this.#parts;
    const { type, rows } = (line ?? {}) as { type?: unknown; rows?: unknown };
    const { progress } = running;
    if (type === 'start' && Number.isSafeInteger(rows)) progress.rows_total = rows as number;
    if (type === 'dataset' || type === 'error') progress.rows_done++;
    if (type === 'error') progress.rows_failed++;
    if (clock.monotonic() - running.storedMs < progressEveryMs) return;
    running.storedMs = clock.monotonic();
    store.progress(running.scope, id, progress).catch((error: unknown) => log.error('experiment_progress_lost', { reason: String(error) }));
  }
}

const endOf =
  ({ progress }: Running) =>
  (error: unknown): RunEnd => {
    if (!(error instanceof JobFailure)) throw error;
    const { errorKind, message } = error;
    const status = errorKind === 'timed_out' || errorKind === 'cancelled' ? errorKind : 'failed';
    return { ...progress, status, error: message.slice(0, errorLength) };
  };

/** Data of the job (read in server/cli/worker/run-dataset.ts). */
const dataOf = (id: string, { app_id }: Scope, order: RunOrder): Record<string, unknown> => ({
  appId: app_id,
  runId: id,
  experimentId: order.name,
  experimentKey: order.experiment_key,
  datasetPath: order.dataset,
  promptPath: order.prompt?.path ?? null,
  promptName: order.prompt?.name ?? null,
  ast: order.prompt?.ast ?? null,
  commitSha: order.commit_sha,
  evals: order.evals,
  concurrency: order.concurrency,
  rowLimit: order.row_limit,
});
