import { describe, expect, it } from 'vitest';
import { contentOf } from './content-of.ts';
import { inputOf, json, spanWith, toolCallsOf } from './fixtures/span-with.ts';
import { previewOf } from './preview.ts';

const USER = { role: 'user', content: 'Hi' };
const prompt = [{ role: 'system', content: 'Sys' }, USER];
const toolCall = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', args: { at: 'sky' } };
const openaiCall = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } };
const otel = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });

describe('I. Pydantic AI and Logfire', () => {
  const chat = { 'gen_ai.operation.name': 'chat', model_name: 'gpt' };

  it('reads the events of version 1 from their attribute', () => {
    const events = [
      { 'event.name': 'gen_ai.system.message', role: 'system', content: 'Sys', 'gen_ai.message.index': 0 },
      { 'event.name': 'gen_ai.user.message', role: 'user', content: 'Hi', 'gen_ai.message.index': 0 },
      { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', content: 'Yo', tool_calls: [openaiCall] } },
    ];
    const span = spanWith({ ...chat, events: json(events) });
    expect(inputOf(span)).toEqual(prompt);
    expect(contentOf(span).output).toBe('Yo');
    expect(toolCallsOf(span)).toEqual([toolCall]);
  });

  it('splits the history of an agent run into input and output', () => {
    const history = [otel('system', 'Sys'), otel('user', 'Hi'), otel('assistant', 'Yo')];
    const span = spanWith({ 'pydantic_ai.all_messages': json(history) }, { name: 'agent run' });
    expect(inputOf(span)).toEqual(prompt);
    expect(contentOf(span).output).toBe('Yo');
    const structured = spanWith({ 'pydantic_ai.all_messages': json(history), final_result: '{"a":1}' }, { name: 'invoke_agent x' });
    expect(contentOf(structured)).toMatchObject({ output: '{"a":1}', output_object: '{"a":1}' });
  });

  it('takes the arguments of final_result, or of a listed output tool, for the structured answer', () => {
    const answer = (name: string) => json([{ role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name, arguments: '{"a":1}' }] }]);
    const result = contentOf(spanWith({ ...chat, 'gen_ai.output.messages': answer('final_result') }));
    expect(result).toMatchObject({ output: '{"a":1}', output_object: '{"a":1}' });
    const parameters = { model_request_parameters: json({ function_tools: [{ name: 'look' }], output_tools: [{ name: 'final_person' }] }) };
    const listed = contentOf(spanWith({ ...chat, ...parameters, 'gen_ai.output.messages': answer('final_person') }));
    expect(listed).toMatchObject({ output_object: '{"a":1}', tool_definitions: '[{"name":"look"}]' });
    expect(contentOf(spanWith({ ...chat, ...parameters, 'gen_ai.output.messages': answer('look') })).output_object).toBe('');
  });

  it('reads request and response bodies of Logfire, streamed ones too', () => {
    const request = { 'gen_ai.request.model': 'gpt', request_data: json({ model: 'gpt', messages: prompt }) };
    const span = spanWith({ ...request, response_data: json({ message: { role: 'assistant', content: 'Yo' }, usage: {} }) });
    expect([inputOf(span), contentOf(span).output]).toEqual([prompt, 'Yo']);
    const stream = spanWith({ ...request, response_data: json({ combined_chunk_content: 'Yo', chunk_count: 2 }) });
    expect(contentOf(stream).output).toBe('Yo');
  });
});

describe('J. Google ADK', () => {
  it('reads the request and response of a model call, with its tools and settings', () => {
    const request = {
      config: { system_instruction: 'Sys', temperature: 0.1, tools: [{ function_declarations: [{ name: 'look' }] }] },
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    };
    const response = {
      content: { role: 'model', parts: [{ text: 'Wait' }, { function_call: { id: 'c1', name: 'look', args: { at: 'sky' } } }] },
    };
    const span = spanWith({
      'gen_ai.request.model': 'gemini',
      'gcp.vertex.agent.llm_request': json(request),
      'gcp.vertex.agent.llm_response': json(response),
    });
    expect(inputOf(span)).toEqual(prompt);
    expect(contentOf(span)).toMatchObject({ output: 'Wait', tool_definitions: '[{"name":"look"}]', settings: '{"temperature":0.1}' });
    expect(toolCallsOf(span)).toEqual([toolCall]);
  });
});

describe('K. Claude Code', () => {
  it('shows the prompt of an interaction, from the span or from its log record', () => {
    expect(inputOf(spanWith({ user_prompt: 'Hi' }, { name: 'claude_code.interaction' }))).toEqual([USER]);
    const logged = spanWith({}, { name: 'claude_code.interaction', events: [['claude_code.user_prompt', { prompt: 'Hi' }]] });
    expect(inputOf(logged)).toEqual([USER]);
  });
});

describe('L. LangSmith', () => {
  const lc = (name: string, content: string) => ({ lc: 1, type: 'constructor', id: ['langchain', name], kwargs: { content } });

  it('reads run inputs and outputs', () => {
    const generations = [[{ text: 'Yo', message: lc('AIMessage', 'Yo') }]];
    const span = spanWith({
      'langsmith.span.kind': 'llm',
      'gen_ai.prompt': json({ messages: [[lc('SystemMessage', 'Sys'), lc('HumanMessage', 'Hi')]] }),
      'gen_ai.completion': json({ generations }),
    });
    expect([inputOf(span), contentOf(span).output]).toEqual([prompt, 'Yo']);
  });

  it('keeps the inputs of a chain and shows the documents of a retriever', () => {
    const chain = spanWith({ 'langsmith.span.kind': 'chain', 'gen_ai.prompt': '{"input":"owls"}', 'gen_ai.completion': '{"answer":"Yo"}' });
    expect(contentOf(chain)).toMatchObject({ input: '{"input":"owls"}', output: '{"answer":"Yo"}' });
    expect(previewOf(chain)).toEqual({ input: 'owls', output: 'answer: Yo' });
    const outputs = [{ pageContent: 'Owls hunt.', metadata: { id: 1 } }];
    const retriever = spanWith({
      'langsmith.span.kind': 'retriever',
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.completion': json({ outputs }),
    });
    expect(contentOf(retriever)).toMatchObject({
      output: json({ outputs }),
      output_object: json({ documents: [{ content: 'Owls hunt.', metadata: { id: 1 } }] }),
    });
  });

  it('adds the calls that AI SDK attributes hold when only the text is in the completion', () => {
    const calls = json([{ toolCallId: 'c1', toolName: 'look', input: { at: 'sky' } }]);
    const answer = json({ role: 'assistant', content: 'Wait' });
    const span = spanWith({ 'langsmith.span.kind': 'llm', 'gen_ai.completion': answer, 'ai.response.toolCalls': calls });
    expect(contentOf(span).output).toBe('Wait');
    expect(toolCallsOf(span)).toEqual([toolCall]);
  });
});

describe('N. Langfuse', () => {
  it('reads JSON and plain inputs of generations, with tools and parameters', () => {
    const span = spanWith({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.input': json({ messages: prompt, tools: [{ type: 'function', function: { name: 'look' } }] }),
      'langfuse.observation.output': json({ role: 'assistant', content: null, tool_calls: [openaiCall] }),
      'langfuse.observation.model.parameters': '{"temperature":0.5,"maxTokens":64,"response_format":""}',
    });
    expect(inputOf(span)).toEqual(prompt);
    expect(toolCallsOf(span)).toEqual([toolCall]);
    expect(contentOf(span)).toMatchObject({
      output: '',
      settings: '{"temperature":0.5,"maxTokens":64}',
      tool_definitions: '[{"type":"function","function":{"name":"look"}}]',
    });
    const plainText = spanWith({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.input': 'Hi',
      'langfuse.observation.output': 'Yo',
    });
    expect([inputOf(plainText), contentOf(plainText).output]).toEqual([[USER], 'Yo']);
    const root = spanWith({ 'langfuse.observation.type': 'span', 'langfuse.trace.input': 'Hi', 'langfuse.trace.output': 'Yo' });
    expect(previewOf(root)).toEqual({ input: 'Hi', output: 'Yo' });
    expect(previewOf({ ...root, span: { ...root.span, parent_id: 'b7ad6b7169203332' } })).toEqual({ input: '', output: '' });
    const experiment = spanWith({ 'langfuse.experiment.item.expected_output': 'night' });
    expect(contentOf(experiment).dataset_expected_output).toBe('night');
  });
});

describe('O. LiteLLM', () => {
  it('reads messages that carry parts and OpenAI fields, and treats None as absent', () => {
    const answer = [
      { role: 'assistant', parts: [{ type: 'text', content: 'Wait' }], tool_calls: [openaiCall], finish_reason: 'tool_calls' },
    ];
    const attributes = { 'gen_ai.request.model': 'gpt', 'gen_ai.output.messages': json(answer), 'gen_ai.request.top_p': 'None' };
    const span = spanWith({ ...attributes, 'gen_ai.request.temperature': '0.2' }, { scope: 'litellm' });
    expect(contentOf(span)).toMatchObject({ output: 'Wait', settings: '{"temperature":0.2}' });
    expect(toolCallsOf(span)).toEqual([toolCall]);
    expect(contentOf(spanWith({ 'gen_ai.request.model': 'gpt', 'output.value': 'None' }, { scope: 'litellm' })).output).toBe('');
    expect(contentOf(spanWith({ 'gen_ai.request.model': 'gpt', 'output.value': 'None' })).output).toBe('None');
  });
});

describe('P. and Q. others', () => {
  it('reads OpenLIT and Sentry answers', () => {
    const calls = json([{ id: 'c1', name: 'look', arguments: '{"at":"sky"}' }]);
    const span = spanWith({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.messages': json(prompt),
      'gen_ai.response.text': '["Wait"]',
      'gen_ai.response.tool_calls': calls,
    });
    expect([inputOf(span), contentOf(span).output, toolCallsOf(span)]).toEqual([prompt, 'Wait', [toolCall]]);
  });

  it('reads the blocks that Strands puts into its events', () => {
    const span = spanWith(
      { 'gen_ai.operation.name': 'chat' },
      {
        events: [
          ['gen_ai.user.message', { content: json([{ text: 'Hi' }]) }],
          [
            'gen_ai.choice',
            {
              finish_reason: 'tool_use',
              message: json([{ text: 'Wait' }, { toolUse: { toolUseId: 'c1', name: 'look', input: { at: 'sky' } } }]),
            },
          ],
        ],
      },
    );
    expect([inputOf(span), contentOf(span).output, toolCallsOf(span)]).toEqual([[USER], 'Wait', [toolCall]]);
  });

  it.each([
    [
      'Genkit',
      {
        'genkit:metadata:subtype': 'model',
        'genkit:input': json({ messages: prompt }),
        'genkit:output': json({ message: { role: 'model', content: [{ text: 'Yo' }] } }),
      },
    ],
    [
      'MLflow',
      {
        'mlflow.spanType': '"CHAT_MODEL"',
        'mlflow.spanInputs': json({ messages: prompt }),
        'mlflow.spanOutputs': json({ choices: [{ message: { role: 'assistant', content: 'Yo' } }] }),
      },
    ],
    ['Laminar', { 'lmnr.span.type': 'LLM', 'lmnr.span.input': json(prompt), 'lmnr.span.output': '"Yo"' }],
    [
      'LiveKit',
      {
        'lk.chat_ctx': json({
          items: [
            { type: 'message', role: 'system', content: ['Sys'] },
            { type: 'message', role: 'user', content: ['Hi'] },
          ],
        }),
        'lk.response.text': 'Yo',
      },
    ],
    [
      'Braintrust',
      {
        'gen_ai.request.model': 'm',
        'braintrust.input_json': json(prompt),
        'braintrust.output_json': json([{ index: 0, message: { role: 'assistant', content: 'Yo' } }]),
      },
    ],
    [
      'OpenAI Agents, span_data',
      {
        'gen_ai.request.model': 'm',
        span_data: json({ type: 'generation', input: prompt, output: [{ role: 'assistant', content: 'Yo' }] }),
      },
    ],
    ['Spring AI', { 'gen_ai.request.model': 'm', 'gen_ai.prompt': json(prompt), 'gen_ai.completion': ['Yo'] }],
  ])('reads %s', (_family, attributes) => {
    const span = spanWith(attributes);
    expect([inputOf(span), contentOf(span).output]).toEqual([prompt, 'Yo']);
    expect(previewOf(span)).toEqual({ input: 'Hi', output: 'Yo' });
  });
});
