/**
 * Coding agents tell what they do in log records. Each record names its conversation, and most name the prompt they belong to; what they say
 * of one prompt becomes one trace. All that is worked out here follows from the record alone, so it does not matter when it comes.
 */
import { hash } from 'node:crypto';
import type { RawLog } from '../otlp/raw-span.ts';
import { type AgentName, agentOf } from './agents.ts';
import { textIn } from './record-values.ts';

/** Which turn of which conversation a record is about. */
export interface TurnRecord {
  agent: AgentName;
  /** 32 hex digits. */
  conversation: string;
  /** 32 hex digits, the id of the trace where no spans tell of the prompt. Null: that of the last prompt before the record. */
  prompt: string | null;
  /** It is the user's prompt. */
  opens: boolean;
  /** What of the turn it tells about: `turn`, or a model call or tool by a key of its own. */
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
  const conversation = digest('conversation', agent.name, session);
  const opens = log.name === agent.promptEvent;
  const id = agent.promptKey === null ? '' : textIn(log.attributes, agent.promptKey);
  const named = id !== '' ? digest('prompt', conversation, id) : null;
  // Where prompts have no id they are told apart by their records.
  const prompt = named ?? (opens ? digest('prompt', conversation, recordKey(log)) : null);
  return {
    agent: agent.name,
    conversation,
    prompt,
    opens,
    target: target === 'call' || target === 'tool' ? `${target}:${recordKey(log)}` : target,
    at_us: timeOf(log),
  };
}

/** The id of the span that stands for a part of a turn. */
export const turnSpanId = (prompt: string, target: string): string => digest('span', prompt, target).slice(0, 16);

/** Where records wait whose prompt is not known yet. */
export const waitingSpanId = (conversation: string): string => digest('waiting', conversation).slice(0, 16);

/** Of the same record sent twice the same. */
const recordKey = ({ trace_id: _trace, span_id: _span, ...log }: RawLog): string => digest('record', JSON.stringify(log)).slice(0, 16);

/** Microseconds since the epoch: when it happened, else when it was noticed. */
const timeOf = ({ time_ns, observed_ns }: RawLog): number => Math.floor(Number(time_ns === '0' ? observed_ns : time_ns) / 1000);

const digest = (...parts: string[]): string => hash('sha256', parts.join('\0')).slice(0, 32);
