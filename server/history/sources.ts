/** The coding agents whose session files are read, and the folders of a user that these are in. */
import { join } from 'node:path';
import { type HistoryAgent, historyAgents } from '../../shared/contract/viewer/agent-history.ts';
import { ClaudeSessions } from './claude-code/claude-sessions.ts';
import { CodexSessions } from './codex/codex-sessions.ts';
import { GeminiSessions } from './gemini/gemini-sessions.ts';
import { PiSessions } from './pi/pi-sessions.ts';
import type { SessionSource } from './session-source.ts';

export { type HistoryAgent, historyAgents };

/** Whose files they are. */
export interface Home {
  folder: string;
  environment: Readonly<NodeJS.ProcessEnv>;
}

/** The folder of an agent, with its settings and its sessions. */
export const agentFolder: Record<HistoryAgent, (home: Home) => string> = {
  'claude-code': ({ folder, environment }) => environment['CLAUDE_CONFIG_DIR'] || join(folder, '.claude'),
  codex: ({ folder, environment }) => environment['CODEX_HOME'] || join(folder, '.codex'),
  gemini: ({ folder, environment }) => join(environment['GEMINI_CLI_HOME'] || folder, '.gemini'),
  pi: ({ folder, environment }) => environment['PI_CODING_AGENT_DIR'] || join(folder, '.pi', 'agent'),
};

/** The folder that an agent keeps its sessions in. */
export const sessionFolder: Record<HistoryAgent, (home: Home) => string> = {
  'claude-code': (home) => join(agentFolder['claude-code'](home), 'projects'),
  codex: (home) => join(agentFolder.codex(home), 'sessions'),
  gemini: (home) => join(agentFolder.gemini(home), 'tmp'),
  pi: (home) => home.environment['PI_CODING_AGENT_SESSION_DIR'] || join(agentFolder.pi(home), 'sessions'),
};

const sources: Record<HistoryAgent, new (folder: string) => SessionSource> = {
  'claude-code': ClaudeSessions,
  codex: CodexSessions,
  gemini: GeminiSessions,
  pi: PiSessions,
};

/** @param folder the one that the agent keeps its sessions in */
export const sourceOf = (agent: HistoryAgent, folder: string): SessionSource => new sources[agent](folder);
