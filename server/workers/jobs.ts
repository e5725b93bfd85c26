/**
 * Unfinished jobs, by app. A job is settled once: later or repeated frames for it, and frames from another app's worker, are ignored.
 */
import type { FromGateway, FromWorker, JobResult } from '../../shared/worker-frames.ts';
import type { Clock } from '../platform/clock.ts';
import { type JobErrorKind, JobFailure, type JobOrder } from './connection-registry.ts';
import { frameBytesMax } from './worker-connection.ts';

/** For one app. */
const jobsMax = 100;
/** How long a disconnected worker may take to reconnect and report on its jobs. */
const absenceMaxMs = 90_000;

interface Job {
  order: JobOrder;
  lastFrameMs: number;
  /** When its worker disconnected; null while one is connected. */
  disconnectedMs: number | null;
  /** The unfinished last line. */
  partial: string;
  settle: { resolve(result: JobResult): void; reject(failure: JobFailure): void };
}

/** The frame that a worker gets. @throws JobFailure `too_large` */
export function jobFrame({ id, request }: Pick<JobOrder, 'id' | 'request'>): string {
  const text = JSON.stringify({ type: 'job', jobId: id, request } satisfies FromGateway);
  if (Buffer.byteLength(text) > frameBytesMax) throw new JobFailure('too_large', id, `A job holds at most ${frameBytesMax} bytes`);
  return text;
}

type AboutJob = Exclude<FromWorker, { type: 'heartbeat' }>;

export class Jobs {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #apps = new Map<string, Map<string, Job>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** @param onCancelled called when a job is cancelled or times out */
  add(app: string, order: JobOrder, onCancelled: (reason: string) => void): Promise<JobResult> {
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
          if (failure.errorKind === 'cancelled' || failure.errorKind === 'timed_out') onCancelled(failure.message);
          reject(failure);
        },
      };
      const job = { order, lastFrameMs: this.#clock.monotonic(), disconnectedMs: null, partial: '', settle };
      const onAbort = () => fail(job, 'cancelled', String(order.signal?.reason ?? 'The job was cancelled'));
      jobs.set(order.id, job);
      order.signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  receive(app: string, frame: AboutJob): void {
    const job = this.#apps.get(app)?.get(frame.jobId);
    if (!job) return;
    job.lastFrameMs = this.#clock.monotonic();
    job.disconnectedMs = null;
    if (frame.type === 'job-result') job.settle.resolve(frame.result);
    else if (frame.type === 'job-error') fail(job, 'reported', frame.error);
    else if (frame.type === 'job-stream-chunk') readLines(job, frame.chunk);
    else {
      readLines(job, '\n');
      job.settle.resolve({ type: 'stream', result: null, ...(frame.traceId === undefined ? {} : { traceId: frame.traceId }) });
    }
  }

  /** The worker of the app has disconnected. */
  disconnect(app: string): void {
    for (const job of this.#of(app)) job.disconnectedMs ??= this.#clock.monotonic();
  }

  /** Fails the jobs of an app whose worker has connected elsewhere, where their frames would arrive. */
  lose(app: string): void {
    for (const job of this.#of(app)) fail(job, 'connection_lost', 'The worker has connected to another gateway');
  }

  /** To be called every second or so. */
  checkTimeouts(): void {
    const now = this.#clock.monotonic();
    for (const app of [...this.#apps.keys()])
      for (const job of this.#of(app)) {
        if (job.disconnectedMs !== null && now - job.disconnectedMs > absenceMaxMs)
          fail(job, 'connection_lost', 'The worker disconnected and did not reconnect');
        else if (now - job.lastFrameMs > job.order.silenceMs) fail(job, 'timed_out', `No message for ${job.order.silenceMs / 1000} s`);
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

function readLines(job: Job, chunk: string): void {
  const lines = chunk.split('\n');
  const last = lines.pop() ?? '';
  for (const [at, line] of lines.entries()) readLine(job, at === 0 ? job.partial + line : line);
  const unfinished = lines.length === 0 ? job.partial : '';
  // A chunk that is a whole line may come without its newline. A line from an earlier chunk waits for its newline: parsing a long line again
  // with every piece would cost this thread its whole length each time.
  job.partial = unfinished === '' && (last === '' || readLine(job, last)) ? '' : unfinished + last;
  if (job.partial.length > frameBytesMax) fail(job, 'reported', 'A line of its output is too long');
}

/** False when the line is not JSON, or not complete. */
function readLine({ order }: Job, line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    order.onLine?.(value);
    return true;
  } catch {
    return false;
  }
}
