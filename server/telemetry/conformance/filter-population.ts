/**
 * Random traces for filters: few values, so that filters match some, and difficult ones, so that wrong filters fail. The values of each span are
 * known without reading a store.
 */
import fc from 'fast-check';
import { semanticKinds } from '../../../shared/contract/tracing/semantic-kinds.ts';
import { type AttributeInput, aSpan, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { Tenant } from './tenant.ts';

export interface FilterSpan {
  id: string;
  trace_id: string;
  name: string;
  trace_name: string;
  environment: string;
  status_message: string;
  exception: string;
  ttft: number;
  model: string;
  user_id: string;
  session_id: string;
  prompt_name: string;
  input: string;
  output: string;
  props: string;
  semantic_kind: string;
  latency_ms: number;
  cost: number;
  prompt_tokens: number;
  completion_tokens: number;
  status: 'UNSET' | 'OK' | 'ERROR';
  tags: string[];
  metadata: Record<string, string>;
}

export interface FilterTrace {
  id: string;
  spans: FilterSpan[];
}

/** In order of arrival. */
export interface FilterScore {
  resource_id: string;
  name: string;
  score: number;
  atMs: number;
}

/** Too long for a filter value, but a filter can match a part of it. */
const longValue = `${'L'.repeat(600)}needle%end`;

export const words = [
  'a',
  'A',
  'ab',
  'b',
  '%',
  '_',
  'a%b',
  'a_b',
  "it's",
  'say "hi"',
  'back\\slash',
  'ünï',
  '😀',
  'x😀y',
  '1',
  '2.5',
  '\ufffd',
];
export const tagWords = ['a', 'A', 'b', 'a","b', '😀', '%'];
export const metadataKeys = ['env', 'Env', 'k_1', 'toString'];
export const scoreNames = ['q', 'a-b', 'Q'];

const word = fc.constantFrom('', '', ...words);
const sometimesLong = (arbitrary: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 15, arbitrary }, { weight: 1, arbitrary: fc.constant(longValue) });

const filterSpan = fc.record({
  name: fc.constantFrom('', 'a', 'A', 'web_search', 'ünï', 'Chat 😀'),
  trace_name: fc.constantFrom('', '', 'a', 'ÜNÏ of b'),
  environment: fc.constantFrom('', '', 'prod', 'a'),
  status_message: fc.constantFrom('', 'Too many\n"requests"', 'a'),
  exception: fc.constantFrom('', '', 'RateLimitError'),
  ttft: fc.constantFrom(Number.NaN, 0, 0.5, 2.5, 100),
  model: sometimesLong(word),
  user_id: word,
  session_id: word,
  prompt_name: word,
  question: word,
  output: sometimesLong(word),
  props: word,
  semantic_kind: fc.constantFrom(
    ...semanticKinds.filter((kind) => kind === 'llm' || kind === 'function' || kind === 'agent' || kind === 'tool'),
  ),
  latency_ms: fc.constantFrom(0, 1, 2, 2.5, 1000),
  cost: fc.constantFrom(0.25, 0.5, 2.5),
  prompt_tokens: fc.constantFrom(0, 1, 2, 100),
  completion_tokens: fc.constantFrom(0, 1, 2, 100),
  status: fc.constantFrom('UNSET', 'OK', 'ERROR'),
  tags: fc.uniqueArray(fc.constantFrom(...tagWords), { maxLength: 3 }),
  metadata: fc.uniqueArray(fc.tuple(fc.constantFrom(...metadataKeys), sometimesLong(word)), { selector: ([key]) => key, maxLength: 3 }),
});

const traceIds = ['Trace_7%', 'trace-a', 'x"y', "it's", 'run:1'];

export function filterPopulation(traces: number, seed: number): { traces: FilterTrace[]; scores: FilterScore[] } {
  const samples = fc.sample(fc.array(filterSpan, { minLength: 1, maxLength: 4 }), { numRuns: traces, seed });
  const population = samples.map((spans, index): FilterTrace => {
    const id = traceIds[index] ?? (0xabc000 + index * 7).toString(16).padStart(32, index % 2 === 0 ? '1a' : 'f3');
    return { id, spans: spans.map((span, position) => filterSpanOf(span, id, index * 16 + position, position)) };
  });
  const resources = population.flatMap(({ id, spans }) => [id, ...spans.map((span) => span.id)]);
  const score = fc.record({
    resource_id: fc.constantFrom(...resources),
    name: fc.constantFrom(...scoreNames),
    score: fc.constantFrom(0, 0.5, 1, 2, -1),
    atMs: fc.constantFrom(0, 1, 2).map((second) => testEpochMs + second * 1000),
  });
  return { traces: population, scores: fc.sample(score, { numRuns: traces * 3, seed }) };
}

type SampledSpan = typeof filterSpan extends fc.Arbitrary<infer S> ? S : never;

/** The first span is the root. Only model calls below it use tokens, so that the sums of a trace are those of its spans. */
function filterSpanOf({ question, ...span }: SampledSpan, trace_id: string, number: number, position: number): FilterSpan {
  const usesTokens = position > 0 && span.semantic_kind === 'llm';
  const props = span.props === '' ? '' : JSON.stringify({ word: span.props });
  // Prompt variables are the input of a span without any other input.
  const input = question || props;
  return {
    ...span,
    id: (0xe000 + number).toString(16).padStart(16, 'e'),
    trace_id,
    input: input === '' ? '' : JSON.stringify([{ role: 'user', content: input }]),
    props,
    cost: usesTokens ? span.cost : 0,
    prompt_tokens: usesTokens ? span.prompt_tokens : 0,
    completion_tokens: usesTokens ? span.completion_tokens : 0,
    metadata: Object.fromEntries(span.metadata),
  };
}

/** The span as a sender would send it. */
export function sentFilterSpan(span: FilterSpan, { id: traceId, spans: [root] }: FilterTrace): object {
  const attributes: Record<string, AttributeInput> = {};
  const put = (key: string, value: AttributeInput) => {
    if (value !== '' && value !== 0) attributes[key] = value;
  };
  put('gen_ai.request.model', span.model);
  put('user.id', span.user_id);
  put('session.id', span.session_id);
  put('agentmark.prompt_name', span.prompt_name);
  put('agentmark.input', span.input);
  put('agentmark.output', span.output);
  put('agentmark.props', span.props);
  put('agentmark.span.kind', span.semantic_kind);
  put('gen_ai.usage.input_tokens', span.prompt_tokens);
  put('gen_ai.usage.output_tokens', span.completion_tokens);
  put('agentmark.usage.cost_usd', span.cost);
  if (span.tags.length > 0) attributes['agentmark.tags'] = span.tags;
  for (const [key, value] of Object.entries(span.metadata)) attributes[`agentmark.metadata.${key}`] = value;
  const parent = root && root.id !== span.id ? { parentSpanId: root.id } : {};
  put('agentmark.trace_name', span.trace_name);
  put('agentmark.environment', span.environment);
  if (!Number.isNaN(span.ttft)) attributes['ai.response.msToFirstChunk'] = span.ttft;
  const { name, latency_ms: durationMs, status, status_message: statusMessage, exception } = span;
  const events = exception === '' ? [] : [{ name: 'exception', attributes: { 'exception.type': exception } }];
  return aSpan({ traceId, spanId: span.id, ...parent, name, durationMs, status, statusMessage, events, attributes });
}

/** Writes the traces in their order, one request each, without waiting for each answer, so that the store may commit several together. */
export async function writePopulation(app: Tenant, traces: readonly FilterTrace[]): Promise<void> {
  await Promise.all(traces.map((trace) => app.write(trace.spans.map((span) => sentFilterSpan(span, trace)))));
}

/** Texts that a span has besides its fields, as a filter sees them. */
export function derivedTexts(span: FilterSpan): {
  tool: string;
  agent: string;
  tool_arguments: string[];
  error: string[];
  texts: string[];
} {
  const isTool = span.semantic_kind === 'tool';
  const tool_arguments = isTool ? distinct([span.input]) : [];
  const messages =
    span.input === '' || isTool ? [span.input] : (JSON.parse(span.input) as { content: string }[]).map(({ content }) => content);
  const errors = [span.status_message, span.exception];
  return {
    tool: isTool ? span.name : '',
    agent: span.semantic_kind === 'agent' ? span.name : '',
    tool_arguments,
    error: span.status === 'ERROR' ? distinct(errors) : [],
    texts: distinct([span.name, span.trace_name, ...errors, ...messages, span.output, span.props, ...Object.values(span.metadata)]),
  };
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].filter((text) => text !== '');
