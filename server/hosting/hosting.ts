import type { CodeOutcome } from '../control/deployment-store.ts';
import type { SnapshotFile } from '../control/snapshot-store.ts';
import type { Scope } from '../platform/scope.ts';

/** Where code runs: one place for each environment. */
export interface Place {
  scope: Scope;
  environment_id: string;
}

/** What an environment is to run. */
export interface Release extends Place {
  deployment_id: string;
  /** Null when the project has no code to run. */
  handler: Handler | null;
  /** All files of the project. */
  files(): Promise<SnapshotFile[]>;
}

export interface Handler {
  /** One of the files. */
  entry_point: string;
  runtime: 'nodejs' | 'python';
}

export type HostingStatus = 'empty' | 'running' | 'restarting';

/**
 * Runs the code of apps, one release at a time in each environment. Every method may be called again with what was done already, after a
 * crash for example: it leaves what is there, or makes it anew.
 */
export interface Hosting {
  /**
   * Makes ready a place that runs nothing yet.
   * @returns the name of it that people may look for with the host; null where it has none
   * @throws HostingFailed
   */
  provision(place: Place): Promise<string | null>;
  /** Stops what runs there and gives the place up. Fine when there is none. */
  remove(place: Place): Promise<void>;
  /**
   * Runs the release instead of what ran there, once it is well; what ran there goes on when it is not. Releases of one environment are
   * taken one after the other. A release without a handler stops what runs.
   * @throws HostingStopped when the host was stopped before that was decided
   */
  deploy(release: Release): Promise<CodeOutcome>;
  status(environmentId: string): HostingStatus;
  /** Gives up the places of environments that are gone. */
  keepOnly(environmentIds: ReadonlySet<string>): Promise<void>;
  stop(): Promise<void>;
}

/** The host could not do it. */
export class HostingFailed extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'HostingFailed';
  }
}

/** The host was stopped, and does nothing any more. */
export class HostingStopped extends Error {
  constructor() {
    super('The host has been stopped');
    this.name = 'HostingStopped';
  }
}
