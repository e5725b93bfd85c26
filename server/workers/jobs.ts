/**
 * The jobs that are on their way, by app. A job is settled once: what comes for it afterwards, what comes twice, and what another app's
 * worker says about it, is passed over.
 */
import type { FromWorker, JobResult } from '../../shared/worker-frames.ts';
import type { Clock } from '../platform/clock.ts';
import { type JobErrorKind, JobFailure, type JobOrder } from './connection-registry.ts';
import { frameBytesMax } from './worker-connection.ts';

/** Of one app. */
const jobsMax = 100;
/** How long a worker that went away may take to come back and say what became of its jobs. */
const absenceMaxMs = 90_000;

interface Job {
  order: JobOrder;
  heardMs: number;
  /** When its worker went away; null while there is one. */
  lostMs: number | null;
  /** The beginning of a line. */
  partial: string;
  settle: { resolve(result: JobResult): void; reject(failure: JobFailure): void };
}

type AboutJob = Exclude<FromWorker, { type: 'heartbeat' }>;

export class Jobs {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #apps = new Map<string, Map<string, Job>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** @param tellCancelled is called when a job ends before its worker said so, unless the worker is gone */
  add(app: string, order: JobOrder, tellCancelled: (reason: string) => void): Promise<JobResult> {
    const jobs = this.#apps.get(app) ?? new Map<string, Job>();
    if (jobs.size >= jobsMax) throw new JobFailure('overloaded', order.id, `The worker has ${jobsMax} jobs already`);
    this.#apps.set(app, jobs);
    return new Promise((resolve, reject) => {
      const end = () => {
        jobs.delete(order.id);
        if (jobs.size === 0) this.#apps.delete(app);
        order.signal?.removeEventListener('abort', onAbort);
      };
      const settle: Job['settle'] = {
        resolve: (result) => {
          end();
          resolve(result);
        },
        reject: (failure) => {
          end();
          if (failure.errorKind === 'cancelled' || failure.errorKind === 'timed_out') tellCancelled(failure.message);
          reject(failure);
        },
      };
      const job = { order, heardMs: this.#clock.monotonic(), lostMs: null, partial: '', settle };
      const onAbort = () => fail(job, 'cancelled', String(order.signal?.reason ?? 'It is not wanted any more'));
      jobs.set(order.id, job);
      order.signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  hear(app: string, frame: AboutJob): void {
    const job = this.#apps.get(app)?.get(frame.jobId);
    if (!job) return;
    job.heardMs = this.#clock.monotonic();
    job.lostMs = null;
    if (frame.type === 'job-result') job.settle.resolve(frame.result);
    else if (frame.type === 'job-error') fail(job, 'reported', frame.error);
    else if (frame.type === 'job-stream-chunk') takeLines(job, frame.chunk);
    else {
      takeLines(job, '\n');
      job.settle.resolve({ type: 'stream', result: null, ...(frame.traceId === undefined ? {} : { traceId: frame.traceId }) });
    }
  }

  /** The worker of the app went away. */
  lose(app: string): void {
    for (const job of this.#of(app)) job.lostMs ??= this.#clock.monotonic();
  }

  /** To be called every second or so. */
  checkTimeouts(): void {
    const now = this.#clock.monotonic();
    for (const app of [...this.#apps.keys()])
      for (const job of this.#of(app)) {
        if (job.lostMs !== null && now - job.lostMs > absenceMaxMs)
          fail(job, 'connection_lost', 'The worker went away and did not come back');
        else if (now - job.heardMs > job.order.silenceMs) fail(job, 'timed_out', `No message for ${job.order.silenceMs / 1000} s`);
      }
  }

  stop(): void {
    for (const app of [...this.#apps.keys()]) for (const job of this.#of(app)) fail(job, 'stopping', 'The gateway was stopped');
  }

  #of(app: string): Job[] {
    return [...(this.#apps.get(app)?.values() ?? [])];
  }
}

const fail = (job: Job, errorKind: JobErrorKind, message: string): void =>
  job.settle.reject(new JobFailure(errorKind, job.order.id, message));

function takeLines(job: Job, chunk: string): void {
  const lines = chunk.split('\n');
  const last = lines.pop() ?? '';
  for (const [at, line] of lines.entries()) take(job, at === 0 ? job.partial + line : line);
  const began = lines.length === 0 ? job.partial : '';
  // A chunk that is one line may come without its end. What began earlier waits for it: looked at with every piece, a long line that never
  // ends would cost this thread its whole length each time.
  job.partial = began === '' && (last === '' || take(job, last)) ? '' : began + last;
  if (job.partial.length > frameBytesMax) fail(job, 'reported', 'A line of its answer is too long');
}

/** False for what is no JSON, or not yet. */
function take({ order }: Job, line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    order.onLine?.(value);
    return true;
  } catch {
    return false;
  }
}
