/**
 * Runtime of coding agents, which the gateway runs for a team. `server/workers` is for eval workers, which teams run themselves and which
 * connect by a WebSocket.
 */
import type { AgentReport } from '../control/agent-run-queue.ts';
import type { AgentChanges, AgentRun, OutputLine } from '../control/agent-run-store.ts';
import type { Scope } from '../platform/scope.ts';

/** Starting point of a workspace. Names MUST have been validated by the contract. */
export interface Origin {
  scope: Scope;
  /** Full name; null for an empty workspace. */
  repo: string | null;
  /** `refs/heads/…` or a commit of the repository; null for its HEAD. */
  base: string | null;
}

export interface Workspace extends Origin {
  /** A UUID. */
  workspace_id: string;
  /** Branch for its commits. */
  work_branch: string;
}

/** One turn in a workspace. */
export interface Turn extends Workspace {
  run: AgentRun;
  /** Previous turns, in order. */
  thread: readonly AgentRun[];
  /** Session id that the agent reported in the previous turn. */
  session: string | null;
  model: string | null;
  max_cost_usd: number | null;
  metadata: Record<string, unknown> | null;
  /** Additional environment variables of the agent: the run key, and where to use it. */
  variables: Readonly<Record<string, string>>;
}

/** Receives the output of a running turn. */
export interface TurnListener {
  /** The commit that the turn begins at. The agent is started when this resolves. */
  onBegin(commit: string): Promise<void>;
  /** @returns whether more lines are wanted; otherwise they need not be passed */
  onLine(stream: OutputLine['stream'], text: string): boolean;
  onReport(report: Partial<AgentReport>): void;
}

/** Result of a turn. */
export interface TurnOutcome {
  /** Why it failed; null when it succeeded. */
  error: string | null;
  /** Final answer of the agent. */
  result: string | null;
  /** Changes in the checkpoint on the work branch; null for none. */
  changes: AgentChanges | null;
}

/**
 * Runs agents in workspaces. The caller ensures that a workspace has one turn at a time. Whatever is in the workspace when a turn ends,
 * however it ends, is committed to the work branch, and when `run` has resolved no process of the turn is left.
 */
export interface AgentRuntime {
  /** Problem of a starting point, with the invalid part; null for a valid one. */
  problemOf(origin: Origin): Promise<{ part: 'repo' | 'base'; problem: string } | null>;
  /** Runs one turn to its end. @param signal stops it; its reason is an Error with a message for the user */
  run(turn: Turn, listener: TurnListener, signal: AbortSignal): Promise<TurnOutcome>;
  /** Commits the changes of a turn that was interrupted. @param since commit at the start of the turn */
  checkpoint(workspace: Workspace, run: AgentRun, since: string): Promise<AgentChanges | null>;
  /** Removes the workspace; its branch stays in the repository. Does nothing without a workspace. */
  remove(workspace: Workspace): Promise<void>;
  /** Removes all other workspaces. */
  keepOnly(workspaceIds: ReadonlySet<string>): Promise<void>;
  /** Ends all processes of earlier turns. MUST NOT be called during a turn. */
  endStrays(): Promise<void>;
}
