import type { AgentHistory, HistoryAgent } from '../../../shared/contract/viewer/agent-history.ts';
import { count, plural } from '../../model/text/format.ts';

export const agentNames: Record<HistoryAgent, string> = { 'claude-code': 'Claude Code', codex: 'Codex', gemini: 'Gemini CLI', pi: 'pi' };

/** Agents with sessions, and those that are shown, or whose folder cannot be read. */
export const foundAgents = (agents: readonly AgentHistory[]): AgentHistory[] =>
  agents.filter(({ sessions, is_shown, problem }) => sessions > 0 || is_shown || problem !== null);

/** `Claude Code, Codex and pi` */
export function namesOf(agents: readonly AgentHistory[]): string {
  const names = agents.map(({ agent }) => agentNames[agent]);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** `3 coding agents found on this machine` */
export const foundWords = (agents: readonly AgentHistory[]): string => `${plural(agents.length, 'coding agent')} found on this machine`;

/** Words of the button that shows the history of all of them. */
export const showWords = (agents: readonly AgentHistory[]): string => (agents.length === 1 ? 'Show its history' : 'Show their history');

/** `Claude Code and Codex: 120 of 412 sessions read, 1 902 traces` */
export function progressWords(agents: readonly AgentHistory[]): string {
  const sum = (of: (agent: AgentHistory) => number) => agents.reduce((total, agent) => total + of(agent), 0);
  const [read, sessions] = [sum(({ sessions_read }) => sessions_read), sum((agent) => agent.sessions)];
  return `${count(read)} of ${plural(sessions, 'session')} read, ${plural(
    sum(({ traces }) => traces),
    'trace',
  )}`;
}
