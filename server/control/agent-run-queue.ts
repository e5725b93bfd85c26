import type { Scope } from '../platform/scope.ts';
import type { AgentChanges, AgentRun, OutputLine } from './agent-run-store.ts';

/** Queue of coding agent runs, over all tenants: each entry names its tenant. */
export interface AgentRunQueue {
  /**
   * Starts the oldest queued run, with a key of its own. Null when none is queued.
   * @param key public parts of the key
   */
  takeNext(key: RunKey): Promise<AgentTask | null>;
  /** Runs that were running when their gateway stopped, oldest first. */
  running(): Promise<AgentTask[]>;
  /** Previous turns of the workspace, in order: the newest `limit` of them. */
  thread(task: AgentTask, limit: number): Promise<AgentRun[]>;

  /** Records the commit at the start of a turn, before its agent can change anything. */
  begin(task: AgentTask, base_commit: string): Promise<void>;
  /**
   * Appends output and state. False when the run must stop: it was cancelled or deleted.
   * @param lines numbered by the caller without gaps, from 0
   */
  append(task: AgentTask, lines: readonly OutputLine[], report: Partial<AgentReport>): Promise<boolean>;
  /**
   * Ends the run and its key in one transaction. A cancelled run ends as `cancelled`, whatever the outcome. False when it is not running: it
   * has ended, or its app was deleted.
   */
  finish(task: AgentTask, outcome: RunOutcome): Promise<boolean>;

  /** Ids of all workspaces in use: those of open environments, and of one-shot runs that have not ended. */
  workspaces(): Promise<Set<string>>;
}

/** Key that is valid for the duration of a run. */
export interface RunKey {
  digest: Uint8Array;
  key_prefix: string;
  /** Latest end of the key, however the run ends. ISO 8601. */
  expires_at: string;
}

/** A run, with everything needed to run it. */
export interface AgentTask {
  scope: Scope;
  run: AgentRun;
  /** Id of the workspace: of its environment, or of a one-shot run. */
  workspace_id: string;
  base: string | null;
  /** Commit at the start of the turn; null until it is known. */
  base_commit: string | null;
  work_branch: string;
  model: string | null;
  max_cost_usd: number | null;
  metadata: Record<string, unknown> | null;
  /** Session id that the agent reported in the previous turn. */
  session: string | null;
}

/** State reported by an agent. */
export interface AgentReport {
  /** Null: the session no longer exists. */
  session: string | null;
  cost_usd: number;
}

export interface RunOutcome {
  status: 'succeeded' | 'failed';
  result: string | null;
  error: string | null;
  changes: AgentChanges | null;
}
