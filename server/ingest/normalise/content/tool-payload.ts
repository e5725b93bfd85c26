import type { RawValue } from '../../otlp/raw-span.ts';
import { plainValue, textOf } from '../attributes.ts';
import { isObject, jsonText } from './json-value.ts';
import { attributePayload, type Payload, payloadValue } from './payload.ts';
import type { SpanSources } from './span-sources.ts';
import { toolArguments } from './tool-arguments.ts';

const NAME_KEYS = ['gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'tool_name', 'mcp.tool.name', 'lk.function_tool.name'] as const;
const CALL_ID_KEYS = ['gen_ai.tool.call.id', 'ai.toolCall.id', 'tool.id', 'tool_call.id', 'tool_use_id', 'lk.function_tool.id'] as const;

/** Sources of the arguments of a tool, which are tried before those of the input. */
export const TOOL_ARGUMENT_KEYS = [
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.input',
  'gen_ai.tool.args',
  'ai.toolCall.args',
  'tool_arguments',
  'tool.parameters',
  'gcp.vertex.agent.tool_call_args',
  'mcp.request.argument',
  'lk.function_tool.arguments',
] as const;

export const TOOL_RESULT_KEYS = [
  'gen_ai.tool.call.result',
  'gen_ai.tool.output',
  'ai.toolCall.result',
  'tool_response',
  'gcp.vertex.agent.tool_response',
  'mcp.response.value',
  'lk.function_tool.output',
] as const;

/** Arguments of a call by Claude Code, which sends each as an attribute next to `tool_name`. */
export const CLAUDE_CODE_ARGUMENTS = ['file_path', 'full_command', 'skill_name', 'subagent_type', 'pattern', 'query', 'url'] as const;

/** The name of the tool that a tool span executes. */
export function toolName(sources: SpanSources): string {
  for (const key of NAME_KEYS) {
    const name = sources.text(key);
    if (name !== '') return name;
  }
  if (sources.text('traceloop.span.kind').toLowerCase() === 'tool')
    return sources.text('traceloop.entity.name') || sources.spanData.span.name;
  const name = sources.spanData.span.name;
  return name.startsWith('execute_tool ') ? name.slice('execute_tool '.length) : name;
}

export function toolCallId(sources: SpanSources): string {
  for (const key of CALL_ID_KEYS) {
    const id = sources.text(key);
    if (id !== '') return id;
  }
  return '';
}

/** The arguments from attributes that a family has for them. */
export function ownToolArguments(sources: SpanSources): Payload | undefined {
  for (const key of TOOL_ARGUMENT_KEYS) {
    if (key === 'tool.parameters' && isSchemaBesideInput(sources)) continue;
    const payload = attributePayload(sources, key, 'input');
    if (payload !== undefined) return payload;
    if (payload === undefined && isEmptyObject(sources.structure(key))) return { kind: 'value', source: key, text: '{}', value: {} };
  }
  return claudeCodeArguments(sources) ?? eventAttribute(sources, 'gen_ai.tool.message', ['content']);
}

export function ownToolResult(sources: SpanSources): Payload | undefined {
  for (const key of TOOL_RESULT_KEYS) {
    const payload = attributePayload(sources, key, 'output');
    if (payload !== undefined) return payload;
  }
  return eventAttribute(sources, 'tool.output', ['output', 'content', 'result', 'tool_output', 'body']) ?? strandsResult(sources);
}

/** OpenInference's `tool.parameters` is the schema for some senders and the arguments for others (openinference-vercel). */
function isSchemaBesideInput(sources: SpanSources): boolean {
  const value = sources.view.has('input.value') ? sources.structure('tool.parameters') : undefined;
  return isObject(value) && ('properties' in value || '$schema' in value);
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function claudeCodeArguments(sources: SpanSources): Payload | undefined {
  if (sources.view.get('tool_name') === undefined) return undefined;
  const value: Record<string, unknown> = Object.create(null);
  for (const key of CLAUDE_CODE_ARGUMENTS) {
    const text = sources.text(key);
    if (text !== '') value[key] = text;
  }
  const keys = Object.keys(value);
  return keys.length === 0 ? undefined : { kind: 'value', source: keys.join(', '), text: jsonText(value), value };
}

/** Strands Agents sends the result of a tool as the choice of its span. */
function strandsResult(sources: SpanSources): Payload | undefined {
  return eventAttribute(sources, 'gen_ai.choice', ['message', 'content']);
}

/** The first of `keys` in the first event of that name; the only attribute, or all of them, when none has a known name. */
function eventAttribute(sources: SpanSources, name: string, keys: readonly string[]): Payload | undefined {
  const event = sources.events.find((candidate) => candidate.name === name);
  if (event === undefined) return undefined;
  const values = new Map<string, RawValue>(event.attributes);
  const key = keys.find((candidate) => values.has(candidate));
  const raw: RawValue | undefined =
    key === undefined ? (values.size === 1 ? [...values.values()][0] : { map: event.attributes }) : values.get(key);
  const text = textOf(raw);
  if (raw === undefined || text === '') return undefined;
  const value = typeof raw === 'string' ? toolArguments(raw) : plainValue(raw);
  return { kind: 'value', source: `event ${name}`, text, value: typeof value === 'string' ? undefined : value };
}

/**
 * The arguments as a value: parsed once more when they are JSON in JSON, and without the `{args, kwargs}` in which Traceloop wraps those
 * of a decorated function, or the `{input_str, inputs}` of its LangChain tools.
 */
export function argumentsValue(payload: Payload): unknown {
  const value = payloadValue(payload);
  const parsed = typeof value === 'string' ? toolArguments(value) : value;
  if (!isObject(parsed)) return parsed;
  const { args, kwargs } = parsed;
  if (Array.isArray(args) && isObject(kwargs) && Object.keys(parsed).length === 2) return unwrapped(args, kwargs);
  return 'input_str' in parsed && isObject(parsed['inputs']) ? parsed['inputs'] : parsed;
}

function unwrapped(args: unknown[], kwargs: Readonly<Record<string, unknown>>): unknown {
  if (args.length === 0) return kwargs;
  if (Object.keys(kwargs).length > 0) return { args, kwargs };
  return args.length === 1 ? args[0] : args;
}
