/**
 * Demo trace: an agent run in the GenAI conventions, sent through ordinary ingest. It is marked as a demo in its name, service, a tag and an
 * attribute.
 */
type Value = string | number | boolean | readonly string[];

interface Step {
  name: string;
  /** Milliseconds after the start of the run. */
  from: number;
  to: number;
  failed?: string;
  attributes: Record<string, Value>;
}

/** Attribute of every demo span. */
export const demoMark = 'glasshouse.demo';
export const demoName = 'Demo: is the refund due?';

/** Duration of the run, in milliseconds. */
const runMs = 6_400;
const model = 'gpt-4o-mini';

type Part =
  | { type: 'text'; content: string }
  | { type: 'tool_call'; id: string; name: string; arguments: object }
  | { type: 'tool_call_response'; id: string; response: string };

interface Message {
  role: string;
  parts: Part[];
}

const textMessage = (role: string, content: string): Message => ({ role, parts: [{ type: 'text', content }] });
const toolCall = (id: string, name: string, args: object): Message => ({
  role: 'assistant',
  parts: [{ type: 'tool_call', id, name, arguments: args }],
});
const toolResult = (id: string, response: string): Message => ({ role: 'tool', parts: [{ type: 'tool_call_response', id, response }] });

const question = 'My parcel of order 1042 came broken. Can I have my money back?';
const verdict =
  'Yes. Order 1042 was delivered six days ago and came broken, so the whole $48.00 goes back to your card within three working days.';
const system = textMessage('system', 'You answer customers of a shop. Look things up before you promise anything.');
const history = [
  system,
  textMessage('user', question),
  toolCall('call_1', 'find_order', { order: 1042 }),
  toolResult('call_1', 'timeout after 800 ms'),
  toolCall('call_2', 'find_order', { order: 1042 }),
  toolResult('call_2', '{"order":1042,"total":48,"delivered":"6 days ago"}'),
];

function call(name: string, from: number, to: number, input: Message[], output: Message, usage: [input: number, output: number]): Step {
  return {
    name,
    from,
    to,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      'gen_ai.usage.input_tokens': usage[0],
      'gen_ai.usage.output_tokens': usage[1],
      'gen_ai.response.finish_reasons': [output.parts.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'stop'],
      'gen_ai.input.messages': JSON.stringify(input),
      'gen_ai.output.messages': JSON.stringify([output]),
    },
  };
}

const tool = (name: string, from: number, to: number, args: object, result: string, failed?: string): Step => ({
  name: `execute_tool ${name}`,
  from,
  to,
  ...(failed === undefined ? {} : { failed }),
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.arguments': JSON.stringify(args),
    ...(failed === undefined ? { 'gen_ai.tool.call.result': result } : {}),
  },
});

const steps: readonly Step[] = [
  call(`chat ${model}`, 40, 1_180, history.slice(0, 2), toolCall('call_1', 'find_order', { order: 1042 }), [412, 21]),
  tool('find_order', 1_200, 2_000, { order: 1042 }, '', 'timeout after 800 ms'),
  call(`chat ${model}`, 2_030, 2_900, history.slice(0, 4), toolCall('call_2', 'find_order', { order: 1042 }), [468, 22]),
  tool('find_order', 2_920, 3_180, { order: 1042 }, '{"order":1042,"total":48,"delivered":"6 days ago"}'),
  tool('search_policy', 3_190, 3_560, { words: 'broken on arrival' }, 'Broken on arrival: refund in full within 14 days.'),
  call(`chat ${model}`, 3_600, 6_340, history, textMessage('assistant', verdict), [701, 58]),
];

const root: Step = {
  name: demoName,
  from: 0,
  to: runMs,
  attributes: {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'refunds',
    'gen_ai.input.messages': JSON.stringify([textMessage('user', question)]),
    'gen_ai.output.messages': JSON.stringify([textMessage('assistant', verdict)]),
    'metadata.note': 'Made up by the viewer. No model was called and nothing was paid.',
  },
};

const hex = (length: number): string =>
  [...crypto.getRandomValues(new Uint8Array(length))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const anyValue = (value: Value): object => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return { intValue: String(value) };
  return { arrayValue: { values: value.map(anyValue) } };
};

const attributeList = (attributes: Record<string, Value>): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

/** Demo as a request for `POST /v1/traces`, with new ids. @param nowMs end of the run */
export function demoTrace(nowMs: number): { traceId: string; request: { resourceSpans: Record<string, unknown>[] } } {
  const traceId = hex(16);
  const rootId = hex(8);
  const nano = (ms: number) => `${nowMs - runMs + ms}000000`;
  const span = ({ name, from, to, failed, attributes }: Step, ids: object) => ({
    traceId,
    ...ids,
    name,
    kind: 1,
    startTimeUnixNano: nano(from),
    endTimeUnixNano: nano(to),
    attributes: attributeList({ ...attributes, [demoMark]: true, 'tag.tags': ['demo'] }),
    status: failed === undefined ? { code: 1 } : { code: 2, message: failed },
  });
  const spans = [span(root, { spanId: rootId }), ...steps.map((step) => span(step, { spanId: hex(8), parentSpanId: rootId }))];
  const resource = { attributes: attributeList({ 'service.name': 'glasshouse-demo', [demoMark]: true }) };
  return { traceId, request: { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: demoMark }, spans }] }] } };
}
