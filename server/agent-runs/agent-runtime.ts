/**
 * Runtime of coding agents, which the gateway runs for a team. `server/workers` is for eval workers, which teams run themselves and which
 * connect by a WebSocket.
 */
import type { AgentWords } from '../control/agent-run-queue.ts';
import type { AgentChanges, AgentRun, OutputLine } from '../control/agent-run-store.ts';
import type { Scope } from '../platform/scope.ts';

/** Starting point of a workspace. Names MUST have been validated by the contract. */
export interface Origin {
  scope: Scope;
  /** Full name; null for an empty workspace. */
  repo: string | null;
  /** `refs/heads/…` or a commit of the repository; null for what its HEAD points to. */
  base: string | null;
}

export interface Workspace extends Origin {
  /** A UUID. */
  workspace_id: string;
  /** Where its commits go. */
  work_branch: string;
}

/** One task in a workspace. */
export interface Turn extends Workspace {
  run: AgentRun;
  /** What was done there before, in order. */
  thread: readonly AgentRun[];
  /** What the agent called its session in the turn before. */
  session: string | null;
  model: string | null;
  max_cost_usd: number | null;
  metadata: Record<string, unknown> | null;
  /** What the agent's environment has beside what the runtime gives it: the key of the run, and where to use it. */
  variables: Readonly<Record<string, string>>;
}

/** Hears of a turn while it goes on. */
export interface TurnListener {
  /** The commit that the turn begins at. The agent is started when this resolves. */
  onBegin(commit: string): Promise<void>;
  /** @returns whether more lines are wanted. Once they are not, none need be told of */
  onLine(stream: OutputLine['stream'], text: string): boolean;
  onWords(words: Partial<AgentWords>): void;
}

/** What became of a turn. */
export interface TurnOutcome {
  /** Why it failed; null when it succeeded. */
  error: string | null;
  /** What the agent said in the end. */
  result: string | null;
  /** What the checkpoint on the work branch holds; null where nothing changed. */
  changes: AgentChanges | null;
}

/**
 * Runs agents in workspaces, one turn of a workspace at a time: that is for the caller to see to. Whatever is in the workspace when a turn
 * ends, however it ends, is committed to the work branch, and when `run` has resolved no process of the turn is left.
 */
export interface AgentRuntime {
  /** What is wrong with a place to begin at, by the part that is wrong; null when one can. */
  problemOf(origin: Origin): Promise<{ part: 'repo' | 'base'; problem: string } | null>;
  /** Runs one turn to its end. @param signal ends it early; its reason is an Error whose message says why */
  run(turn: Turn, listener: TurnListener, signal: AbortSignal): Promise<TurnOutcome>;
  /** Commits what a turn left that was cut off. @param since the commit that it began at */
  checkpoint(workspace: Workspace, run: AgentRun, since: string): Promise<AgentChanges | null>;
  /** Gives the workspace up; its branch stays where it came from a repository. Fine when there is none. */
  remove(workspace: Workspace): Promise<void>;
  /** Gives up the workspaces that are not wanted any more. */
  keepOnly(workspaceIds: ReadonlySet<string>): Promise<void>;
  /** Ends every process of earlier turns, whoever ran them. MUST NOT be called while a turn runs. */
  endStrays(): Promise<void>;
}
