/** Interface between the routes and the runtime of coding agents. */
import type { AgentRuntime, Origin, Workspace } from './agent-runtime.ts';

export interface Dispatcher {
  /** Whether queued runs are run. */
  readonly isConfigured: boolean;
  problemOf(origin: Origin): ReturnType<AgentRuntime['problemOf']>;
  /** Signals that a run may have been queued. */
  wake(): void;
  /** Stops the agent of a run that the store has marked as cancelled. */
  cancel(runId: string): void;
  /** Removes a workspace that has been closed. */
  forget(workspace: Workspace): Promise<void>;
}

/** For gateways without agents: earlier runs can be read and closed. */
export const noDispatcher: Dispatcher = {
  isConfigured: false,
  problemOf: async () => null,
  wake: () => {},
  cancel: () => {},
  // A gateway with agents removes unused workspaces at its start.
  forget: async () => {},
};
