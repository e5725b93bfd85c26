import type { Scope } from '../platform/scope.ts';
import type { AgentChanges, AgentRun, OutputLine } from './agent-run-store.ts';

/** Queue of coding agent runs, over all tenants: each entry names its tenant. */
export interface AgentRunQueue {
  /**
   * The run that waits longest, which is running from now on, with a key of its own. Null when none waits.
   * @param key what the store may know of the key
   */
  takeNext(key: RunKey): Promise<AgentTask | null>;
  /** Those that were running when whoever ran them was cut off, the oldest first. */
  running(): Promise<AgentTask[]>;
  /** What was done before in the same workspace, in order: the newest `limit` turns. */
  thread(task: AgentTask, limit: number): Promise<AgentRun[]>;

  /** Notes the commit that a turn began at, before its agent can change anything. */
  begin(task: AgentTask, base_commit: string): Promise<void>;
  /**
   * Adds output and notes what is known so far. Says whether the run may go on: false when somebody wants it ended, or when it is gone.
   * @param lines numbered by the caller without gaps, from 0
   */
  append(task: AgentTask, lines: readonly OutputLine[], known: Partial<AgentWords>): Promise<boolean>;
  /**
   * Ends it, and its key with it, in one transaction. A run that was to be cancelled ends as `cancelled`, whatever the outcome.
   * False when it is not running: it has ended, or its app is gone.
   */
  finish(task: AgentTask, outcome: RunOutcome): Promise<boolean>;

  /** Ids of all workspaces that are kept: of open environments, and of runs by themselves that have not ended. */
  workspaces(): Promise<Set<string>>;
}

/** Of a key that lives as long as a run. */
export interface RunKey {
  digest: Uint8Array;
  key_prefix: string;
  /** However the run ends. ISO 8601. */
  expires_at: string;
}

/** A run, and all that one must know to run it. */
export interface AgentTask {
  scope: Scope;
  run: AgentRun;
  /** Names the workspace: the id of the environment, or that of a run by itself. */
  workspace_id: string;
  base: string | null;
  /** Where the turn began; null until that was noted. */
  base_commit: string | null;
  work_branch: string;
  model: string | null;
  max_cost_usd: number | null;
  metadata: Record<string, unknown> | null;
  /** What the agent called its session in the turn before. */
  session: string | null;
}

/** What an agent says of itself. */
export interface AgentWords {
  /** Null: what it called by a name is gone. */
  session: string | null;
  cost_usd: number;
}

export interface RunOutcome {
  status: 'succeeded' | 'failed';
  result: string | null;
  error: string | null;
  changes: AgentChanges | null;
}
