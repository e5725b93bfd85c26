/** Interface between the routes and the runtime of coding agents. */
import type { AgentRuntime, Origin, Workspace } from './agent-runtime.ts';

export interface Dispatcher {
  /** Whether anything that is queued would be run. */
  readonly isConfigured: boolean;
  problemOf(origin: Origin): ReturnType<AgentRuntime['problemOf']>;
  /** There may be something to run. */
  wake(): void;
  /** The store knows that the run is to end: so does its agent, from now on. */
  cancel(runId: string): void;
  /** Gives up a workspace that has been closed. */
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
