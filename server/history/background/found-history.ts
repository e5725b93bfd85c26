/** What there is of an agent on this machine, and how much of it was read. */
import type { HistoryAgent } from '../sources.ts';
import type { AgentSessions } from './agent-sessions.ts';
import type { ReadSessions, ReadTotals } from './read-sessions.ts';

export interface FoundHistory {
  agent: HistoryAgent;
  folder: string;
  /** Without those of sub-agents. */
  sessions: number;
  bytes: number;
  /** Milliseconds since the epoch; null without sessions. */
  newestMs: number | null;
  /** Of the sessions, those that are stored up to their last line. */
  sessionsRead: number;
  /** That their prompts became. */
  traces: number;
  /** Why the folder cannot be read; null if it can, or if there is none. */
  problem: string | null;
  /** What was left out, one sentence each. */
  leftOut: string[];
}

const namedFilesMax = 5;

export function foundOf(sessions: AgentSessions, read: ReadSessions): FoundHistory {
  const { agent, folder, problem } = sessions;
  const totals = read.totals(agent);
  const found: FoundHistory = {
    ...{ agent, folder, problem, sessions: 0, bytes: 0, newestMs: null, sessionsRead: 0, traces: totals.traces },
    leftOut: leftOutOf(sessions, totals),
  };
  for (const session of sessions.sessions) {
    found.bytes += session.bytes;
    found.newestMs = Math.max(found.newestMs ?? 0, session.modifiedMs);
    if (session.isAgent) continue;
    found.sessions++;
    if (read.isCurrent(agent, session)) found.sessionsRead++;
  }
  return found;
}

function leftOutOf(sessions: AgentSessions, { damagedLines: damaged, longLines: long, unreadable }: ReadTotals): string[] {
  const { conflicts, refusedSpans, largeSpans } = sessions;
  const files = [...sessions.unreadable, ...unreadable].map(({ path, why }) => `${path} could not be read (${why}).`);
  for (const id of sessions.skipped) {
    const path = sessions.find(id)?.files[0].path ?? id;
    files.push(`${path} is left out until the gateway is restarted: reading it failed twice.`);
  }
  const more = files.length - namedFilesMax;
  return [
    ...files.slice(0, namedFilesMax),
    ...(more > 0 ? [`${many(more, 'more file')} could not be read.`] : []),
    ...(damaged > 0 ? [`${many(damaged, 'line')} incomplete or damaged.`] : []),
    ...(long > 0 ? [`${many(long, 'line')} longer than 16 MiB.`] : []),
    ...(largeSpans > 0 ? [`${many(largeSpans, 'span')} larger than a gateway accepts.`] : []),
    ...(conflicts > 0
      ? [
          `${many(conflicts, 'step')} ${wasOrWere(conflicts)} left out: another version of ${conflicts === 1 ? 'it' : 'them'} is already stored.`,
        ]
      : []),
    ...(refusedSpans > 0 ? [`${many(refusedSpans, 'step')} could not be stored. The reason is in the log of the gateway.`] : []),
  ];
}

const many = (count: number, what: string): string => `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;

const wasOrWere = (count: number): string => (count === 1 ? 'was' : 'were');
