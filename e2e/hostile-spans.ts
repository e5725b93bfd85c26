/** Spans with hostile texts in every field that any screen shows. */
import { type AttributeInput, anyValue, aSpan, aSpanId } from '../shared/fixtures/otlp.ts';

/** An SVG, which must not be shown as an image. */
const svg = btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="pwned(0)"><script>pwned(0)</script></svg>');

const inputMessages = (texts: readonly string[]) =>
  texts.flatMap((text) => [
    { role: 'system', parts: [{ type: 'text', content: text }] },
    {
      role: 'user',
      parts: [
        { type: 'text', content: text },
        { type: 'blob', mime_type: text, modality: 'image', content: svg, name: text },
        { type: 'uri', mime_type: 'image/png', modality: 'image', uri: `https://evil.invalid/${encodeURIComponent(text)}` },
      ],
    },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: text },
        { type: 'tool_call', id: text, name: text, arguments: { [text]: text, nested: [text] } },
      ],
    },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: text, response: { [text]: text, content: [{ type: 'text', text }] } }] },
  ]);

const outputMessages = (texts: readonly string[]) => [
  {
    role: 'assistant',
    finish_reason: texts[0],
    parts: texts.flatMap((text) => [
      { type: 'reasoning', content: text },
      { type: 'text', content: text },
      { type: 'tool_call', id: `o${text}`, name: text, arguments: text },
    ]),
  },
];

const tools = (texts: readonly string[]) =>
  texts.map((text) => ({
    type: 'function',
    name: text,
    description: text,
    parameters: { type: 'object', properties: { [text]: { type: text, description: text, enum: [text] } }, required: [text] },
  }));

const attributesWithPrefix = (prefix: string, texts: readonly string[]): Record<string, AttributeInput> =>
  Object.fromEntries(texts.map((text, i) => [`${prefix}${i === 0 ? '' : text}`, text]));

interface Place {
  traceId: string;
  parentSpanId?: string;
}

const common = (text: string): Record<string, AttributeInput> => ({
  'session.id': text,
  'session.name': text,
  'user.id': text,
  'agentmark.prompt_name': text,
  'agentmark.tags': [text, 'plain'],
  'langfuse.trace.name': text,
});

/** A model call with all texts in every part of its input, output and tools. */
export function aHostileCall(place: Place, texts: readonly string[]) {
  const [first = ''] = texts;
  const span = aSpan({
    ...place,
    name: first,
    status: 'ERROR',
    statusMessage: texts.join('\n'),
    attributes: {
      ...common(first),
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': first,
      'gen_ai.request.model': first,
      'gen_ai.response.model': first,
      'gen_ai.response.finish_reasons': [first],
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.request.temperature': 1,
      'gen_ai.request.stop_sequences': [...texts],
      'gen_ai.tool.definitions': JSON.stringify(tools(texts)),
      'gen_ai.input.messages': JSON.stringify(inputMessages(texts)),
      'gen_ai.output.messages': JSON.stringify(outputMessages(texts)),
      ...attributesWithPrefix('agentmark.metadata.', texts),
      ...Object.fromEntries(texts.map((text) => [text, { [text]: [text] }])),
    },
    events: texts.map((text) => ({
      name: text,
      attributes: {
        'exception.type': text,
        'exception.message': text,
        'exception.stacktrace': `${text}\n    at ${text} (${text}:1:2)`,
        [text]: text,
      },
    })),
  });
  const links = texts.map((text) => ({
    traceId: place.traceId,
    spanId: aSpanId(),
    traceState: 'a=b',
    attributes: [{ key: text, value: anyValue(text) }],
  }));
  return { ...span, links };
}

const kinds = ['TOOL', 'RETRIEVER', 'EMBEDDING', 'GUARDRAIL', 'AGENT', 'CHAIN'] as const;

/** A small span with one text in its name, ids, input and output; `n` selects its kind. */
export function aHostileStep(place: Place, text: string, n: number) {
  const kind = kinds[n % kinds.length] ?? 'CHAIN';
  const documents = JSON.stringify({ documents: [{ id: text, content: text, score: 0.5, metadata: { [text]: text } }] });
  const verdict = JSON.stringify({ passed: false, reason: text });
  const output = { RETRIEVER: documents, GUARDRAIL: verdict }[kind as string] ?? text;
  return aSpan({
    ...place,
    name: text,
    ...(n % 2 === 0 ? { status: 'ERROR' as const, statusMessage: text } : {}),
    attributes: {
      ...common(text),
      'openinference.span.kind': kind,
      'input.value': text,
      'output.value': output,
      'tool.name': text,
      'llm.model_name': text,
      'agent.name': text,
      'agentmark.props': JSON.stringify({ [text]: text }),
    },
  });
}
