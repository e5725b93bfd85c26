import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { JobRequest, JobResult } from '../../shared/worker-frames.ts';
import type { Scope } from '../platform/scope.ts';

/** Properties that a worker reports when it connects. */
export type WorkerAbout = Pick<WorkerStatus, 'sdk_version' | 'adapter' | 'language'>;

export const workerStatus = z.object({
  sdk_version: z.string().nullable(),
  adapter: z.string().nullable(),
  language: z.enum(['typescript', 'python']).nullable(),
  /** ISO 8601. */
  connected_at: z.string(),
  /** Time of its last frame, ISO 8601. A few seconds late when another gateway has the connection. */
  last_heard_at: z.string(),
});
export type WorkerStatus = z.output<typeof workerStatus>;

export interface JobOrder {
  /** Unique for each job. */
  id: string;
  request: JobRequest;
  /** A job that gets no frame for this long fails. */
  silenceMs: number;
  /** Receives each line of a streaming job, in order. */
  onLine?: (line: unknown) => void;
  /** Cancels the job and sends the reason to the worker. */
  signal?: AbortSignal;
}

export const jobErrorKinds = [
  'no_worker',
  /** The worker has too many jobs, or reads too slowly. */
  'overloaded',
  'too_large',
  'timed_out',
  'cancelled',
  /** The worker disconnected and did not reconnect in time, or its gateway cannot be reached. */
  'connection_lost',
  /** The worker reported a failure. */
  'reported',
  /** The gateway is shutting down. */
  'stopping',
] as const;
export type JobErrorKind = (typeof jobErrorKinds)[number];

/** Error of a job without a result. */
export class JobFailure extends Error {
  readonly errorKind: JobErrorKind;
  readonly jobId: string;

  constructor(errorKind: JobErrorKind, jobId: string, message: string) {
    super(message);
    this.name = 'JobFailure';
    this.errorKind = errorKind;
    this.jobId = jobId;
  }
}

/**
 * Connections of eval workers, one for each app. An implementation for several gateways MUST keep one connection for each app across all
 * of them and MUST route jobs to the gateway that has it. Callers do not know which one that is.
 */
export interface ConnectionRegistry {
  /** Makes this the connection of the app. A previous one is closed with code 1000 and the reason `replacedReason`. */
  register(scope: Scope, socket: WebSocket, about: WorkerAbout): void;
  /** Null when no worker is connected. */
  status(scope: Scope): Promise<WorkerStatus | null>;
  /**
   * Sends a job to the app's worker. A job survives a short loss of the connection: its result may arrive over the next one.
   * @throws JobFailure
   */
  dispatch(scope: Scope, order: JobOrder): Promise<JobResult>;
  /** Closes every connection with code 1012 and fails every job. */
  stop(): void;
}
