/** Sessions of coding agents that arrive twice: read from their files, and exported by the agent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shuffled } from '../../fixtures/agent-records.ts';
import { type ExportedSession, type ExportingAgent, exportedSession } from '../../fixtures/exported-sessions.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const rowsOf = async (session_id: string) => (await gateway.client.traceList.rows({ query: { session_id, sort_order: 'asc' } })).data.rows;

type TraceRow = Awaited<ReturnType<typeof rowsOf>>[number];

async function spansOf(traceId: string) {
  const { data } = await gateway.client.traces.get({ params: { traceId }, query: {} });
  return Promise.all(
    data.spans.map(async (span) => ({ ...span, ...(await gateway.client.spans.io({ params: { traceId, spanId: span.id } })).data })),
  );
}

/** How many traces each recorded session has: in lists, which is one for each turn, and with those that lists hide. */
const traceCounts = {
  'claude-code': { listed: [6], all: [12] },
  codex: { listed: [4, 1, 2], all: [4, 1, 2] },
  gemini: { listed: [4], all: [12] },
};
/** Numbers of copies of one agent are not used for another: all are sent to one gateway. */
const firstCopy = { 'claude-code': 200, codex: 0, gemini: 100 };

describe.each<ExportingAgent>(['claude-code', 'codex', 'gemini'])('a session of %s that is read from its files and exported', (agent) => {
  const { listed, all } = traceCounts[agent];
  type Source = 'history' | 'logs' | 'spans';
  const bodiesOf = ({ history, logs, traces }: ExportedSession, source: Source) =>
    ({ history, logs, spans: traces })[source].map((body) => ({ path: source === 'logs' ? '/v1/logs' : '/v1/traces', body }));

  async function post(path: string, body: string): Promise<void> {
    const response = await gateway.fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    expect([response.status, await response.text()]).toEqual([200, expect.not.stringContaining('conflict')]);
  }

  /** What lists and sums show of the sessions, with the agents, calls and tools of each turn. */
  async function shown({ sessions }: ExportedSession) {
    const { data } = await gateway.client.sessions.list({ query: { limit: 1000 } });
    const turnOf = async ({ id, ...row }: TraceRow) => {
      const { name, input_preview, output_preview, cost, tokens, error_count, models } = row;
      const spans = (await spansOf(id)).filter(({ span_kind }) => span_kind !== 'function');
      const facts = spans.map((span) => ({
        ...{
          name: span.name,
          timestamp: span.timestamp,
          duration_ms: span.duration_ms,
          status: span.status,
          cost: span.cost.toFixed(9),
          tool_calls: span.tool_calls,
          decision: span.metadata['decision'],
        },
        ...{ kind: span.span_kind, tokens: span.span_kind === 'llm' ? span.tokens : 0, input: span.input, output: span.output },
      }));
      const byText = facts.map((fact) => JSON.stringify(fact)).sort();
      return { name, input_preview, output_preview, cost: cost.toFixed(9), tokens, error_count, models, spans: byText };
    };
    return Promise.all(
      sessions.map(async (id) => {
        const { trace_count, total_cost, total_tokens } = data.find((session) => session.id === id) ?? {};
        return { trace_count, total_cost: total_cost?.toFixed(9), total_tokens, turns: await Promise.all((await rowsOf(id)).map(turnOf)) };
      }),
    );
  }

  let copies = firstCopy[agent];
  async function afterSending(order: readonly Source[], arranged = <T>(bodies: T[]) => bodies) {
    const exported = await exportedSession(agent, ++copies);
    for (const { path, body } of arranged(order.flatMap((source) => bodiesOf(exported, source)))) await post(path, body);
    // Without the digits that tell the copies apart.
    const text = JSON.stringify(await shown(exported)).replace(/(-[0-9a-f]{8})[0-9a-f]{4}\b/g, '$1');
    return { exported, result: JSON.parse(text) as Awaited<ReturnType<typeof shown>> };
  }

  test('is one trace for each turn, in any order and repeated: nothing is counted twice', async () => {
    const { result: fromFiles } = await afterSending(['history']);
    expect(fromFiles.map(({ trace_count }) => trace_count)).toEqual(listed);
    const withoutDecision = (result: typeof fromFiles): unknown =>
      JSON.parse(JSON.stringify(result).replace(/,\\"decision\\":\\"\w+\\"/g, ''));
    const { result: joined } = await afterSending(['history', 'logs']);
    expect(withoutDecision(joined)).toEqual(fromFiles);
    expect(JSON.stringify(joined).includes('decision')).toBe(agent !== 'gemini');
    expect((await afterSending(['logs', 'history', 'logs', 'history'])).result).toEqual(joined);
    for (const order of [
      ['history', 'logs', 'spans'],
      ['spans', 'history', 'logs'],
      ['logs', 'spans', 'history', 'spans'],
    ] as const)
      expect(withoutDecision((await afterSending(order)).result)).toEqual(fromFiles);
    for (const seed of [1, 2]) {
      const { result } = await afterSending(['history', 'logs', 'spans'], (bodies) => shuffled(bodies, seed));
      expect(withoutDecision(result)).toEqual(fromFiles);
    }
  });

  test('keeps what was exported: Codex in the trace of the turn, the others in traces that lists hide', async () => {
    const { exported } = await afterSending(['spans', 'history']);
    const [first] = JSON.parse(exported.traces[0] ?? '').resourceSpans[0].scopeSpans[0].spans;
    const { data } = await gateway.client.traces.get({ params: { traceId: first.traceId }, query: {} });
    expect(data.spans.map(({ id }) => id)).toContain(first.spanId);
    const sent = exported.sessions.map((session_id) => gateway.client.traceList.rows({ query: { session_id, bookkeeping: 'include' } }));
    const counts = (await Promise.all(sent)).map(({ data: { rows } }) => rows.length);
    expect(counts).toEqual(all);
  });
});
