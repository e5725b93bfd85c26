import type { Part } from '../../normalised.ts';
import type { Dialect } from '../dialect.ts';
import { type JsonObject, textIn } from '../json-value.ts';
import { toolArguments } from '../tool-arguments.ts';

/**
 * Parts of the OpenTelemetry GenAI conventions since v1.37: `text{content}`, `reasoning{content}`, `tool_call{id,name,arguments}`,
 * `tool_call_response{id,response|result}`, `server_tool_call…`; `blob`, `file` and `uri` are media. Messages are `{role, parts}`.
 */
export const otelGenai: Dialect = {
  typedParts: {
    reasoning: (value) => reasoning(value, textIn(value, 'content')),
    thinking: (value) => reasoning(value, textIn(value, 'content') ?? textIn(value, 'text')),
    tool_call: (value) => ({
      type: 'tool-call',
      id: textIn(value, 'id') ?? '',
      name: textIn(value, 'name') ?? '',
      args: toolArguments(value['arguments'] ?? value['args']),
      ...(value['builtin'] === true ? { providerExecuted: true } : {}),
    }),
    tool_call_response: (value) => toolResponse(value, value['response'] ?? value['result'] ?? value['content'] ?? null),
    server_tool_call: (value) => ({
      type: 'tool-call',
      id: textIn(value, 'id') ?? '',
      name: textIn(value, 'name') ?? '',
      args: value['server_tool_call'] ?? toolArguments(value['arguments']),
      providerExecuted: true,
    }),
    server_tool_call_response: (value) => toolResponse(value, value['server_tool_call_response'] ?? value['response'] ?? null),
  },
};

function reasoning(value: JsonObject, text: string | undefined): Part | undefined {
  if (text === undefined) return undefined;
  const signature = textIn(value, 'signature');
  return signature === undefined ? { type: 'reasoning', text } : { type: 'reasoning', text, signature };
}

function toolResponse(value: JsonObject, result: unknown): Part {
  const name = textIn(value, 'name');
  return { type: 'tool-result', id: textIn(value, 'id') ?? '', ...(name ? { name } : {}), result };
}
