import type { SpanContent } from '../normalised.ts';
import { cleanText } from './clean-text.ts';
import { generatedMedia } from './generated-media.ts';
import { jsonText, structuredJson } from './json-value.ts';
import type { Payload } from './payload.ts';
import type { SpanSources } from './span-sources.ts';
import { argumentsValue, toolCallId, toolName } from './tool-payload.ts';
import { withoutVectors } from './vectors.ts';

type ToolTexts = Pick<SpanContent, 'input' | 'output' | 'output_object' | 'tool_calls' | 'output_messages'>;

/**
 * The payload of a tool execution: arguments and result as received text, and both together as the only entry of
 * `tool_calls`, `{type:"tool-call", toolCallId, toolName, args, result?}` (docs/reference/ingest.md#tool-calls).
 */
export function toolTexts(input: Payload | undefined, output: Payload | undefined, sources: SpanSources): ToolTexts {
  const call: Record<string, unknown> = { type: 'tool-call', toolCallId: toolCallId(sources), toolName: toolName(sources) };
  if (input !== undefined) call['args'] = argumentsValue(input);
  const result = output === undefined ? undefined : resultOf(output);
  if (result !== undefined) call['result'] = result.value;
  return {
    input: input === undefined ? '' : cleanText(textOfPayload(input)),
    output: result?.text ?? '',
    output_object: typeof result?.value === 'object' && result.value !== null ? result.text : '',
    tool_calls: jsonText([call]),
    output_messages: result === undefined ? [] : mediaMessages(result),
  };
}

interface ToolResult {
  text: string;
  value: unknown;
}

function resultOf(payload: Payload): ToolResult {
  const text = textOfPayload(payload);
  const parsed = payload.kind === 'value' ? payload.value : structuredJson(text);
  if (typeof parsed !== 'object' || parsed === null) return { text: cleanText(text), value: text };
  const value = withoutVectors(parsed, false);
  return { text: value === parsed ? text : jsonText(value), value };
}

function textOfPayload(payload: Payload): string {
  return payload.kind === 'value' ? payload.text : payload.text();
}

function mediaMessages(result: ToolResult): SpanContent['output_messages'] {
  const media = generatedMedia(result.value, result.text);
  return media.length === 0 ? [] : [{ role: 'tool', parts: media }];
}
