/** Messages of the GenAI conventions. */
import type { AgentCall, Step } from './story.ts';

type Part =
  | { type: 'text'; content: string }
  | { type: 'tool_call'; id: string; name: string; arguments: object }
  | { type: 'tool_call_response'; id: string; response: string };

export interface Message {
  role: 'user' | 'assistant' | 'tool';
  parts: Part[];
  finish_reason?: 'stop' | 'tool_call';
}

export const userMessage = (content: string): Message => ({ role: 'user', parts: [{ type: 'text', content }] });

export const answerMessage = (content: string): Message => ({
  role: 'assistant',
  parts: [{ type: 'text', content }],
  finish_reason: 'stop',
});

export const isAgentCall = (step: Step): step is AgentCall => 'agent' in step;

const nameOf = (step: Step): string => (isAgentCall(step) ? step.agent.name : step.tool);
const argumentsOf = (step: Step): object => (isAgentCall(step) ? { task: step.turn.ask } : step.args);

export const resultText = (result: unknown): string => (typeof result === 'string' ? result : JSON.stringify(result));

/** What the model gets back. */
function responseOf(step: Step): string {
  if (isAgentCall(step)) return step.turn.answer;
  return step.failed ? `${step.failed.type}: ${step.failed.message}` : resultText(step.result);
}

/** The answer of a model that asks for these steps. */
export const callsMessage = (steps: readonly Step[], ids: readonly string[]): Message => ({
  role: 'assistant',
  parts: steps.map((step, index) => ({ type: 'tool_call', id: ids[index] ?? '', name: nameOf(step), arguments: argumentsOf(step) })),
  finish_reason: 'tool_call',
});

export const resultsMessage = (steps: readonly Step[], ids: readonly string[]): Message => ({
  role: 'tool',
  parts: steps.map((step, index) => ({ type: 'tool_call_response', id: ids[index] ?? '', response: responseOf(step) })),
});
