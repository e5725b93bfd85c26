import { expect } from 'vitest';
import { type TraceMatch, traceMatch, traceMatchesQuery } from '../../../shared/contract/tracing/trace-matches.ts';
import { aChat, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import type { Tenant } from './tenant.ts';

async function matchesIn({ store, scope }: Tenant, filter: string | undefined, ...traceIds: string[]): Promise<TraceMatch[]> {
  const query = traceMatchesQuery.parse({ trace_ids: traceIds.join(','), ...(filter === undefined ? {} : { filter }) });
  return traceMatch.array().parse((await store.traceList.matches(scope, query)).decode());
}

const marked = ({ text, marks }: TraceMatch) => marks.map(([start, end]) => text.slice(start, end));

/** A run of an agent that searches the web, which fails, and answers. */
function aResearch(traceId: string): object[] {
  const root = aSpanId();
  const tool = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'web_search',
    'gen_ai.tool.call.arguments': '{"query":"sodium-ion price"}',
    'gen_ai.tool.call.result': 'Two suppliers quote a PRICE of $52 for sodium-ion packs',
  };
  return [
    aSpan({ traceId, spanId: root, name: 'research', durationMs: 900, attributes: { 'gen_ai.operation.name': 'invoke_agent' } }),
    aSpan({ traceId, parentSpanId: root, name: 'execute_tool web_search', attributes: tool }),
    aSpan({ traceId, parentSpanId: root, name: 'fetch', status: 'ERROR', statusMessage: 'quota exhausted for the supplier' }),
    aChat({ traceId, parentSpanId: root, ask: 'What does a pack cost?', reply: 'About $52.' }),
  ];
}

export function traceMatchGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('each trace has the place with most of the words of the filter, marked in any case', async ({ tenant }) => {
    const app = tenant();
    const [first, second] = [aTraceId(), aTraceId()];
    await app.write([...aResearch(first), aChat({ traceId: second, ask: 'Is the price right?', reply: 'It is.' })]);
    const [inTool, inQuestion, ...others] = await matchesIn(app, 'price', first, second);
    expect(others).toEqual([]);
    expect(inTool).toMatchObject({ trace_id: first, span_name: 'web_search', span_kind: 'tool', place: 'tool_result' });
    expect(marked(inTool as TraceMatch)).toEqual(['PRICE']);
    expect(inQuestion).toMatchObject({ trace_id: second, span_kind: 'llm', place: 'input', text: 'Is the price right?' });

    const [both] = await matchesIn(app, 'sodium-ion price "two suppliers"', first);
    expect(marked(both as TraceMatch)).toEqual(['Two suppliers', 'PRICE', 'sodium-ion']);
    const [failure] = await matchesIn(app, 'supplier and error contains exhausted', first);
    expect(failure).toMatchObject({ place: 'error', text: 'quota exhausted for the supplier' });
  });

  guarantee('a trace without any of the words, a filter without words and absent words have no place', async ({ tenant }) => {
    const app = tenant();
    const traceId = aTraceId();
    await app.write(aResearch(traceId));
    for (const filter of [undefined, 'cost >= 0', 'output not contains zebra', 'zebra']) {
      expect(await matchesIn(app, filter, traceId), filter).toEqual([]);
    }
    expect(await matchesIn(app, 'price', aTraceId(), 'no id')).toEqual([]);
    expect(await matchesIn(app, 'zebra or price', traceId)).toHaveLength(1);
  });

  guarantee('texts of another app have no place', async ({ tenant }) => {
    const [mine, other] = [tenant(), tenant()];
    const traceId = aTraceId();
    await other.write(aResearch(traceId));
    await mine.write([aChat({ traceId, ask: 'Hello', reply: 'Hi' })]);
    expect(await matchesIn(mine, 'price', traceId)).toEqual([]);
    expect(await matchesIn(other, 'price', traceId)).toHaveLength(1);
  });

  guarantee('the place in a text of megabytes is found, and only a part of it returned', async ({ tenant }) => {
    const app = tenant();
    const traceId = aTraceId();
    await app.write([aChat({ traceId, ask: `${'hay '.repeat(1_000_000)}needle${' hay'.repeat(1_000_000)}`, reply: 'Found.' })]);
    const [match] = await matchesIn(app, 'needle', traceId);
    expect(match?.text.length).toBeLessThan(300);
    expect(marked(match as TraceMatch)).toEqual(['needle']);
  });
}
