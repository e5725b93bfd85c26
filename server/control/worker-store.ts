import type { z } from 'zod';
import type { workerEnvironment } from '../../shared/contract/worker-environments.ts';
import type { workerRun } from '../../shared/contract/worker-runs.ts';
import type { workerThreads } from '../../shared/contract/worker-threads.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

/** As the wire has it, without the link that only an answer can give. */
export type WorkerRun = Omit<z.output<typeof workerRun>, 'url'>;
export type WorkerEnvironment = Omit<z.output<typeof workerEnvironment>, 'url'>;
export type WorkerOutput = Omit<z.output<typeof workerThreads.output.reply>['data'], 'url'>;
export type WorkerChanges = Omit<z.output<typeof workerThreads.changes.reply>['data'], 'url'>;
export type OutputLine = WorkerOutput['lines'][number];

/** What a workspace begins from. */
export interface WorkspaceDraft {
  /** Full name; null for an empty workspace. */
  repo: string | null;
  /** A branch or a commit of the repository; null for what its HEAD points to. */
  base: string | null;
  /** Whose traces the agent's are. */
  environment_id: string;
}

export interface SessionDraft extends WorkspaceDraft {
  name: string | null;
  task_prompt: string;
}

export interface OneShotDraft extends WorkspaceDraft {
  task_prompt: string;
  model: string | null;
  max_cost_usd: number | null;
  metadata: Record<string, unknown> | null;
}

/**
 * The workspaces of an app and what agents were told to do there. A workspace has one turn at a time. What is queued or running counts
 * against `atOnceMax`, over all apps of the tenant; null is without limit. Each test and the insert that follows it are one transaction.
 */
export interface WorkerStore {
  /** A workspace with its first turn. @throws WorkersFull */
  open(by: Actor, scope: Scope, draft: SessionDraft, atOnceMax: number | null): Promise<WorkerRun>;
  /** Null when the app has no such open workspace. @throws WorkspaceBusy, or else WorkersFull */
  createTurn(by: Actor, scope: Scope, environmentId: string, task_prompt: string, atOnceMax: number | null): Promise<WorkerRun | null>;
  /** A task by itself. @throws WorkersFull */
  createRun(by: Actor, scope: Scope, draft: OneShotDraft, atOnceMax: number | null): Promise<WorkerRun>;

  /** Newest first, closed ones too. */
  listEnvironments(scope: Scope, query: PageQuery): Promise<Page<WorkerEnvironment>>;
  findEnvironment(scope: Scope, id: string): Promise<WorkerEnvironment | null>;
  /** In the order of their index; null when the app has no such workspace. */
  turns(scope: Scope, environmentId: string, query: PageQuery): Promise<Page<WorkerRun> | null>;
  /** Closes a workspace for good. False when the app has no such open workspace. @throws WorkspaceBusy */
  close(by: Actor, scope: Scope, environmentId: string): Promise<boolean>;

  /** Those of workspaces and those by themselves, newest first. */
  listRuns(scope: Scope, query: PageQuery & { status?: WorkerRun['status'] | undefined }): Promise<Page<WorkerRun>>;
  findRun(scope: Scope, id: string): Promise<WorkerRun | null>;
  /** The lines after the first `after`. Null when the app has no such run. */
  output(scope: Scope, id: string, query: { after: number; limit: number }): Promise<WorkerOutput | null>;
  changes(scope: Scope, id: string): Promise<WorkerChanges | null>;
  /**
   * A queued run has ended with this; a running one is marked, and ends when its agent has. Asked again it changes nothing.
   * Null when the app has no such run. @throws RunOver
   */
  cancel(by: Actor, scope: Scope, id: string): Promise<WorkerRun | null>;
}

/** A turn of the workspace has not ended. */
export class WorkspaceBusy extends Error {
  readonly run_id: string;

  constructor(runId: string) {
    super('A turn is already running in the worker environment');
    this.name = 'WorkspaceBusy';
    this.run_id = runId;
  }
}

/** The tenant has as many runs under way as it may. */
export class WorkersFull extends Error {
  readonly current: number;
  readonly limit: number;

  constructor(current: number, limit: number) {
    super(`The plan allows ${limit} worker runs at once`);
    this.name = 'WorkersFull';
    this.current = current;
    this.limit = limit;
  }
}

/** The run has ended already. */
export class RunOver extends Error {
  constructor(status: WorkerRun['status']) {
    super(`The run has already ended: it ${status === 'cancelled' ? 'was cancelled' : status}`);
    this.name = 'RunOver';
  }
}
