import { describe, expect, it } from 'vitest';
import { contentOf } from './content-of.ts';
import { json, type SpanFacts, spanWith, toolCallsOf } from './fixtures/span-with.ts';

type Attributes = Parameters<typeof spanWith>[0];
const ARGS = '{"city":"Paris"}';
const RESULT = '{"temp":20}';
const CALL = { type: 'tool-call', toolCallId: '', toolName: 'get_weather', args: { city: 'Paris' }, result: { temp: 20 } };

const FAMILIES: [family: string, attributes: Attributes, facts?: SpanFacts][] = [
  [
    'OTel GenAI',
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_weather',
      'gen_ai.tool.call.arguments': ARGS,
      'gen_ai.tool.call.result': RESULT,
    },
  ],
  [
    'OTel GenAI by span name',
    { 'gen_ai.tool.call.arguments': ARGS, 'gen_ai.tool.call.result': RESULT },
    { name: 'execute_tool get_weather' },
  ],
  [
    'AI SDK',
    { 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': 'get_weather', 'ai.toolCall.args': ARGS, 'ai.toolCall.result': RESULT },
  ],
  ['OpenInference', { 'openinference.span.kind': 'TOOL', 'tool.name': 'get_weather', 'input.value': ARGS, 'output.value': RESULT }],
  [
    'Traceloop',
    {
      'traceloop.span.kind': 'tool',
      'traceloop.entity.name': 'get_weather',
      'traceloop.entity.input': json({ args: [], kwargs: JSON.parse(ARGS) }),
      'traceloop.entity.output': RESULT,
    },
    { name: 'get_weather.tool' },
  ],
  ['Pydantic AI', { 'gen_ai.tool.name': 'get_weather', tool_arguments: ARGS, tool_response: RESULT }, { name: 'running tool' }],
  [
    'Google ADK',
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_weather',
      'gcp.vertex.agent.llm_request': '{}',
      'gcp.vertex.agent.llm_response': '{}',
      'gcp.vertex.agent.tool_call_args': ARGS,
      'gcp.vertex.agent.tool_response': RESULT,
    },
  ],
  [
    'Sentry',
    { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'get_weather', 'gen_ai.tool.input': ARGS, 'gen_ai.tool.output': RESULT },
  ],
  [
    'Langfuse',
    { 'langfuse.observation.type': 'tool', 'langfuse.observation.input': ARGS, 'langfuse.observation.output': RESULT },
    { name: 'get_weather' },
  ],
  ['LangSmith', { 'langsmith.span.kind': 'tool', 'gen_ai.prompt': ARGS, 'gen_ai.completion': RESULT }, { name: 'get_weather' }],
  [
    'Genkit',
    { 'genkit:metadata:subtype': 'tool', 'genkit:type': 'action', 'genkit:input': ARGS, 'genkit:output': RESULT },
    { name: 'get_weather' },
  ],
  ['MLflow', { 'mlflow.spanType': '"TOOL"', 'mlflow.spanInputs': ARGS, 'mlflow.spanOutputs': RESULT }, { name: 'get_weather' }],
  ['Laminar', { 'lmnr.span.type': 'TOOL', 'lmnr.span.input': ARGS, 'lmnr.span.output': RESULT }, { name: 'get_weather' }],
  ['LiveKit', { 'lk.function_tool.name': 'get_weather', 'lk.function_tool.arguments': ARGS, 'lk.function_tool.output': RESULT }],
  ['MCP', { 'mcp.method.name': 'tools/call', 'mcp.tool.name': 'get_weather', 'mcp.request.argument': ARGS, 'mcp.response.value': RESULT }],
  [
    'AgentMark',
    { 'agentmark.span.kind': 'tool', 'agentmark.request.input': ARGS, 'agentmark.response.output': RESULT },
    { name: 'get_weather' },
  ],
  [
    'Strands',
    { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'get_weather' },
    {
      events: [
        ['gen_ai.tool.message', { role: 'tool', content: ARGS, id: 't' }],
        ['gen_ai.choice', { message: RESULT, id: 't' }],
      ],
    },
  ],
];

describe('a tool execution', () => {
  it.each(FAMILIES)('of %s has its arguments, its result and one call', (_family, attributes, facts) => {
    const span = spanWith(attributes, facts);
    expect(toolCallsOf(span)).toEqual([CALL]);
    expect(contentOf(span)).toMatchObject({ output: RESULT, output_object: RESULT, input_messages: [], output_messages: [] });
  });

  it('of Claude Code is put together from its attributes and its output event', () => {
    const attributes = { tool_name: 'Bash', tool_use_id: 'tu', full_command: 'ls -l', file_path: '/tmp' };
    const span = spanWith(attributes, { name: 'claude_code.tool', events: [['tool.output', { output: 'total 0' }]] });
    expect(toolCallsOf(span)).toEqual([
      { type: 'tool-call', toolCallId: 'tu', toolName: 'Bash', args: { file_path: '/tmp', full_command: 'ls -l' }, result: 'total 0' },
    ]);
  });

  it('parses arguments that were encoded twice, and keeps those that were cut', () => {
    const twice = spanWith({ 'ai.operationId': 'ai.toolCall', 'ai.toolCall.args': json(json({ a: 1 })) });
    expect(toolCallsOf(twice)).toMatchObject([{ args: { a: 1 } }]);
    const cut = spanWith({ 'ai.operationId': 'ai.toolCall', 'ai.toolCall.args': '{"a":' });
    expect(toolCallsOf(cut)).toMatchObject([{ args: '{"a":' }]);
  });

  it('keeps arguments that look like messages as values', () => {
    const span = spanWith(
      { 'openinference.span.kind': 'TOOL', 'input.value': json({ messages: [{ role: 'user', content: 'Hi' }] }) },
      { name: 'send' },
    );
    expect(contentOf(span).input).toBe('{"messages":[{"role":"user","content":"Hi"}]}');
    expect(toolCallsOf(span)).toMatchObject([{ args: { messages: [{ role: 'user', content: 'Hi' }] } }]);
  });

  it('without recorded content still names its call', () => {
    expect(toolCallsOf(spanWith({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f', 'gen_ai.tool.call.id': 'c' }))).toEqual(
      [{ type: 'tool-call', toolCallId: 'c', toolName: 'f' }],
    );
    const none = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f', 'gen_ai.tool.call.arguments': '{}' };
    expect(toolCallsOf(spanWith(none))).toMatchObject([{ args: {} }]);
  });

  it('unquotes a result that is text, and reads a schema in tool.parameters as none of its arguments', () => {
    const span = spanWith({
      'openinference.span.kind': 'TOOL',
      'tool.parameters': '{"type":"object","properties":{"q":{"type":"string"}}}',
      'input.value': '{"q":"owls"}',
      'output.value': '"found"',
    });
    expect(toolCallsOf(span)).toMatchObject([{ args: { q: 'owls' }, result: 'found' }]);
    expect(contentOf(span)).toMatchObject({ output: 'found', output_object: '' });
  });

  it('leaves out the vector that a tool returned', () => {
    const vector = Array.from({ length: 1536 }, (_, index) => index / 7);
    const span = spanWith({
      'openinference.span.kind': 'TOOL',
      'input.value': '{}',
      'output.value': json({ embedding: vector, model: 'e' }),
    });
    expect(contentOf(span).output).toBe('{"embedding":{"$vector":1536},"model":"e"}');
  });
});
