/** Turns of Codex. */
import { agentTarget, type SubAgent, type Turn } from '../turn.ts';
import type { RolloutLine, SessionMeta } from './rollout.ts';
import type { StartedAgents } from './started-agents.ts';

export interface CodexTurn extends Turn {
  /** '' in versions without. */
  turnId: string;
  /** Null for a turn of the user. */
  agent: SubAgent | null;
  hasSteps: boolean;
  /** More of a turn whose span was made already. */
  isContinued: boolean;
  /** Copied from the session that this one was forked from, where it is read. */
  isCopy: boolean;
}

export function newTurn(
  session: SessionMeta & { atMs: number },
  { atMs, turnId, rootTurnId, what }: RolloutLine,
  started: StartedAgents,
  isContinued: boolean,
): CodexTurn {
  const { threadId, sessionId, service, version, provider, folder, branch } = session;
  const ownId = turnId || String(atMs);
  const isAgent = sessionId !== threadId;
  const promptId = isAgent ? rootTurnId || started.promptOf(threadId) || ownId : ownId;
  const agent = isAgent
    ? {
        id: threadId,
        threadId,
        name: session.agentName || 'sub-agent',
        callId: started.callOf(threadId, promptId),
        target: agentTarget(ownId),
      }
    : null;
  const ownTrace = what.kind === 'turn' ? what.traceId : '';
  const traceId = isAgent ? started.traceOf(threadId, promptId) : ownTrace;
  return {
    program: { agent: 'codex', service, version, provider },
    ...{ promptId, sessionId, traceId, folder, branch, startMs: atMs, endMs: atMs, prompt: [], answer: [], error: null },
    ...{ turnId, agent, hasSteps: false, isContinued, isCopy: isCopied(session, turnId, atMs) },
  };
}

/** Version 7 of UUIDs, which begin with the time. */
const timeOrdered = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;
/** A fork is written at once. */
const copyMs = 1000;

/** The file of a fork, and of a sub-agent that is given the conversation, may begin with a copy of turns that are older than its thread. */
function isCopied({ threadId, isForked, atMs }: SessionMeta & { atMs: number }, turnId: string, startMs: number): boolean {
  if (timeOrdered.test(turnId) && timeOrdered.test(threadId)) return turnId < threadId;
  return isForked && startMs - atMs < copyMs;
}
