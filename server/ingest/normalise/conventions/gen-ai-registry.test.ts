/**
 * Every attribute of the GenAI conventions is read, or listed here with the reason why no field shows it. When the conventions rename an
 * attribute and the registry file is updated, the new name fails this test until it is read or listed.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RawAttribute, RawValue } from '../../otlp/raw-span.ts';
import { contentOf } from '../content/content-of.ts';
import { evaluationsIn } from '../evaluations.ts';
import { summarise } from '../summary/index.ts';
import { type Sample, sample } from '../summary/sample-span.ts';

interface Attribute {
  name: string;
  type: 'string' | 'int' | 'double' | 'boolean' | 'string[]' | 'any' | 'template';
  stability: string;
  deprecated?: { renamed_to: string | null };
}

interface Registry {
  sources: { what: string }[];
  licence: string;
  operations: string[];
  attributes: Attribute[];
}

const registry = JSON.parse(readFileSync(new URL('gen-ai-registry.json', import.meta.url), 'utf8')) as Registry;

/** Shown only in the Attributes tab of a span. */
const notShown: Record<string, string> = {
  'gen_ai.agent.description': 'the agent is shown by its name',
  'gen_ai.agent.id': 'the agent is shown by its name',
  'gen_ai.agent.version': 'the agent is shown by its name',
  'gen_ai.conversation.compacted': 'no field shows how a conversation was shortened',
  'gen_ai.data_source.id': 'a retrieval is shown by its query and its documents',
  'gen_ai.memory.record.count': 'the records themselves are shown if they were sent',
  'gen_ai.memory.record.id': 'the records themselves are shown if they were sent',
  'gen_ai.memory.store.id': 'a memory operation is shown by its query and its records',
  'gen_ai.openai.request.seed': 'replaced by gen_ai.request.seed before any recorded sender used it',
  'gen_ai.openai.request.service_tier': 'prices are those of the default tier',
  'gen_ai.openai.response.service_tier': 'prices are those of the default tier',
  'gen_ai.openai.response.system_fingerprint': 'an identifier that only the provider can use',
  'gen_ai.request.previous_response.id': 'an identifier that only the provider can use',
  'gen_ai.request.stream_cursor': 'the position at which a stream was resumed does not change the content',
  'gen_ai.response.id': 'an identifier that only the provider can use',
  'gen_ai.response.status': 'the status of the span says whether the call failed',
  'gen_ai.token.type': 'an attribute of metrics, never of spans',
  'gen_ai.tool.description': 'the tools on offer are shown from gen_ai.tool.definitions',
  'gen_ai.tool.type': 'a tool call is shown in the same way wherever the tool runs',
  'gen_ai.usage.audio.cache_read.input_tokens': 'part of gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.audio.input_tokens': 'part of gen_ai.usage.input_tokens',
  'gen_ai.usage.audio.output_tokens': 'part of gen_ai.usage.output_tokens',
  'gen_ai.usage.image.cache_read.input_tokens': 'part of gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.image.input_tokens': 'part of gen_ai.usage.input_tokens',
  'gen_ai.usage.image.output_tokens': 'part of gen_ai.usage.output_tokens',
  'gen_ai.usage.text.cache_read.input_tokens': 'part of gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.text.input_tokens': 'part of gen_ai.usage.input_tokens',
  'gen_ai.usage.text.output_tokens': 'part of gen_ai.usage.output_tokens',
};

const valueOfType: Record<Exclude<Attribute['type'], 'any'>, RawValue> = {
  string: 'a value',
  template: 'a value',
  int: 7,
  double: 0.5,
  boolean: true,
  'string[]': ['a value'],
};

/** Structured attributes are JSON text on spans. */
const structured: Record<string, unknown> = {
  'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Hello?' }] }],
  'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'Hello.' }], finish_reason: 'stop' }],
  'gen_ai.system_instructions': [{ type: 'text', content: 'Be brief.' }],
  'gen_ai.memory.records': [{ id: 'mem_1', content: 'prefers tea', score: 0.9 }],
  'gen_ai.retrieval.documents': [{ id: 'doc_1', content: 'A text.', score: 0.9 }],
  'gen_ai.tool.call.arguments': { city: 'Paris' },
  'gen_ai.tool.call.result': { sky: 'clear' },
  'gen_ai.tool.definitions': [{ type: 'function', name: 'weather', parameters: {} }],
  'gen_ai.prompt': [{ role: 'user', content: 'Hello?' }],
  'gen_ai.completion': [{ role: 'assistant', content: 'Hello.' }],
};

function attributeOf({ name, type }: Attribute): RawAttribute {
  if (name === 'gen_ai.operation.name') return [name, 'chat'];
  if (type === 'template') return [`${name}.city`, valueOfType.template];
  if (type !== 'any') return [name, valueOfType[type]];
  return [name, JSON.stringify(structured[name])];
}

const results = { 'gen_ai.evaluation.name': 'tone', 'gen_ai.evaluation.score.value': 1 };

/** Everything that is derived from a span and from an evaluation of it. */
function derivedText(fields: Sample): string {
  const spanData = sample(fields);
  const { family: _family, warnings: _warnings, ...summary } = summarise(spanData);
  const { attributes } = spanData.span;
  const result = { name: 'gen_ai.evaluation.result', time_ns: '1', attributes: [...Object.entries(results), ...attributes], dropped: 0 };
  return JSON.stringify([summary, contentOf(spanData), evaluationsIn(spanData.span, [result], () => {})]);
}

/** Attributes of a span of each operation, in whose presence an attribute is tested. */
const operations: RawAttribute[][] = [
  [],
  ...registry.operations.map((operation): RawAttribute[] => [['gen_ai.operation.name', operation]]),
  // A system message belongs to a conversation.
  [
    ['gen_ai.operation.name', 'chat'],
    ['gen_ai.input.messages', JSON.stringify(structured['gen_ai.input.messages'])],
  ],
];

/** Tested on a root span: the name of a workflow is the name of the trace only there. */
const isRead = (attribute: Attribute): boolean =>
  operations.some((context) => {
    const more = context.filter(([key]) => key !== attribute.name);
    return derivedText({ parent_id: null, more }) !== derivedText({ parent_id: null, more: [...more, attributeOf(attribute)] });
  });

describe('the GenAI registry', () => {
  it('says where it comes from and under which licence', () => {
    expect(registry.licence).toContain('Apache-2.0');
    expect(registry.attributes.length).toBeGreaterThan(70);
    expect(registry.attributes.filter(({ type, name }) => type === 'any' && !(name in structured))).toEqual([]);
  });

  it.each(registry.attributes.map((attribute) => [attribute.name, attribute] as const))(
    '%s is read, or listed as not shown',
    (name, attribute) => {
      expect(isRead(attribute), notShown[name] ?? 'neither read nor listed').toBe(!(name in notShown));
    },
  );

  it('lists as not shown only what the conventions have', () => {
    const registered = new Set(registry.attributes.map(({ name }) => name));
    expect(Object.keys(notShown).filter((name) => !registered.has(name))).toEqual([]);
  });

  it.each(
    registry.attributes.flatMap(({ name, type, deprecated }) =>
      deprecated?.renamed_to && !(name in notShown) ? [[name, deprecated.renamed_to, type] as const] : [],
    ),
  )('%s means what %s means, which replaced it', (oldName, newName, type) => {
    if (type === 'any') return;
    const of = (key: string) => derivedText({ attributes: { 'gen_ai.operation.name': 'chat', [key]: valueOfType[type] } });
    expect(of(oldName)).toBe(of(newName));
  });

  it.each(registry.operations)('the operation %s has a kind of its own', (operation) => {
    const kinds: Record<string, string> = { plan: 'function', search_memory: 'retrieval', user_input: 'function' };
    const { semantic_kind } = summarise(sample({ attributes: { 'gen_ai.operation.name': operation, 'gen_ai.request.model': 'm' } }));
    // Without an entry of its own an operation would be read as a call of the model that it names.
    if (operation in kinds || /_memory/.test(operation)) expect(semantic_kind).toBe(kinds[operation] ?? 'function');
    else expect(semantic_kind).not.toBe('function');
  });
});
