/**
 * Values of traces and sessions that are derived from their spans (docs/reference/ingest.md#traces), without counting usage twice
 * (docs/reference/ingest.md#double-counting).
 */
import { expect } from 'vitest';
import { aChat, aSpan, aSpanId, aTraceId, type SpanInput, testEpochMs } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee, GuaranteeContext } from './guarantee.ts';
import type { Tenant } from './tenant.ts';

/** Builds span inputs of one trace, with readable names in place of ids. */
function aTrace() {
  const traceId = aTraceId();
  const ids = new Map<string, string>();
  const idOf = (name: string): string => {
    const id = ids.get(name) ?? aSpanId();
    ids.set(name, id);
    return id;
  };
  const spanInput = (name: string, parent: string | null, from = 0, to = from + 100): SpanInput => ({
    traceId,
    spanId: idOf(name),
    ...(parent === null ? {} : { parentSpanId: idOf(parent) }),
    name,
    startMs: testEpochMs + from,
    durationMs: to - from,
  });
  return { traceId, idOf, spanInput };
}

const usage = (cost: number, inputTokens: number, outputTokens: number) => ({
  'agentmark.usage.cost_usd': cost,
  'gen_ai.usage.input_tokens': inputTokens,
  'gen_ai.usage.output_tokens': outputTokens,
});

const generation = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'a-model-without-a-price' };

const payload = (input: string, output: string) => ({ 'input.value': input, 'output.value': output });

/** The only trace of an app. Checks that list and detail agree. */
async function onlyTrace(app: Tenant) {
  const item = await app.onlyTrace();
  const detail = await app.detail(item.id);
  for (const key of ['name', 'status', 'start', 'end', 'latency_ms', 'cost', 'tokens'] as const) expect(detail[key]).toEqual(item[key]);
  return { item, detail };
}

const contentOf = (messages: string | undefined): unknown => (JSON.parse(messages ?? '[]') as { content: unknown }[])[0]?.content;

const vectors: Record<string, (stand: GuaranteeContext) => Promise<void>> = {
  'D1: a failed child does not fail its trace, and its usage counts': async ({ tenant }) => {
    const app = tenant();
    const { spanInput } = aTrace();
    await app.write([
      aSpan({ ...spanInput('root', null, 0, 1000), status: 'OK' }),
      aSpan({ ...spanInput('call', 'root', 100, 900), status: 'ERROR', attributes: { ...generation, ...usage(0.01, 10, 5) } }),
    ]);
    expect((await onlyTrace(app)).item).toMatchObject({
      status: 'OK',
      latency_ms: 1000,
      tokens: 15,
      cost: 0.01,
      span_count: 2,
      error_count: 1,
    });
  },

  'D2: calls below a root without usage add up': async ({ tenant }) => {
    const app = tenant();
    const { spanInput } = aTrace();
    await app.write([
      aSpan(spanInput('root', null)),
      aSpan({ ...spanInput('one', 'root'), attributes: { ...generation, ...usage(0.01, 6, 4) } }),
      aSpan({ ...spanInput('two', 'root'), attributes: { ...generation, ...usage(0.02, 15, 5) } }),
    ]);
    expect((await onlyTrace(app)).item).toMatchObject({ status: 'UNSET', cost: 0.03, tokens: 30 });
  },

  'D3: an agent that carries the totals of its calls is not counted on top of them': async ({ tenant }) => {
    const app = tenant();
    const { spanInput } = aTrace();
    await app.write([
      aSpan({ ...spanInput('agent', null), attributes: { 'gen_ai.operation.name': 'invoke_agent', ...usage(0.05, 60, 40) } }),
      aSpan({ ...spanInput('one', 'agent'), attributes: { ...generation, ...usage(0.02, 30, 10) } }),
      aSpan({ ...spanInput('two', 'agent'), attributes: { ...generation, ...usage(0.02, 30, 10) } }),
    ]);
    expect((await onlyTrace(app)).item).toMatchObject({ cost: 0.05, tokens: 100 });
  },

  'D4: a child whose parent has not arrived is the root': async ({ tenant }) => {
    const app = tenant();
    const { spanInput, traceId, idOf } = aTrace();
    await app.write([aSpan({ ...spanInput('orphan', 'gone', 50, 250), attributes: { 'agentmark.trace_name': 'A' } })]);
    expect((await onlyTrace(app)).item).toMatchObject({ name: 'A', latency_ms: 200 });
    expect((await app.ofTrace(traceId))[0]?.parent_id).toBe(idOf('gone'));
  },

  'D5: input and output are found independently': async ({ tenant }) => {
    const app = tenant();
    const { spanInput } = aTrace();
    await app.write([
      aSpan({ ...spanInput('root', null), attributes: { 'output.value': 'R' } }),
      aSpan({ ...spanInput('g1', 'root', 10), attributes: { ...generation, ...payload('i1', 'o1') } }),
      aSpan({ ...spanInput('g2', 'root', 20), attributes: { ...generation, ...payload('i2', 'o2') } }),
    ]);
    const { item, detail } = await onlyTrace(app);
    expect([item.input_preview, item.output_preview, contentOf(detail.input), detail.output]).toEqual(['i1', 'R', 'i1', 'R']);
  },

  'D6: without any input or output there are no keys for them': async ({ tenant }) => {
    const app = tenant();
    const { spanInput } = aTrace();
    await app.write([aSpan(spanInput('root', null)), aSpan({ ...spanInput('call', 'root'), attributes: generation })]);
    const { item, detail } = await onlyTrace(app);
    expect(Object.keys(item).filter((key) => key.includes('preview'))).toEqual([]);
    expect(Object.keys(detail).filter((key) => key === 'input' || key === 'output')).toEqual([]);
  },

  'D7: the tags of all spans are joined, each once, sorted': async ({ tenant }) => {
    const app = tenant();
    const { spanInput } = aTrace();
    await app.write([
      aSpan({ ...spanInput('root', null), attributes: { 'agentmark.tags': ['b', 'a'] } }),
      aSpan({ ...spanInput('child', 'root'), attributes: { 'agentmark.tags': '["a"]' } }),
    ]);
    expect((await app.onlyTrace()).tags).toEqual(['a', 'b']);
  },

  'D8: a node has one entry in the graph for each of its parents': async ({ tenant }) => {
    const app = tenant();
    const { spanInput, traceId, idOf } = aTrace();
    const node = (id: string, more: Record<string, string> = {}) => ({
      'agentmark.metadata.graph.node.id': id,
      ...Object.fromEntries(Object.entries(more).map(([key, value]) => [`agentmark.metadata.graph.node.${key}`, value])),
    });
    await app.write([
      aSpan({ ...spanInput('second', 'first', 20), attributes: node('n2', { parent_ids: '["n1","n0"]', parent_id: 'n9', type: 'tool' }) }),
      aSpan({ ...spanInput('plain', 'first', 10) }),
      aSpan({ ...spanInput('first', null), attributes: node('n1', { display_name: 'Start' }) }),
    ]);
    const n2 = { nodeId: 'n2', spanId: idOf('second'), nodeType: 'tool', displayName: '', spanName: 'second' };
    const nodes = [
      { nodeId: 'n1', spanId: idOf('first'), nodeType: '', displayName: 'Start', spanName: 'first' },
      { parentNodeId: 'n1', ...n2 },
      { parentNodeId: 'n0', ...n2 },
    ];
    expect(await app.graph(traceId)).toEqual(nodes);
    const { detail } = await onlyTrace(app);
    expect(detail.graph).toEqual(nodes);
    expect(detail.metadata).toEqual({});
  },

  'D8: a node is found wherever its span names it': async ({ tenant }) => {
    const app = tenant();
    const traceId = aTraceId();
    const named = (key: string) => JSON.stringify({ long: 'text, {"text"}. '.repeat(200), [key]: 'n' });
    const ways: Record<string, string>[] = [
      { 'graph.node.id': 'n' },
      { metadata: named('graph.node.id') },
      { metadata: named('graph.node.id').replace('graph', String.raw`gr\u0061ph`) },
      { metadata: JSON.stringify({ langgraph_node: 'way', langgraph_triggers: [] }) },
      { 'traceloop.association.properties.langgraph_node': 'way' },
    ];
    await app.write(ways.map((attributes) => aSpan({ traceId, name: 'way', attributes })));
    expect((await app.graph(traceId)).map(({ nodeId }) => nodeId).toSorted()).toEqual(['n', 'n', 'n', 'way', 'way']);
  },

  'D9: the name of a session takes precedence over the name of a prompt': async ({ tenant }) => {
    const app = tenant();
    const { spanInput } = aTrace();
    await app.write([
      aSpan({ ...spanInput('one', null), attributes: { 'session.id': 's', 'agentmark.session_name': '', 'agentmark.prompt_name': 'p' } }),
      aSpan({ ...spanInput('two', 'one'), attributes: { 'session.id': 's', 'agentmark.session_name': 'Chat' } }),
    ]);
    expect((await app.sessions()).data).toMatchObject([{ id: 's', name: 'Chat' }]);
  },

  'D10: a span that is sent again with another name keeps the first': async ({ tenant }) => {
    const app = tenant();
    const { spanInput } = aTrace();
    await app.write([aSpan({ ...spanInput('first', null) })]);
    await app.write([{ ...aSpan({ ...spanInput('first', null) }), name: 'second' }]);
    expect((await onlyTrace(app)).item).toMatchObject({ name: 'first', span_count: 1 });
  },
};

export function derivationGuarantees(guarantee: DeclareGuarantee): void {
  for (const [title, test] of Object.entries(vectors)) guarantee(title, test);

  guarantee(
    'usage is the larger of a span’s own and the sum of its children, at every level, independently for cost and tokens',
    async ({ tenant }) => {
      const app = tenant();
      const { spanInput } = aTrace();
      await app.write([
        aSpan({ ...spanInput('call', 'step'), attributes: { ...generation, ...usage(0.04, 200, 50) } }),
        aSpan({ ...spanInput('other', 'root'), attributes: { ...generation, ...usage(0.001, 8, 2) } }),
        aSpan({ ...spanInput('step', 'root'), attributes: usage(0.06, 10, 10) }),
        aSpan({ ...spanInput('root', null), attributes: usage(0.000_1, 300, 100) }),
      ]);
      // cost: max(.0001, max(.06, .04) + .001); tokens: max(400, max(20, 250) + 10)
      expect((await onlyTrace(app)).item).toMatchObject({ cost: 0.061, tokens: 400 });
    },
  );

  guarantee('several roots and orphans add up, and each may be the slowest', async ({ tenant }) => {
    const app = tenant();
    const { spanInput } = aTrace();
    await app.write([
      aSpan({ ...spanInput('late', null, 500, 600), status: 'OK', attributes: usage(0.1, 1, 1) }),
      aSpan({ ...spanInput('early', null, 100, 200), attributes: usage(0.2, 2, 2) }),
      aSpan({ ...spanInput('orphan', 'gone', 0, 400), status: 'ERROR', attributes: usage(0.4, 4, 4) }),
    ]);
    const { item } = await onlyTrace(app);
    expect(item).toMatchObject({ name: 'early', status: 'OK', cost: 0.7, tokens: 14, latency_ms: 400 });
    expect([item.start, item.end].map((at) => Date.parse(at) - testEpochMs)).toEqual([0, 600]);
  });

  guarantee('cycles and spans that are their own parents are stored, shown and counted once', async ({ tenant }) => {
    const app = tenant();
    const { spanInput, traceId } = aTrace();
    await app.write([
      aSpan({ ...spanInput('a', 'b', 10), attributes: usage(0.1, 1, 0) }),
      aSpan({ ...spanInput('b', 'a', 20), attributes: usage(0.1, 1, 0) }),
      aSpan({ ...spanInput('self', 'self', 0, 1), attributes: usage(0.1, 1, 0) }),
    ]);
    expect((await onlyTrace(app)).item).toMatchObject({ name: 'self', cost: 0.2, tokens: 2, span_count: 3, latency_ms: 100 });
    expect((await app.ofTrace(traceId)).map(({ name }) => name)).toEqual(['self', 'a', 'b']);
  });

  guarantee('the end of a trace is that of its last span, but its latency is that of the root', async ({ tenant }) => {
    const app = tenant();
    const { spanInput } = aTrace();
    await app.write([aSpan(spanInput('root', null, 0, 100)), aSpan(spanInput('background', 'root', 50, 5_000))]);
    const { item } = await onlyTrace(app);
    expect([item.latency_ms, Date.parse(item.end) - Date.parse(item.start)]).toEqual([100, 5_000]);
  });

  guarantee(
    'without input or output of the root, the input is that of the first call and the output that of the last, whatever arrived first',
    async ({ tenant }) => {
      const app = tenant();
      const { spanInput } = aTrace();
      await app.write([aChat({ ...spanInput('g3', 'root', 30), ask: 'third', reply: '' })]);
      await app.write([aChat({ ...spanInput('g2', 'root', 20), ask: 'second', reply: 'second' })]);
      await app.write([aSpan({ ...spanInput('tool', 'root', 5), attributes: payload('not a call', 'not a call') })]);
      expect((await app.onlyTrace()).input_preview).not.toBe('third');
      await app.write([aSpan(spanInput('root', null))]);
      const { item, detail } = await onlyTrace(app);
      expect([item.input_preview, item.output_preview]).toEqual(['second', 'second']);
      expect([contentOf(detail.input), detail.output]).toEqual(['second', 'second']);
    },
  );

  guarantee('an orphan provides input and output of its trace until its parent arrives', async ({ tenant }) => {
    const app = tenant();
    const { spanInput } = aTrace();
    await app.write([aSpan({ ...spanInput('orphan', 'root', 10), attributes: payload('in', 'out') })]);
    expect((await onlyTrace(app)).item).toMatchObject({ name: 'orphan', input_preview: 'in', output_preview: 'out' });
    await app.write([aSpan({ ...spanInput('root', null), attributes: { 'output.value': 'all' } })]);
    const { item, detail } = await onlyTrace(app);
    expect([item.name, item.input_preview, item.output_preview, detail.input, detail.output]).toEqual([
      'root',
      undefined,
      'all',
      undefined,
      'all',
    ]);
  });

  guarantee('a root whose input is only an image provides the input of its trace', async ({ tenant }) => {
    const app = tenant();
    const { spanInput } = aTrace();
    const image = JSON.stringify([
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] },
    ]);
    await app.write([
      aSpan({ ...spanInput('root', null), attributes: { 'gen_ai.input.messages': image } }),
      aChat({ ...spanInput('call', 'root', 10), ask: 'of the call' }),
    ]);
    expect((await onlyTrace(app)).detail.input).toContain('iVBORw0KGgo');
  });

  guarantee('absurdly large amounts do not break any trace', async ({ tenant }) => {
    const app = tenant();
    const absurd = { 'gen_ai.usage.input_tokens': Number.MAX_SAFE_INTEGER, 'agentmark.usage.cost_usd': 1e300, 'session.id': 's' };
    await app.write(Array.from({ length: 1_500 }, () => aSpan({ traceId: 'absurd', attributes: absurd })));
    await app.write([aSpan({ traceId: 'other', attributes: { ...absurd, 'gen_ai.usage.output_tokens': Number.MAX_SAFE_INTEGER } })]);
    const { data, total } = await app.traces();
    expect([total, ...data.map(({ tokens }) => tokens)]).toEqual([2, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);
    expect((await app.sessions()).data).toMatchObject([{ total_tokens: Number.MAX_SAFE_INTEGER, trace_count: 2 }]);
  });

  guarantee('a span may last as long as 64 bits of nanoseconds can express', async ({ tenant }) => {
    const app = tenant();
    const forever = {
      ...aSpan({ name: 'forever', attributes: { 'session.id': 's' } }),
      startTimeUnixNano: '1',
      endTimeUnixNano: String(2n ** 64n - 1n),
    };
    const farFuture = { ...aSpan({ name: 'in 2554' }), startTimeUnixNano: String(2n ** 64n - 2n), endTimeUnixNano: String(2n ** 64n - 1n) };
    expect(await app.write([forever, farFuture])).toMatchObject({ accepted: 2 });
    expect((await app.spans()).data.map(({ name }) => name)).toEqual(['in 2554', 'forever']);
    const { data } = await app.traces();
    expect(data.find(({ name }) => name === 'forever')?.latency_ms).toBeGreaterThan(1e12);
    expect((await app.sessions()).total).toBe(1);
  });
}
