import type { z } from 'zod';
import type { workerEnvironment } from '../../shared/contract/operations/worker-environments.ts';
import type { workerRun } from '../../shared/contract/operations/worker-runs.ts';
import type { workerThreads } from '../../shared/contract/operations/worker-threads.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';

/** As in the API, without the link that only a response can contain. */
export type AgentRun = Omit<z.output<typeof workerRun>, 'url'>;
export type AgentWorkspace = Omit<z.output<typeof workerEnvironment>, 'url'>;
export type AgentOutput = Omit<z.output<typeof workerThreads.output.reply>['data'], 'url'>;
export type AgentChanges = Omit<z.output<typeof workerThreads.changes.reply>['data'], 'url'>;
export type OutputLine = AgentOutput['lines'][number];

/** Starting point of a workspace. */
export interface WorkspaceDraft {
  /** Full name; null for an empty workspace. */
  repo: string | null;
  /** Branch or commit of the repository; null for its HEAD. */
  base: string | null;
  /** Environment of the agent's traces. */
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
 * Workspaces of an app, with their agent runs. A workspace has one turn at a time. `maxConcurrent` limits the queued and running runs over all
 * apps of the tenant; null for no limit. Each check and its insert are one transaction.
 */
export interface AgentRunStore {
  /** Creates a workspace with its first turn. @throws LimitReached */
  open(by: Actor, scope: Scope, draft: SessionDraft, maxConcurrent: number | null): Promise<AgentRun>;
  /** Null when the app has no such open workspace. @throws WorkspaceBusy, or else LimitReached */
  createTurn(by: Actor, scope: Scope, environmentId: string, task_prompt: string, maxConcurrent: number | null): Promise<AgentRun | null>;
  /** Creates a one-shot run. @throws LimitReached */
  createRun(by: Actor, scope: Scope, draft: OneShotDraft, maxConcurrent: number | null): Promise<AgentRun>;

  /** Newest first, closed ones too. */
  listEnvironments(scope: Scope, query: PageQuery): Promise<Page<AgentWorkspace>>;
  findEnvironment(scope: Scope, id: string): Promise<AgentWorkspace | null>;
  /** In the order of their index; null when the app has no such workspace. */
  turns(scope: Scope, environmentId: string, query: PageQuery): Promise<Page<AgentRun> | null>;
  /** Closes a workspace for good. False when the app has no such open workspace. @throws WorkspaceBusy */
  close(by: Actor, scope: Scope, environmentId: string): Promise<boolean>;

  /** Runs of workspaces and one-shot runs, newest first. */
  listRuns(scope: Scope, query: PageQuery & { status?: AgentRun['status'] | undefined }): Promise<Page<AgentRun>>;
  findRun(scope: Scope, id: string): Promise<AgentRun | null>;
  /** The lines after the first `after`. Null when the app has no such run. */
  output(scope: Scope, id: string, query: { after: number; limit: number }): Promise<AgentOutput | null>;
  changes(scope: Scope, id: string): Promise<AgentChanges | null>;
  /**
   * Ends a queued run at once; marks a running one, which ends when its agent has. Another call changes nothing.
   * Null when the app has no such run. @throws RunEnded
   */
  cancel(by: Actor, scope: Scope, id: string): Promise<AgentRun | null>;
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

/** The run has ended already. */
export class RunEnded extends Error {
  constructor(status: AgentRun['status']) {
    super(`The run has already ended: it ${status === 'cancelled' ? 'was cancelled' : status}`);
    this.name = 'RunEnded';
  }
}
