/** Entries of a session file of pi. The versions of the format are in README.md. */
import { amountAt, isJson, type Json, jsonAt, textAt } from '../json.ts';
import type { MessagePart } from '../messages.ts';
import type { Usage } from '../turn.ts';

export interface PiEntry {
  id: string;
  /** Milliseconds since the epoch. */
  atMs: number;
  what: Header | Given<'prompt'> | Given<'input'> | Given<'system'> | Answer | Result | Summary | Spent;
}

interface Header {
  kind: 'session';
  folder: string;
  /** Whether it begins with copies of the entries of another session. */
  isFork: boolean;
}

/** What the model is given. */
interface Given<Kind extends 'prompt' | 'input' | 'system'> {
  kind: Kind;
  parts: MessagePart[];
}

export interface Answer {
  kind: 'answer';
  provider: string;
  model: string;
  /** When the model was asked. Milliseconds since the epoch; 0 where it is not known. */
  startMs: number;
  parts: MessagePart[];
  stopReason: string;
  spent: Tokens | null;
  error: string | null;
}

export interface Result {
  kind: 'result';
  callId: string;
  name: string;
  text: string;
  isError: boolean;
  /** Milliseconds; 0 where it is not known. */
  durationMs: number;
  /** By models that the tool asked. */
  spent: Tokens | null;
}

export interface Summary {
  kind: 'compaction' | 'branch';
  text: string;
  trigger: string;
  tokensBefore: number;
  spent: Tokens | null;
}

/** A model call without a message, as one that keeps a cache. */
interface Spent {
  kind: 'spent';
  provider: string;
  model: string;
  spent: Tokens | null;
}

export interface Tokens {
  usage: Usage;
  /** US dollars; null where the file does not say. */
  cost: number | null;
}

/** @returns null for an entry that is no part of the conversation; `damaged` for one that cannot be read */
export function entryOf(json: Json): PiEntry | 'damaged' | null {
  const what = whatOf(json);
  if (!what) return null;
  const time = textAt(json, 'timestamp');
  const atMs = Date.parse(time);
  // The first version has no ids.
  return Number.isNaN(atMs) || atMs < 0 ? 'damaged' : { id: textAt(json, 'id') || time, atMs, what };
}

function whatOf(json: Json): PiEntry['what'] | null {
  switch (json['type']) {
    case 'session':
      return { kind: 'session', folder: textAt(json, 'cwd'), isFork: textAt(json, 'parentSession') !== '' };
    case 'message':
      return messageOf(jsonAt(json, 'message'));
    case 'custom_message':
      return { kind: 'input', parts: partsOf(json['content']) };
    case 'compaction':
      return {
        ...{ kind: 'compaction', text: textAt(json, 'summary'), tokensBefore: amountAt(json, 'tokensBefore'), spent: spentIn(json) },
        trigger: json['fromHook'] === true ? 'extension' : '',
      };
    case 'branch_summary':
      return { kind: 'branch', text: textAt(json, 'summary'), trigger: '', tokensBefore: 0, spent: spentIn(json) };
    case 'usage':
      return { kind: 'spent', provider: textAt(json, 'provider'), model: textAt(json, 'model'), spent: spentIn(json) };
    default:
      return null;
  }
}

function messageOf(message: Json): PiEntry['what'] | null {
  switch (message['role']) {
    case 'user':
      return { kind: 'prompt', parts: partsOf(message['content']) };
    case 'system':
      return { kind: 'system', parts: [...partsOf(message['content']), ...Object.values(jsonAt(message, 'sections')).flatMap(partsOf)] };
    case 'assistant':
      return answerOf(message);
    case 'toolResult':
      return {
        ...{ kind: 'result', callId: textAt(message, 'toolCallId'), name: textAt(message, 'toolName') },
        ...{ text: resultText(message['content']), isError: message['isError'] === true },
        ...{ durationMs: amountAt(message, 'durationMs'), spent: spentIn(message) },
      };
    // A command that the user ran. What begins with `!!` is not given to the model.
    case 'bashExecution':
      return message['excludeFromContext'] === true ? null : { kind: 'input', parts: partsOf(commandText(message)) };
    case 'custom':
    case 'hookMessage':
      return { kind: 'input', parts: partsOf(message['content']) };
    default:
      return null;
  }
}

const failed = new Set(['error', 'aborted']);

function answerOf(message: Json): Answer {
  const stopReason = textAt(message, 'stopReason');
  return {
    ...{ kind: 'answer', provider: textAt(message, 'provider'), model: textAt(message, 'model'), startMs: amountAt(message, 'timestamp') },
    ...{ parts: partsOf(message['content']), stopReason, spent: spentIn(message) },
    error: failed.has(stopReason) ? textAt(message, 'errorMessage') || stopReason : null,
  };
}

/** Null for nothing, which a call that was refused has. Pi counts the input without what was cached; the conventions do not. */
function spentIn(json: Json): Tokens | null {
  const usage = jsonAt(json, 'usage');
  const [cacheRead, cacheWrite] = [amountAt(usage, 'cacheRead'), amountAt(usage, 'cacheWrite')];
  const input = amountAt(usage, 'input') + cacheRead + cacheWrite;
  const output = amountAt(usage, 'output');
  if (input + output === 0) return null;
  const cost = jsonAt(usage, 'cost');
  return {
    usage: {
      ...{ input, output, cacheRead, cacheWrite },
      ...(typeof usage['reasoning'] === 'number' ? { reasoning: amountAt(usage, 'reasoning') } : {}),
    },
    cost: typeof cost['total'] === 'number' ? amountAt(cost, 'total') : null,
  };
}

function partsOf(content: unknown): MessagePart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', content }];
  return Array.isArray(content) ? content.filter(isJson).flatMap(partOf) : [];
}

function partOf(block: Json): MessagePart[] {
  switch (block['type']) {
    case 'text':
      return partsOf(textAt(block, 'text'));
    case 'thinking':
      return textAt(block, 'thinking') === '' ? [] : [{ type: 'reasoning', content: textAt(block, 'thinking') }];
    case 'toolCall':
      return [{ type: 'tool_call', id: textAt(block, 'id'), name: textAt(block, 'name'), arguments: block['arguments'] ?? {} }];
    case 'image':
      return [{ type: 'blob', mime_type: textAt(block, 'mimeType'), modality: 'image', content: textAt(block, 'data') }];
    default:
      return [];
  }
}

const resultText = (content: unknown): string =>
  partsOf(content)
    .map((part) => (part.type === 'text' ? part.content : '[image]'))
    .join('\n');

function commandText(message: Json): string {
  const output = textAt(message, 'output');
  const code = amountAt(message, 'exitCode');
  return `Ran \`${textAt(message, 'command')}\`\n${output === '' ? '(no output)' : `\`\`\`\n${output}\n\`\`\``}${code > 0 ? `\nExit code ${code}` : ''}`;
}
