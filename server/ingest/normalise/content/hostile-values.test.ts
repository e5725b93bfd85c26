import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../fixtures/processor-time.ts';
import type { RawValue, SpanData } from '../../otlp/raw-span.ts';
import { contentOf, explainContent } from './content-of.ts';
import { json, spanWith } from './fixtures/span-with.ts';
import { previewOf } from './preview.ts';

const KEYS = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'agentmark.input',
  'langfuse.observation.output',
  'ai.prompt',
  'ai.response.toolCalls',
  'ai.response.object',
  'ai.embeddings',
  'ai.prompt.tools',
  'input.value',
  'output.value',
  'events',
  'pydantic_ai.all_messages',
  'model_request_parameters',
  'gcp.vertex.agent.llm_request',
  'span_data',
  'llm.invocation_parameters',
  'llm.input_messages.0.message.content',
  'gen_ai.tool.call.arguments',
  'gen_ai.retrieval.documents',
];
const KINDS = ['LLM', 'TOOL', 'RETRIEVER', 'EMBEDDING', 'CHAIN'];

function readAll(span: SpanData): ReturnType<typeof contentOf> {
  const preview = previewOf(span);
  expect(preview.input.length).toBeLessThanOrEqual(160);
  expect(preview.output.length).toBeLessThanOrEqual(160);
  explainContent(span);
  const content = contentOf(span);
  for (const text of [content.output_object, content.tool_calls, content.settings]) if (text !== '') JSON.parse(text);
  if (content.input_messages.length > 0) JSON.parse(content.input);
  return content;
}

const FIELDS = [
  'role',
  'content',
  'parts',
  'type',
  'text',
  'tool_calls',
  'function',
  'message',
  'messages',
  'choices',
  'output',
  'input',
  'kwargs',
  'args',
]
  .concat([
    'id',
    'lc',
    'candidates',
    'contents',
    'generations',
    'prompt',
    'data',
    'image',
    'source',
    'toolUse',
    'functionCall',
    'kind',
    'base64',
    'mimeType',
  ])
  .concat([
    'documents',
    'event.name',
    'body',
    'items',
    'chat_history',
    'arg0',
    'embedding',
    '__proto__',
    'constructor',
    'toString',
    'toJSON',
    'length',
  ]);
const WORDS = [
  'user',
  'assistant',
  'tool',
  'model',
  'text',
  'image',
  'tool_call',
  'tool-result',
  'function_call',
  'reasoning',
  'gen_ai.choice',
  '',
  '[{',
  '"',
];
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(...WORDS, null, true, 0, -1.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('value'), { maxKeys: 5 }),
    tie('value').map((inner) => json(inner)),
  ),
}));

describe('whatever a sender writes', () => {
  it('is read without an exception', () => {
    const attributes = fc.dictionary(fc.constantFrom(...KEYS), value.map(json), { maxKeys: 5 });
    fc.assert(
      fc.property(attributes, fc.constantFrom(...KINDS), (values, kind) => {
        readAll(
          spanWith(
            { ...values, 'openinference.span.kind': kind },
            {
              events: [
                ['gen_ai.choice', values],
                ['tool.output', values],
              ],
            },
          ),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('may be nested a hundred thousand levels deep', () => {
    const depth = 100_000;
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['{"role":"user","content":[', ']}'],
      ['{"input":', '}'],
      ['{"messages":[', ']}'],
    ] as const) {
      const text = open.repeat(depth) + (open.endsWith(':') ? '1' : '') + close.repeat(depth);
      for (const key of KEYS) readAll(spanWith({ 'openinference.span.kind': 'LLM', [key]: text }));
      readAll(spanWith({ 'openinference.span.kind': 'TOOL', 'input.value': text, 'output.value': text }));
      readAll(spanWith({ 'openinference.span.kind': 'RETRIEVER', 'output.value': text }));
    }
  });

  it('cannot reach a prototype', () => {
    const poison = '{"role":"user","content":"Hi","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    readAll(
      spanWith({ 'gen_ai.input.messages': `[${poison}]`, 'output.value': poison, 'llm.input_messages.0.message.__proto__.polluted': 'x' }),
    );
    readAll(spanWith({ 'llm.input_messages.__proto__.polluted': 'x', 'gen_ai.prompt.0.constructor.prototype.polluted': 'x' }));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const map: RawValue = {
      map: [
        ['__proto__', 'x'],
        ['role', 'user'],
        ['content', 'Hi'],
      ],
    };
    expect(readAll(spanWith({ 'gen_ai.request.model': 'm', 'gen_ai.input.messages': [map] })).input).toBe(
      '[{"role":"user","content":"Hi"}]',
    );
  });

  it('costs time in proportion to its length', () => {
    const length = 1_000_000;
    const texts = ['x', ' ', '{', '[', '"', '\\', '{"', '[{"role":"user","content":"Hi"},', 'data:image/png;base64,', '\ud83e'].map(
      (text) => text.repeat(Math.ceil(length / text.length)),
    );
    const elapsedMs = processorTime(() => {
      for (const text of texts) {
        readAll(spanWith({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': text, 'gen_ai.output.messages': `[${text}]` }));
        readAll(
          spanWith({
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.call.arguments': `{${text}}`,
            'gen_ai.tool.call.result': `"${text}"`,
          }),
        );
      }
    });
    expect(elapsedMs).toBeLessThan(5_000);
  });

  it('may hold lists of half a million entries and indexes of a billion', () => {
    const many = `[${'"x",'.repeat(500_000)}"x"]`;
    readAll(
      spanWith({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': `[{"role":"user","content":${many}}]`, 'output.value': many }),
    );
    readAll(spanWith({ 'gen_ai.operation.name': 'chat', 'input.value': `[[${'{"role":"user","content":"Hi"},'.repeat(200_000)}null]]` }));
    const sparse = { 'llm.input_messages.999999999999.message.role': 'user', 'llm.input_messages.999999999999.message.content': 'Hi' };
    expect(readAll(spanWith(sparse)).input).toBe('[{"role":"user","content":"Hi"}]');
  });
});
