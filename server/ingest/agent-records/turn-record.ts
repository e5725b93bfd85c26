/**
 * Coding agents report their work in log records. Each record names its conversation, and most name their prompt. The records of one prompt
 * become one trace. Everything here is computed from a single record, so the order of arrival has no effect.
 */
import { hash } from 'node:crypto';
import type { RawLog } from '../otlp/raw-span.ts';
import { type AgentName, agentOf } from './agents.ts';
import { textIn } from './record-values.ts';

/** The conversation and the turn of a record. */
export interface TurnRecord {
  agent: AgentName;
  /** 32 hex digits. */
  conversation: string;
  /** 32 hex digits: the id of the trace if the agent sends no spans. Null: the last prompt before the record. */
  prompt: string | null;
  /** Whether the record is the user's prompt, which starts the turn. */
  opens: boolean;
  /** The part of the turn that it describes: `turn`, or a model call, one that failed, or a tool with its key. */
  target: string;
  at_us: number;
}

/** Null for records that belong to no prompt. */
export function turnRecordOf(log: RawLog): TurnRecord | null {
  const agent = agentOf(log.name);
  const session = agent && textIn(log.attributes, agent.sessionKey);
  if (!agent || !session) return null;
  const target = agent.targetOf(log);
  if (target === null) return null;
  const conversation = conversationOf(agent.name, session);
  const opens = log.name === agent.promptEvent;
  const id = agent.promptKey === null ? '' : textIn(log.attributes, agent.promptKey);
  const fromId = id !== '' ? promptTraceId(conversation, id) : null;
  // Prompts without an id are identified by their record.
  const prompt = fromId ?? (opens ? promptTraceId(conversation, recordKey(log)) : null);
  return {
    agent: agent.name,
    conversation,
    prompt,
    opens,
    target: target === 'turn' || target.includes(':') ? target : `${target}:${recordKey(log)}`,
    at_us: timeOf(log),
  };
}

/** Scope of the spans that are read from session files of coding agents. Their ids are those of the spans from log records. */
export const agentHistoryScope = 'glasshouse.history';

/** @param agent that exports log records, or whose session files are read @param session as the agent names it */
export const conversationOf = (agent: AgentName | 'pi', session: string): string => digest('conversation', agent, session);

/** The id of the trace of a prompt, if the agent sends no spans. */
export const promptTraceId = (conversation: string, prompt: string): string => digest('prompt', conversation, prompt);

/** The id of the placeholder span of a part of a turn. */
export const turnSpanId = (prompt: string, target: string): string => digest('span', prompt, target).slice(0, 16);

/** The span that holds records until their prompt is known. */
export const unassignedSpanId = (conversation: string): string => digest('waiting', conversation).slice(0, 16);

/** Equal for the same record sent twice. */
const recordKey = ({ trace_id: _trace, span_id: _span, ...log }: RawLog): string => digest('record', JSON.stringify(log)).slice(0, 16);

/** Microseconds since the epoch: the time of the event, else the observed time. */
const timeOf = ({ time_ns, observed_ns }: RawLog): number => Math.floor(Number(time_ns === '0' ? observed_ns : time_ns) / 1000);

const digest = (...parts: string[]): string => hash('sha256', parts.join('\0')).slice(0, 32);
