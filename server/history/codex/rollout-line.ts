/** Lines of a session file of Codex, which it calls a rollout. The versions of the format are in README.md. */
import { isJson, type Json, jsonAt, readJson, textAt } from '../json.ts';
import type { RolloutItem, RolloutLine, SessionMeta } from './rollout.ts';
import { eventOf } from './rollout-event.ts';
import { itemOf } from './rollout-item.ts';
import { usageOf } from './token-counts.ts';

/** @returns null for a line that is no part of the conversation; `damaged` for one that cannot be read */
export function readLine(text: string): RolloutLine | 'damaged' | null {
  const json = readJson(text);
  if (!json) return 'damaged';
  const what = whatOf(json);
  if (!what) return null;
  const atMs = Date.parse(textAt(json, 'timestamp'));
  if (Number.isNaN(atMs) || atMs < 0) return 'damaged';
  const payload = jsonAt(json, 'payload');
  const turnId = textAt(payload, 'turn_id') || textAt(jsonAt(payload, 'internal_chat_message_metadata_passthrough'), 'turn_id');
  return { atMs, turnId, rootTurnId: textAt(payload, 'root_turn_id'), what };
}

function whatOf(json: Json): RolloutItem | null {
  const payload = jsonAt(json, 'payload');
  switch (json['type']) {
    case 'session_meta':
      return metaOf(payload);
    case 'turn_context':
      return { kind: 'context', model: textAt(payload, 'model'), folder: textAt(payload, 'cwd') };
    case 'response_item':
      return itemOf(payload, textAt(json, 'timestamp'));
    case 'event_msg':
      return eventOf(payload);
    case 'token_usage_record':
      return isJson(payload['usage']) ? { kind: 'usage', usage: usageOf(payload['usage']) } : null;
    case 'compacted':
      return { kind: 'compaction', summary: textAt(payload, 'message') };
    default:
      return null;
  }
}

function metaOf(meta: Json): SessionMeta {
  const threadId = textAt(meta, 'id');
  const spawn = jsonAt(jsonAt(jsonAt(meta, 'source'), 'subagent'), 'thread_spawn');
  const parent = textAt(meta, 'parent_thread_id') || textAt(spawn, 'parent_thread_id');
  const name = textAt(meta, 'agent_nickname') || textAt(spawn, 'agent_nickname') || textAt(meta, 'agent_role');
  return {
    ...{ kind: 'session', threadId, parentId: parent, sessionId: textAt(meta, 'session_id') || parent || threadId },
    isForked: textAt(meta, 'forked_from_id') !== '' || parent !== '',
    agentName: name,
    service: textAt(meta, 'originator') || 'codex',
    version: textAt(meta, 'cli_version'),
    provider: textAt(meta, 'model_provider') || 'openai',
    folder: textAt(meta, 'cwd'),
    branch: textAt(jsonAt(meta, 'git'), 'branch'),
    instructions: textAt(jsonAt(meta, 'base_instructions'), 'text') || textAt(meta, 'instructions'),
  };
}
