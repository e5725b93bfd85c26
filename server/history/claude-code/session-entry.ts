/** Lines of a session file of Claude Code. Only lines that are part of the conversation are read. The versions of the format are in README.md. */
import { amountAt, isJson, type Json, jsonAt, listAt, readJson, textAt } from '../json.ts';
import { type MessagePart, type ToolResult, textOf } from '../messages.ts';
import type { Usage } from '../turn.ts';

export interface SessionEntry {
  id: string;
  parentId: string;
  /** Milliseconds since the epoch. */
  atMs: number;
  /** '' where the line does not say. */
  promptId: string;
  sessionId: string;
  version: string;
  folder: string;
  branch: string;
  /** Of a sub-agent. */
  isSidechain: boolean;
  what: Prompt | ToolResults | ModelBlock | Compaction | SystemPrompt | Other;
}

/** What the user, or the program in their name, says. */
export interface Prompt {
  kind: 'prompt';
  parts: MessagePart[];
  /** Written by the program: notes to the model, and the output of its own commands. */
  isMeta: boolean;
  /** The summary with which a conversation goes on. */
  isSummary: boolean;
}

export interface ToolResults {
  kind: 'tool results';
  results: ToolResult[];
  /** The sub-agent that the tool started; '' for none. */
  agentId: string;
}

/** One block of what the model answers. The blocks of an answer are lines of their own, each with the usage of the whole. */
export interface ModelBlock {
  kind: 'model';
  requestId: string;
  model: string;
  parts: MessagePart[];
  stopReason: string;
  /** Null where the line does not say. */
  usage: Usage | null;
  /** US dollars; null where the line does not say. */
  cost: number | null;
  /** Null unless the request failed. */
  error: string | null;
}

export interface Compaction {
  kind: 'compaction';
  trigger: string;
  tokensBefore: number;
  tokensAfter: number;
  durationMs: number;
}

export interface SystemPrompt {
  kind: 'system prompt';
  texts: string[];
}

/** It is part of the chain from a line to its prompt, and nothing else. */
interface Other {
  kind: 'other';
}

/** @returns null for a line that is no part of the conversation; `damaged` for one that cannot be read */
export function readEntry(line: string): SessionEntry | 'damaged' | null {
  const json = readJson(line);
  if (!json) return 'damaged';
  const what = whatOf(json);
  if (!what) return null;
  const [id, at] = [textAt(json, 'uuid'), Date.parse(textAt(json, 'timestamp'))];
  const sessionId = textAt(jsonAt(json, 'forkedFrom'), 'sessionId') || textAt(json, 'sessionId');
  if (id === '' || Number.isNaN(at) || at < 0 || sessionId === '') return 'damaged';
  return {
    id,
    // After a compaction the chain begins anew.
    parentId: textAt(json, 'parentUuid') || textAt(json, 'logicalParentUuid'),
    atMs: at,
    promptId: textAt(json, 'promptId'),
    // A fork of a session begins with a copy of its lines, which are its own and are not counted twice.
    sessionId,
    version: textAt(json, 'version'),
    folder: textAt(json, 'cwd'),
    branch: textAt(json, 'gitBranch'),
    isSidechain: json['isSidechain'] === true,
    what,
  };
}

function whatOf(json: Json): SessionEntry['what'] | null {
  switch (json['type']) {
    case 'user':
      return userOf(json);
    case 'assistant':
      return modelOf(json);
    case 'system':
      return json['subtype'] === 'compact_boundary' ? compactionOf(jsonAt(json, 'compactMetadata')) : { kind: 'other' };
    case 'attachment':
      return attachmentOf(jsonAt(json, 'attachment'));
    default:
      return null;
  }
}

function userOf(json: Json): Prompt | ToolResults {
  const { content } = jsonAt(json, 'message');
  const blocks = blocksOf(content);
  const results = blocks.filter((block) => block['type'] === 'tool_result');
  if (results.length > 0)
    return {
      kind: 'tool results',
      results: results.map((block) => ({
        callId: textAt(block, 'tool_use_id'),
        text: resultText(block['content']),
        isError: block['is_error'] === true,
      })),
      agentId: textAt(jsonAt(json, 'toolUseResult'), 'agentId'),
    };
  return {
    kind: 'prompt',
    parts: blocks.flatMap(partOf),
    isMeta: json['isMeta'] === true,
    isSummary: json['isCompactSummary'] === true,
  };
}

/** The program writes answers of its own, under a model of this name. Of these only failures of the API are part of the conversation. */
const noModel = '<synthetic>';

function modelOf(json: Json): ModelBlock | Other {
  const message = jsonAt(json, 'message');
  const parts = blocksOf(message['content']).flatMap(partOf);
  const isError = json['isApiErrorMessage'] === true;
  const model = textAt(message, 'model');
  if (model === noModel && !isError) return { kind: 'other' };
  return {
    kind: 'model',
    requestId: textAt(json, 'requestId') || textAt(message, 'id') || textAt(json, 'uuid'),
    model: model === noModel ? '' : model,
    parts,
    stopReason: textAt(message, 'stop_reason'),
    usage: isJson(message['usage']) ? usageOf(message['usage']) : null,
    cost: typeof json['costUSD'] === 'number' ? amountAt(json, 'costUSD') : null,
    error: isError ? textOf(parts) : null,
  };
}

/** The API counts the input without what was cached. */
function usageOf(usage: Json): Usage {
  const [cacheRead, cacheWrite] = [amountAt(usage, 'cache_read_input_tokens'), amountAt(usage, 'cache_creation_input_tokens')];
  const input = amountAt(usage, 'input_tokens') + cacheRead + cacheWrite;
  return { input, output: amountAt(usage, 'output_tokens'), cacheRead, cacheWrite };
}

const compactionOf = (meta: Json): Compaction => ({
  kind: 'compaction',
  trigger: textAt(meta, 'trigger'),
  tokensBefore: amountAt(meta, 'preTokens'),
  tokensAfter: amountAt(meta, 'postTokens'),
  durationMs: amountAt(meta, 'durationMs'),
});

function attachmentOf(attachment: Json): SystemPrompt | Prompt | Other {
  const texts = listAt(attachment, 'systemPrompt').filter((text) => typeof text === 'string');
  if (attachment['type'] === 'prompt_snapshot' && texts.length > 0) return { kind: 'system prompt', texts };
  // Typed while the agent was at work: part of the turn that runs.
  if (attachment['type'] === 'queued_command')
    return { kind: 'prompt', parts: blocksOf(attachment['prompt']).flatMap(partOf), isMeta: true, isSummary: false };
  return { kind: 'other' };
}

const blocksOf = (content: unknown): Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content.filter(isJson) : [];

function partOf(block: Json): MessagePart[] {
  switch (block['type']) {
    case 'text':
      return [{ type: 'text', content: textAt(block, 'text') }];
    case 'thinking':
      return [{ type: 'reasoning', content: textAt(block, 'thinking') }];
    case 'tool_use':
      return [{ type: 'tool_call', id: textAt(block, 'id'), name: textAt(block, 'name'), arguments: block['input'] ?? {} }];
    case 'image': {
      const source = jsonAt(block, 'source');
      const content = textAt(source, 'data');
      return content === '' ? [] : [{ type: 'blob', mime_type: textAt(source, 'media_type'), modality: 'image', content }];
    }
    default:
      return [];
  }
}

/** Results are text, or blocks of text and images. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  return blocksOf(content)
    .map((block) => (block['type'] === 'text' ? textAt(block, 'text') : `[${textAt(block, 'type')}]`))
    .join('\n');
}
