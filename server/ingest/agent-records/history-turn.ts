/**
 * Turns that were read from session files. Log records of Claude Code name their turn. Those of other agents name none (Codex), or not each
 * its own (Gemini CLI): they belong to a turn by their conversation and their time. So what is stored of a turn is when it began and ended.
 */
import type { SpanData } from '../otlp/raw-span.ts';
import type { AgentName } from './agents.ts';
import { textIn } from './record-values.ts';
import { agentHistoryScope, conversationOf, promptTraceId } from './turn-record.ts';

export interface HistoryTurn {
  /** 32 hex digits, as of its log records. */
  conversation: string;
  /** 32 hex digits, from which the ids of its spans derive. */
  prompt: string;
}

/** Span attributes by which the root of a turn is known, where its ids do not say it. */
export const turnAttribute = 'metadata.turn_id';
export const threadAttribute = 'metadata.thread_id';

const agents: ReadonlySet<string> = new Set<AgentName>(['claude-code', 'codex', 'gemini-cli']);

/** Null for a span that is not the root of such a turn, or of a sub-agent with a conversation of its own. */
export function historyTurnOf({ span, scope }: SpanData): HistoryTurn | null {
  if (scope.name !== agentHistoryScope || textIn(span.attributes, 'gen_ai.operation.name') !== 'invoke_agent') return null;
  const [session, thread, turn] = ['session.id', threadAttribute, turnAttribute].map((key) => textIn(span.attributes, key));
  // Only sub-agents of Codex have a thread.
  const agent = thread === '' ? span.name : 'codex';
  if (!session || !agents.has(agent) || (span.parent_id !== null && thread === '')) return null;
  const sessionConversation = conversationOf(agent as AgentName, session);
  return {
    conversation: thread === '' ? sessionConversation : conversationOf('codex', thread as string),
    prompt: turn ? promptTraceId(sessionConversation, turn) : span.trace_id,
  };
}

/**
 * The part of a turn that a record belongs to once the turn is read from a file. The file has all answers of the model, without an id that
 * records name, so what records tell of those is told of the whole turn; likewise the tools of Gemini CLI.
 */
export function targetInHistory(agent: AgentName, target: string): string {
  if (target.startsWith('failure:')) return target;
  return agent === 'codex' && target.startsWith('tool:') ? target : 'turn';
}
