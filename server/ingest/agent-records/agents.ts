/** Supported coding agents, and the attributes by which each correlates its log records. */
import type { RawLog } from '../otlp/raw-span.ts';
import { amountIn, textIn } from './record-values.ts';

export type AgentName = 'claude-code' | 'codex' | 'gemini-cli';

export interface Agent {
  name: AgentName;
  prefix: string;
  sessionKey: string;
  /** Null: its prompts have no id. */
  promptKey: string | null;
  promptEvent: string;
  /** `turn`, a part of it by its key, `call` or `tool` for one that only this record tells about, null for what belongs to no prompt. */
  targetOf(log: RawLog): string | null;
}

const toolBy = (log: RawLog, key: string): string => {
  const id = textIn(log.attributes, key);
  return id === '' ? 'tool' : `tool:${id}`;
};

function claudeTarget(log: RawLog): string | null {
  switch (log.name) {
    case 'claude_code.api_request':
    case 'claude_code.api_error':
    case 'claude_code.api_refusal':
      return 'call';
    case 'claude_code.user_prompt':
    case 'claude_code.assistant_response':
      return 'turn';
    case 'claude_code.tool_result':
    case 'claude_code.tool_decision':
      return toolBy(log, 'tool_use_id');
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
      return toolBy(log, 'call_id');
    // There is one for each piece of an answer; those with tokens or a failure say something.
    case 'codex.sse_event':
      return failed || amountIn(attributes, 'input_token_count') !== null ? 'call' : null;
    case 'codex.api_request':
    case 'codex.websocket_request':
    case 'codex.websocket_connect':
      return failed ? 'call' : null;
    default:
      return null;
  }
}

function geminiTarget(log: RawLog): string | null {
  const { attributes } = log;
  const moment = textIn(attributes, 'event.timestamp');
  switch (log.name) {
    case 'gemini_cli.api_response':
      return moment === '' ? 'call' : `call:${moment}`;
    // Told once when the request goes out and once more, at the moment of the response, with the answer.
    case 'gen_ai.client.inference.operation.details':
      return moment !== '' && attributes.some(([key]) => key === 'gen_ai.output.messages') ? `call:${moment}` : null;
    case 'gemini_cli.api_error':
      return 'call';
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

const gemini = agents[2] as Agent;

/** Whose record it is, by its name. */
export function agentOf(name: string): Agent | undefined {
  // Gemini CLI tells its model calls in the words of the convention as well.
  if (name === 'gen_ai.client.inference.operation.details') return gemini;
  return agents.find(({ prefix }) => name.startsWith(prefix));
}
