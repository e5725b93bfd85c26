import type { CodeOutcome } from '../control/deployment-store.ts';
import type { SnapshotFile } from '../control/snapshot-store.ts';
import type { Scope } from '../platform/scope.ts';

/** Place of an environment's code. */
export interface Place {
  scope: Scope;
  environment_id: string;
}

/** Release to run. */
export interface Release extends Place {
  deployment_id: string;
  /** Null when the project has no code to run. */
  handler: Handler | null;
  /** All files of the project. */
  files(): Promise<SnapshotFile[]>;
}

export interface Handler {
  /** Path of one of the files. */
  entry_point: string;
  runtime: 'nodejs' | 'python';
}

export type HostingStatus = 'empty' | 'running' | 'restarting';

/** Runs the code of apps, one release at a time in each environment. All methods are idempotent, for example after a crash. */
export interface Hosting {
  /**
   * Creates a place that runs nothing yet.
   * @returns its name at the host, for people who look for it there; null when it has none
   * @throws HostingFailed
   */
  provision(place: Place): Promise<string | null>;
  /** Stops and removes the place. Does nothing when there is none. */
  remove(place: Place): Promise<void>;
  /**
   * Replaces the running release once the new one is healthy; otherwise the old one continues. Releases of one environment are serialised. A
   * release without a handler stops the running one.
   * @throws HostingStopped when the host stopped before the outcome
   */
  deploy(release: Release): Promise<CodeOutcome>;
  status(environmentId: string): HostingStatus;
  /** Removes the places of deleted environments. */
  keepOnly(environmentIds: ReadonlySet<string>): Promise<void>;
  stop(): Promise<void>;
}

/** The host failed. */
export class HostingFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'HostingFailed';
  }
}

/** The host was stopped. */
export class HostingStopped extends Error {
  constructor() {
    super('The host has been stopped');
    this.name = 'HostingStopped';
  }
}
