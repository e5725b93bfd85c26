/** Events that Codex shows to the user. What items have as well is read from these. */
import { amountAt, isJson, type Json, jsonAt, listAt, textAt } from '../json.ts';
import { partsOf, type RolloutItem } from './rollout.ts';
import { tokenCountOf } from './token-counts.ts';

/** @returns null for an event that adds nothing */
export function eventOf(event: Json): RolloutItem | null {
  switch (event['type']) {
    case 'task_started':
    case 'turn_started':
      return { kind: 'turn', traceId: exportedTrace(textAt(event, 'trace_id')) };
    case 'task_complete':
    case 'turn_complete':
      return { kind: 'turn end', error: textAt(jsonAt(event, 'error'), 'message') || null };
    case 'turn_aborted':
      return { kind: 'turn end', error: `Aborted: ${textAt(event, 'reason') || 'no reason given'}` };
    case 'error':
      return { kind: 'error', message: textAt(event, 'message') };
    case 'user_message':
      return userMessage(event);
    case 'token_count':
      return isJson(event['info']) ? { kind: 'token count', count: tokenCountOf(jsonAt(event, 'info')) } : null;
    case 'exec_command_end':
      return outcome(event, textAt(event, 'call_id'), amountAt(event, 'exit_code') > 0, '');
    case 'mcp_tool_call_end':
      return outcome(event, textAt(event, 'call_id'), isJson(event['result']) && 'Err' in event['result'], '');
    case 'patch_apply_end':
      return outcome(event, textAt(event, 'call_id'), event['success'] === false, filesOf(event));
    case 'collab_agent_spawn_end':
      return { kind: 'agents', callId: textAt(event, 'call_id'), threadIds: [textAt(event, 'new_thread_id')] };
    case 'item_completed':
      return completedItem(jsonAt(event, 'item'));
    default:
      return null;
  }
}

const exportedTrace = (id: string): string => (/^(?!0{32})[0-9a-f]{32}$/.test(id) ? id : '');

/** Until version 0.60 messages that the program wrote were recorded as well, with another `kind`. */
function userMessage(event: Json): RolloutItem | null {
  if (textAt(event, 'kind') !== '' && event['kind'] !== 'plain') return null;
  const images = listAt(event, 'images').map((image_url) => ({ image_url }));
  return { kind: 'prompt', parts: partsOf([{ text: textAt(event, 'message') }, ...images]) };
}

function completedItem(item: Json): RolloutItem | null {
  const id = textAt(item, 'id');
  switch (item['type']) {
    case 'UserMessage':
      return { kind: 'prompt', parts: partsOf(item['content']) };
    case 'CommandExecution':
    case 'McpToolCall':
      return outcome(item, id, false, '');
    case 'FileChange':
      return outcome(item, id, false, filesOf(item));
    case 'CollabAgentToolCall':
      return { kind: 'agents', callId: id, threadIds: listAt(item, 'receiver_thread_ids').filter((thread) => typeof thread === 'string') };
    case 'SubAgentActivity':
      return { kind: 'agents', callId: id, threadIds: [textAt(item, 'agent_thread_id')] };
    default:
      return null;
  }
}

const outcome = (item: Json, callId: string, failed: boolean, file: string): RolloutItem => ({
  ...{ kind: 'tool outcome', callId, file },
  failed: failed || item['status'] === 'failed' || item['status'] === 'declined',
});

const filesOf = (change: Json): string => Object.keys(jsonAt(change, 'changes')).join(', ');
