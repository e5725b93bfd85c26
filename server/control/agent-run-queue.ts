import type { Scope } from '../platform/scope.ts';
import type { AgentChanges, AgentRun, OutputLine } from './agent-run-store.ts';
import type { Claim } from './lease-store.ts';

/**
 * Queue of coding agent runs, over all tenants: each entry names its tenant. A run is led by the gateway that has its lease; nothing changes
 * when the lease is lost.
 */
export interface AgentRunQueue {
  /**
   * Starts and claims the oldest queued run, with a key of its own. Null when none is queued.
   * @param key public parts of the key
   */
  takeNext(key: RunKey, holder: string): Promise<AgentTask | null>;
  /** Claims the running runs whose lease has ended, because their gateway has gone, oldest first. */
  takeOver(holder: string): Promise<AgentTask[]>;
  /** Previous turns of the workspace, in order: the newest `limit` of them. */
  thread(task: AgentTask, limit: number): Promise<AgentRun[]>;

  /** Records the commit at the start of a turn, before its agent can change anything. */
  begin(task: AgentTask, base_commit: string): Promise<void>;
  /**
   * Appends output and state. False when the run must stop: it was cancelled or deleted, or the lease is lost.
   * @param lines numbered by the caller without gaps, from 0
   */
  append(task: AgentTask, lines: readonly OutputLine[], report: Partial<AgentReport>): Promise<boolean>;
  /**
   * Ends the run and its key in one transaction. A cancelled run ends as `cancelled`, whatever the outcome. False when it is not running: it
   * has ended, or its app was deleted; or when the lease is lost.
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
  claim: Claim;
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
