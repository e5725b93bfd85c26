import { describe, expect, it } from 'vitest';
import { contentOf } from './content-of.ts';
import { inputOf, json, spanWith, toolCallsOf } from './fixtures/span-with.ts';
import { previewOf } from './preview.ts';

const USER = { role: 'user', content: 'Hi' };
const prompt = [{ role: 'system', content: 'Sys' }, USER];
const toolCall = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', args: { at: 'sky' } };
const openaiCall = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } };

describe('A. AgentMark', () => {
  it('reads the duplicated attributes of observe(), quoted text as text', () => {
    const span = spanWith({
      'agentmark.span.kind': 'agent',
      'agentmark.request.input': '{"arg0":"Hi"}',
      'gen_ai.request.input': '{"arg0":"Hi"}',
      'agentmark.response.output': '"Yo"',
      'gen_ai.response.output': '"Yo"',
    });
    expect(inputOf(span)).toEqual([{ role: 'user', content: '{"arg0":"Hi"}' }]);
    expect(contentOf(span)).toMatchObject({ output: 'Yo', output_object: '' });
    expect(previewOf(span)).toEqual({ input: 'Hi', output: 'Yo' });
  });

  it('reads its stored form back into itself', () => {
    const messages = [
      ...prompt,
      { role: 'assistant', content: [toolCall] },
      { role: 'tool', content: [{ ...toolCall, type: 'tool-result', args: undefined, result: 1 }] },
    ];
    const once = contentOf(spanWith({ 'agentmark.span.kind': 'llm', 'agentmark.input': json(messages) })).input;
    expect(JSON.parse(once)).toEqual(JSON.parse(json(messages)));
    expect(contentOf(spanWith({ 'agentmark.span.kind': 'llm', 'agentmark.input': once })).input).toBe(once);
  });

  it('takes the system prompt of an agent, and props as the input when there is no other', () => {
    const agent = spanWith({ 'agentmark.system_prompt': 'Sys', 'gen_ai.input.messages': json([USER]) }, { name: 'invoke_agent helper' });
    expect(inputOf(agent)).toEqual(prompt);
    const wrapper = spanWith({ 'agentmark.span.kind': 'llm', 'agentmark.props': '{"topic":"owls"}' });
    expect(contentOf(wrapper).props).toBe('{"topic":"owls"}');
    expect(previewOf(wrapper).input).toBe('topic: owls');
  });
});

describe('C. OTel GenAI before v1.37', () => {
  const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.system': 'openai' };

  it('builds the conversation from one event per message', () => {
    const span = spanWith(chat, {
      events: [
        ['gen_ai.system.message', { content: 'Sys' }],
        ['gen_ai.user.message', { content: 'Hi', role: 'user' }],
        ['gen_ai.assistant.message', { tool_calls: json([openaiCall]) }],
        ['gen_ai.tool.message', { id: 'c1', content: 'an owl' }],
        ['gen_ai.choice', { index: 0, finish_reason: 'stop', message: json({ role: 'assistant', content: 'An owl.' }) }],
      ],
    });
    const result = { type: 'tool-result', toolCallId: 'c1', toolName: 'look', result: 'an owl' };
    expect(inputOf(span)).toEqual([...prompt, { role: 'assistant', content: [toolCall] }, { role: 'tool', content: [result] }]);
    expect(contentOf(span)).toMatchObject({ output: 'An owl.', output_messages: [{ finish_reason: 'stop' }] });
  });

  it('reads the body of a log record that was attached to its span', () => {
    const body = { map: [['content', 'Hi']] as [string, string][] };
    const message = { map: [['tool_calls', json([openaiCall])]] as [string, string][] };
    const choice = {
      map: [
        ['message', message],
        ['finish_reason', 'tool_calls'],
      ] as [string, string | typeof message][],
    };
    const span = spanWith(chat, {
      events: [
        ['gen_ai.user.message', { body }],
        ['log', { 'event.name': 'gen_ai.choice', body: choice }],
      ],
    });
    expect(inputOf(span)).toEqual([USER]);
    expect(toolCallsOf(span)).toEqual([toolCall]);
  });

  it('reads the operation-details event like attributes, below them', () => {
    const details = {
      'gen_ai.input.messages': json([{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }]),
      'gen_ai.output.messages': json([{ role: 'assistant', parts: [{ type: 'text', content: 'Yo' }] }]),
      'gen_ai.system_instructions': json([{ type: 'text', content: 'Sys' }]),
    };
    const event: [string, typeof details] = ['gen_ai.client.inference.operation.details', details];
    const span = spanWith(chat, { events: [event] });
    expect(inputOf(span)).toEqual(prompt);
    expect(contentOf(span).output).toBe('Yo');
    const both = spanWith({ ...chat, 'gen_ai.output.messages': json([{ role: 'assistant', content: 'Mine' }]) }, { events: [event] });
    expect(contentOf(both).output).toBe('Mine');
  });

  it('reads prompt and completion, as attributes and as events', () => {
    expect(inputOf(spanWith({ ...chat, 'gen_ai.prompt': json(prompt) }))).toEqual(prompt);
    const span = spanWith(chat, {
      events: [
        ['gen_ai.content.prompt', { 'gen_ai.prompt': json(prompt) }],
        ['gen_ai.content.completion', { 'gen_ai.completion': 'Yo' }],
      ],
    });
    expect(inputOf(span)).toEqual(prompt);
    expect(contentOf(span).output).toBe('Yo');
    const kernel = spanWith(chat, { events: [['gen_ai.content.prompt', { 'gen_ai.event.content': json(prompt) }]] });
    expect(inputOf(kernel)).toEqual(prompt);
  });
});

describe('D. AI SDK', () => {
  const inner = { 'ai.operationId': 'ai.generateText.doGenerate' };

  it('reads text, calls, reasoning and object of an answer from their attributes', () => {
    const calls = json([{ toolCallType: 'function', toolCallId: 'c1', toolName: 'look', args: '{"at":"sky"}' }]);
    const span = spanWith({
      ...inner,
      'ai.prompt.messages': json(prompt),
      'ai.response.text': 'Wait',
      'ai.response.toolCalls': calls,
      'ai.response.reasoning': 'hm',
    });
    expect(inputOf(span)).toEqual(prompt);
    expect(contentOf(span).output).toBe('Wait');
    expect(toolCallsOf(span)).toEqual([toolCall]);
    expect(contentOf(span).output_messages[0]?.parts[0]).toEqual({ type: 'reasoning', text: 'hm' });
    const object = contentOf(spanWith({ 'ai.operationId': 'ai.generateObject', 'ai.response.object': '{"a":1}' }));
    expect(object).toMatchObject({ output: '{"a":1}', output_object: '{"a":1}' });
  });

  it('reads the outer prompt, the results of version 3, and what Sentry renames', () => {
    expect(inputOf(spanWith({ 'ai.operationId': 'ai.generateText', 'ai.prompt': json({ system: 'Sys', prompt: 'Hi' }) }))).toEqual(prompt);
    expect(inputOf(spanWith({ 'ai.operationId': 'ai.streamText', 'ai.prompt': json({ system: 'Sys', messages: [USER] }) }))).toEqual(
      prompt,
    );
    expect(contentOf(spanWith({ ...inner, 'ai.result.text': 'Yo' })).output).toBe('Yo');
    const sentry = spanWith({
      'vercel.ai.operationId': 'ai.generateText',
      'vercel.ai.prompt': json({ prompt: 'Hi' }),
      'gen_ai.response.text': 'Yo',
    });
    expect(inputOf(sentry)).toEqual([USER]);
    expect(contentOf(sentry).output).toBe('Yo');
  });

  it('replaces vectors by their lengths', () => {
    const one = spanWith({ 'ai.operationId': 'ai.embed', 'ai.value': '"sunny"', 'ai.embedding': '[0.1,0.2,0.3]' });
    expect(contentOf(one)).toMatchObject({ input: 'sunny', output: '[{"$vector":3}]' });
    const many = spanWith({ 'ai.operationId': 'ai.embedMany', 'ai.values': ['"a"', '"b"'], 'ai.embeddings': ['[0.1,0.2]', '[0.3,0.4]'] });
    expect(contentOf(many)).toMatchObject({ input: '["a","b"]', output: '[{"$vector":2},{"$vector":2}]' });
  });
});

describe('F. Mastra', () => {
  it('reads both exporters', () => {
    const old = spanWith(
      { 'agent.generate.argument.0': json([USER]), 'agent.generate.result': json({ text: 'Yo', usage: { promptTokens: 1 } }) },
      { name: 'agent.generate', scope: 'default-tracer' },
    );
    expect([inputOf(old), contentOf(old).output]).toEqual([[USER], 'Yo']);
    const run = spanWith({
      'mastra.span.type': 'agent_run',
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.system_instructions': 'Sys',
      'mastra.agent_run.input': 'Hi',
      'mastra.agent_run.output': json({ text: 'Yo', files: [] }),
    });
    expect([inputOf(run), contentOf(run).output]).toEqual([prompt, 'Yo']);
    const step = spanWith({ 'mastra.span.type': 'workflow_step', 'mastra.workflow_step.output': '{"text":"Yo"}' });
    expect(contentOf(step)).toMatchObject({ output: '{"text":"Yo"}', output_object: '{"text":"Yo"}', output_messages: [] });
  });
});

describe('G. OpenInference', () => {
  const call = 'message.tool_calls.0.tool_call';
  const image = 'llm.input_messages.1.message.contents.1.message_content';

  it('puts flattened messages together, whatever order their attributes come in', () => {
    const span = spanWith({
      'openinference.span.kind': 'LLM',
      'llm.input_messages.10.message.content': 'last',
      'llm.input_messages.10.message.role': 'user',
      [`${image}.type`]: 'image',
      [`${image}.image.image.url`]: 'data:image/png;base64,iVBOR',
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.contents.0.message_content.type': 'text',
      'llm.input_messages.1.message.contents.0.message_content.text': 'first',
      [`llm.input_messages.2.${call}.id`]: null,
      'llm.input_messages.2.message.role': 'tool',
      'llm.input_messages.2.message.tool_call_id': 'c1',
      'llm.input_messages.2.message.content': 'owl',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'Wait',
      [`llm.output_messages.0.${call}.id`]: 'c1',
      [`llm.output_messages.0.${call}.function.name`]: 'look',
      [`llm.output_messages.0.${call}.function.arguments`]: json('{"at":"sky"}'),
    });
    expect(inputOf(span)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'first' },
          { type: 'media', mimeType: 'image/png', modality: 'image', base64: 'iVBOR' },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: '', result: 'owl' }] },
      { role: 'user', content: 'last' },
    ]);
    expect(contentOf(span).output).toBe('Wait');
    expect(toolCallsOf(span)).toEqual([toolCall]);
  });

  it('shows retrieved and reranked documents as the output object', () => {
    const document = 'retrieval.documents.0.document';
    const span = spanWith({
      'openinference.span.kind': 'RETRIEVER',
      'input.value': 'owls',
      [`${document}.id`]: 'd1',
      [`${document}.content`]: 'Owls hunt.',
      [`${document}.score`]: 0.9,
      'retrieval.documents.1.document.content': 'At night.',
    });
    const documents = [{ id: 'd1', content: 'Owls hunt.', score: 0.9 }, { content: 'At night.' }];
    expect(contentOf(span)).toMatchObject({ input: 'owls', output: '', output_object: json({ documents }) });
    expect(previewOf(span)).toEqual({ input: 'owls', output: 'Owls hunt., At night.' });
    const ranked = spanWith({
      'openinference.span.kind': 'RERANKER',
      'reranker.query': 'owls',
      'reranker.output_documents.0.document.id': 'd1',
    });
    expect(contentOf(ranked)).toMatchObject({ input: 'owls', output_object: '{"documents":[{"id":"d1"}]}' });
  });

  it('reads the completion API, embeddings, template variables and tools', () => {
    const span = spanWith({
      'openinference.span.kind': 'LLM',
      'llm.prompts.0.prompt.text': 'Once',
      'llm.choices.0.completion.text': 'upon',
      'llm.prompt_template.variables': '{"a":1}',
      'llm.tools.0.tool.json_schema': '{"name":"look"}',
    });
    expect(inputOf(span)).toEqual([{ role: 'user', content: 'Once' }]);
    expect(contentOf(span)).toMatchObject({ output: 'upon', props: '{"a":1}', tool_definitions: '[{"name":"look"}]' });
    const text = 'embedding.embeddings.0.embedding';
    const embedding = spanWith({
      'openinference.span.kind': 'EMBEDDING',
      [`${text}.text`]: 'alpha',
      [`${text}.vector`]: [0.1, 0.2],
      'input.value': 'x',
    });
    expect(contentOf(embedding)).toMatchObject({ input: 'alpha', output: '[{"$vector":2}]' });
  });
});

describe('H. Traceloop', () => {
  it('reads indexed prompts, whose content may be JSON of parts', () => {
    const span = spanWith({
      'llm.request.type': 'chat',
      'gen_ai.prompt.0.role': 'system',
      'gen_ai.prompt.0.content': 'Sys',
      'gen_ai.prompt.1.role': 'user',
      'gen_ai.prompt.1.content': json([{ type: 'text', text: 'Hi' }]),
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.reasoning': 'hm',
      'gen_ai.completion.0.tool_calls.0.id': 'c1',
      'gen_ai.completion.0.tool_calls.0.name': 'look',
      'gen_ai.completion.0.tool_calls.0.arguments': '{"at":"sky"}',
      'llm.request.functions.0.name': 'look',
      'llm.request.functions.0.parameters': '{"type":"object"}',
    });
    expect(inputOf(span)).toEqual(prompt);
    expect(toolCallsOf(span)).toEqual([toolCall]);
    expect(contentOf(span)).toMatchObject({ output: '', tool_definitions: '[{"name":"look","parameters":{"type":"object"}}]' });
    expect(previewOf(span).output).toBe('look(at: sky)');
  });

  it('keeps the arguments of a workflow as they are, and reads the hits of a vector store', () => {
    const input = '{"args":["owls"],"kwargs":{}}';
    const flow = spanWith({ 'traceloop.span.kind': 'workflow', 'traceloop.entity.input': input, 'traceloop.entity.output': '"Yo"' });
    expect(contentOf(flow)).toMatchObject({ input, output: 'Yo' });
    expect(previewOf(flow).input).toBe('owls');
    const store = spanWith(
      { 'db.system': 'chroma' },
      {
        events: [
          ['db.query.result', { id: 'd1', document: 'Owls hunt.', distance: 0.2 }],
          ['db.query.result', { 'db.query.result.id': 'd2' }],
        ],
      },
    );
    expect(contentOf(store).output_object).toBe(json({ documents: [{ id: 'd1', content: 'Owls hunt.', distance: 0.2 }, { id: 'd2' }] }));
  });
});
