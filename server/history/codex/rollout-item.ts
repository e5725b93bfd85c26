/** Items of the conversation as the API has them: messages, reasoning, tool calls and their results. */
import { isJson, type Json, jsonAt, listAt, readJson, textAt } from '../json.ts';
import type { MessagePart } from '../messages.ts';
import { type ModelOutput, partsOf, type RolloutItem } from './rollout.ts';

/** @param time of the line, which identifies what has no id @returns null for an item of another kind */
export function itemOf(item: Json, time: string): RolloutItem | null {
  switch (item['type']) {
    case 'message':
      return messageOf(item);
    case 'reasoning':
      return output(item, [...thoughtsOf(listAt(item, 'summary')), ...thoughtsOf(listAt(item, 'content'))]);
    case 'function_call':
      return toolOf(item, textAt(item, 'call_id'), textAt(item, 'name'), textAt(item, 'arguments'));
    case 'custom_tool_call':
      return toolOf(item, textAt(item, 'call_id'), textAt(item, 'name'), JSON.stringify(textAt(item, 'input')));
    case 'local_shell_call':
      return toolOf(item, textAt(item, 'call_id') || textAt(item, 'id'), 'local_shell', JSON.stringify(jsonAt(item, 'action')));
    case 'tool_search_call':
      return toolOf(item, textAt(item, 'call_id'), 'tool_search', JSON.stringify(item['arguments'] ?? {}));
    case 'web_search_call':
      return hostedToolOf(item, time, 'web_search', JSON.stringify(jsonAt(item, 'action')));
    case 'image_generation_call':
      return hostedToolOf(item, time, 'image_generation', JSON.stringify({ prompt: textAt(item, 'revised_prompt') }));
    case 'function_call_output':
    case 'custom_tool_call_output':
      return resultOf(item, item['output']);
    case 'tool_search_output':
      return resultOf(item, JSON.stringify(item['tools'] ?? []));
    default:
      return null;
  }
}

function messageOf(item: Json): RolloutItem | null {
  const parts = partsOf(item['content']);
  switch (item['role']) {
    case 'assistant':
      return output(item, parts);
    case 'user':
      return { kind: 'input', parts };
    case 'developer':
    case 'system':
      return { kind: 'instructions', text: parts.flatMap((part) => (part.type === 'text' ? part.content : [])).join('\n') };
    default:
      return null;
  }
}

const thoughtsOf = (parts: readonly unknown[]): MessagePart[] =>
  parts.filter(isJson).flatMap((part) => {
    const content = textAt(part, 'text');
    return content === '' ? [] : [{ type: 'reasoning', content }];
  });

const output = (item: Json, parts: MessagePart[]): ModelOutput => ({ kind: 'output', id: textAt(item, 'id'), parts, tool: null });

/** @param given JSON */
function toolOf(item: Json, id: string, name: string, given: string): ModelOutput {
  const parsed = readJson(given) ?? given;
  return {
    ...output(item, [{ type: 'tool_call', id, name, arguments: parsed }]),
    tool: { id, name, arguments: given, hasResult: true },
  };
}

/** A tool that the API runs itself. Its result is not recorded. */
function hostedToolOf(item: Json, time: string, name: string, given: string): ModelOutput {
  const made = toolOf(item, textAt(item, 'id') || `${name}:${time}`, name, given);
  return { ...made, tool: made.tool && { ...made.tool, hasResult: false } };
}

function resultOf(item: Json, output: unknown): RolloutItem {
  const text = outputText(output);
  return { kind: 'tool result', result: { callId: textAt(item, 'call_id'), text, isError: isFailure(output, text) } };
}

/** The output is text, or parts of text and images; in some versions an object that has it as `content`. */
function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  if (isJson(output)) return outputText(output['content']);
  if (!Array.isArray(output)) return '';
  const parts = output.filter(isJson);
  return parts.map((part) => textAt(part, 'text') || `[${textAt(part, 'type')}]`).join('\n');
}

const exitCode = /^(?:Process exited with code|Exit code:) (\d+)$/m;
/** What it wrote may hold the same words. */
const written = /^(?:Output|Total output lines):.*\n/m;

/** A command says its exit code before what it wrote; until version 0.60 in JSON. */
function isFailure(output: unknown, text: string): boolean {
  if (isJson(output) && output['success'] === false) return true;
  const metadata = jsonAt(readJson(text) ?? {}, 'metadata');
  const code = metadata['exit_code'] ?? Number(exitCode.exec(text.slice(0, Math.max(0, text.search(written))))?.[1] ?? 0);
  return typeof code === 'number' && code !== 0;
}

/** What a tool wrote, without what Codex adds to it. */
export function writtenText(text: string): string {
  const start = written.exec(text);
  const found = start ? text.slice(start.index + start[0].length) : textAt(readJson(text) ?? {}, 'output');
  return found.trim() === '' ? text : found;
}
