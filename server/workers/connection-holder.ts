import type { WebSocket } from 'ws';
import type { JobRequest, JobResult } from '../../shared/worker-frames.ts';
import type { Scope } from '../platform/scope.ts';

/** What a worker said of itself when it came. */
export interface WorkerAbout {
  sdk_version: string | null;
  adapter: string | null;
  language: 'typescript' | 'python' | null;
}

export interface WorkerStatus extends WorkerAbout {
  /** ISO 8601. */
  connected_at: string;
  /** When anything was heard of it last. */
  last_heard_at: string;
}

export interface JobOrder {
  /** Used once. */
  id: string;
  request: JobRequest;
  /** A job that nothing is heard of for so long has failed. */
  silenceMs: number;
  /** Hears each line of a job that streams, in order. */
  onLine?: (line: unknown) => void;
  /** Ends the job: the worker is told the reason. */
  signal?: AbortSignal;
}

export type JobErrorKind =
  | 'no_worker'
  /** It has too many jobs, or reads too slowly to be given another. */
  | 'overloaded'
  | 'too_large'
  | 'timed_out'
  | 'cancelled'
  /** It went away and did not come back in time. */
  | 'connection_lost'
  /** The worker said that the job failed. */
  | 'reported'
  /** This gateway ends. */
  | 'stopping';

/** How a job ended that has no result. */
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
 * Holds the one connection that each app's worker has. A gateway that shares its apps with others MUST see to it that an app has one
 * connection over all of them, and MUST bring a job to wherever that is; nobody above this interface knows where.
 */
export interface ConnectionHolder {
  /** From now on this is the worker of the app. One that was there before is closed with 1000 and the reason `replacedReason`. */
  hold(scope: Scope, socket: WebSocket, about: WorkerAbout): void;
  /** Null when no worker is connected. */
  status(scope: Scope): Promise<WorkerStatus | null>;
  /**
   * Gives a job to the app's worker. A job outlives a short loss of the connection: its result may come over the next.
   * @throws JobFailure
   */
  dispatch(scope: Scope, order: JobOrder): Promise<JobResult>;
  /** Closes every connection with 1012 and fails every job. */
  stop(): void;
}
