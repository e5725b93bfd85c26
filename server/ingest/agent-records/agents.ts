/** Supported coding agents, and the attributes by which each correlates its log records. */
import type { RawLog } from '../otlp/raw-span.ts';
import { amountIn, textIn } from './record-values.ts';

export type AgentName = 'claude-code' | 'codex' | 'gemini-cli';

export interface Agent {
  name: AgentName;
  prefix: string;
  sessionKey: string;
  /** Null for an agent without prompt ids. */
  promptKey: string | null;
  promptEvent: string;
  /**
   * The span that a record describes: `turn`; a part of it with its key; `call`, `failure` or `tool` when this is its only record. Null for a
   * record that belongs to no prompt.
   */
  targetOf(log: RawLog): string | null;
}

const toolTarget = (log: RawLog, key: string): string => {
  const id = textIn(log.attributes, key);
  return id === '' ? 'tool' : `tool:${id}`;
};

const callTarget = (id: string): string => (id === '' ? 'call' : `call:${id}`);

function claudeTarget(log: RawLog): string | null {
  switch (log.name) {
    case 'claude_code.api_request':
    case 'claude_code.api_error':
    case 'claude_code.api_refusal':
      return callTarget(textIn(log.attributes, 'request_id'));
    case 'claude_code.user_prompt':
    case 'claude_code.assistant_response':
      return 'turn';
    case 'claude_code.tool_result':
    case 'claude_code.tool_decision':
      return toolTarget(log, 'tool_use_id');
    default:
      return textIn(log.attributes, 'prompt.id') === '' ? null : 'turn';
  }
}

function codexTarget(log: RawLog): string | null {
  const { attributes } = log;
  const failed = textIn(attributes, 'error.message') !== '';
  switch (log.name) {
    case 'codex.user_prompt':
    case 'codex.turn_ttft':
      return 'turn';
    case 'codex.tool_result':
    case 'codex.tool_decision':
      return toolTarget(log, 'call_id');
    // Sent for each chunk of a streamed response; only those with tokens or an error are used.
    case 'codex.sse_event':
      if (failed) return 'failure';
      return amountIn(attributes, 'input_token_count') === null ? null : 'call';
    case 'codex.api_request':
    case 'codex.websocket_request':
    case 'codex.websocket_connect':
      return failed ? 'failure' : null;
    default:
      return null;
  }
}

function geminiTarget(log: RawLog): string | null {
  const { attributes } = log;
  const time = textIn(attributes, 'event.timestamp');
  switch (log.name) {
    case 'gemini_cli.api_response':
      return time === '' ? 'call' : `call:${time}`;
    // Sent with the request, and again with the response at the time of the response; only the second has the output.
    case 'gen_ai.client.inference.operation.details':
      return time !== '' && attributes.some(([key]) => key === 'gen_ai.output.messages') ? `call:${time}` : null;
    case 'gemini_cli.api_error':
      return 'failure';
    case 'gemini_cli.tool_call':
      return 'tool';
    case 'gemini_cli.agent.start':
    case 'gemini_cli.agent.finish':
      return 'turn';
    default:
      return textIn(attributes, 'prompt_id') === '' ? null : 'turn';
  }
}

const agents: readonly Agent[] = [
  {
    name: 'claude-code',
    prefix: 'claude_code.',
    sessionKey: 'session.id',
    promptKey: 'prompt.id',
    promptEvent: 'claude_code.user_prompt',
    targetOf: claudeTarget,
  },
  {
    name: 'codex',
    prefix: 'codex.',
    sessionKey: 'conversation.id',
    promptKey: null,
    promptEvent: 'codex.user_prompt',
    targetOf: codexTarget,
  },
  {
    name: 'gemini-cli',
    prefix: 'gemini_cli.',
    sessionKey: 'session.id',
    promptKey: 'prompt_id',
    promptEvent: 'gemini_cli.user_prompt',
    targetOf: geminiTarget,
  },
];

const geminiCli = agents[2] as Agent;

/** The agent that sent a record, by the name of the record. */
export function agentOf(name: string): Agent | undefined {
  // Gemini CLI also reports its model calls as events of the GenAI conventions.
  if (name === 'gen_ai.client.inference.operation.details') return geminiCli;
  return agents.find(({ prefix }) => name.startsWith(prefix));
}
