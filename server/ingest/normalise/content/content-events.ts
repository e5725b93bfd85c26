/** The events and log records with input or output content: those that the payload readers read. */
import type { RawAttribute } from '../../otlp/raw-span.ts';
import { BODY_KEYS, OPERATION_DETAILS } from './genai-events.ts';
import { PROMPT_EVENTS } from './input-payload.ts';
import type { Side } from './payload.ts';
import { RESULT_EVENTS } from './retrieved-documents.ts';

/** Sides of an event that holds a whole conversation. */
const both: readonly Side[] = ['input', 'output'];

/** The content in an event or log record. */
export interface EventContent {
  sides: readonly Side[];
  /** Attributes that hold it; null when any may. */
  keys: readonly string[] | null;
}

/** Attributes of the log records of coding agents that hold content: Claude Code, Codex and Gemini CLI. */
const agentKeys: Readonly<Record<Side, readonly string[]>> = {
  input: ['prompt', 'prompt_text', 'request_text', 'tool_input', 'tool_parameters', 'function_args', 'arguments'],
  output: ['response', 'response_text', 'tool_result', 'tool_output', 'output'],
};
/** Claude Code sends the prefixed name as the name of the record, and the bare name in the attribute `event.name`. */
const agentEvent = /^(claude_code|codex|gemini_cli)\.|^(user_prompt|assistant_response|tool_result)$/;

/** Empty for an event without content. Unknown `gen_ai` events may hold anything: later versions of the conventions will add some. */
export function contentOfEvent(name: string, attributes: readonly RawAttribute[]): readonly EventContent[] {
  const eventName = attributes.find(([key, value]) => key === 'event.name' && typeof value === 'string')?.[1];
  const effectiveName = name.startsWith('gen_ai.') || typeof eventName !== 'string' ? name : eventName;
  if (agentEvent.test(name) || agentEvent.test(effectiveName)) return both.map((side) => ({ sides: [side], keys: agentKeys[side] }));
  const sides = sidesOfName(effectiveName);
  // The attributes of operation details are those of a span and are classified like them; its body repeats all of them.
  return sides.length === 0 ? [] : [{ sides, keys: effectiveName === OPERATION_DETAILS ? BODY_KEYS : null }];
}

function sidesOfName(name: string): readonly Side[] {
  if (PROMPT_EVENTS.has(name)) return ['input'];
  if (RESULT_EVENTS.has(name) || name === 'tool.output') return ['output'];
  // Evaluation events hold scores, no content.
  if (!name.startsWith('gen_ai.') || name.startsWith('gen_ai.evaluation.')) return [];
  if (name === 'gen_ai.choice' || name === 'gen_ai.content.completion') return ['output'];
  if (name === 'gen_ai.content.prompt' || name === 'gen_ai.system.message' || name === 'gen_ai.user.message') return ['input'];
  // Earlier messages of an assistant or a tool are in the input of the next call.
  return both;
}
