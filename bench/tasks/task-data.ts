/** What the tasks need beyond the recorded traces and the demo: a session that repeats its question, a trace of 10,001 spans, runs that begin later. */
import { aPage } from '../../shared/fixtures/context-run.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId, type SpanInput } from '../../shared/fixtures/otlp.ts';
import type { HttpClient } from '../gateway/http-client.ts';

export const kettleSession = 'kettle-42';
export const kettleQuestion = 'My kettle arrived with a cracked lid. Can I get a refund?';
export const systemPromptLength = 60_000;
export const manySpans = 10_001;
/** The tool that takes 9 s in the trace of many spans, where all others take milliseconds. */
export const slowTool = 'render_route_map';

export async function sendSpans(client: HttpClient, spans: object[], service: string): Promise<void> {
  const body = Buffer.from(JSON.stringify(aRequest(spans, { service })));
  const { status } = await client.send('POST', '/v1/traces', { 'content-type': 'application/json' }, body);
  if (status !== 200) throw new Error(`The gateway answered ${status} to spans`);
}

/** @returns the id of the trace of many spans */
export async function seedTasks(client: HttpClient): Promise<string> {
  await sendSpans(client, [...aTurn('You are within the 30 days.', 12), ...aTurn('Yes: I have started the refund.', 8)], 'kettle-shop');
  const { traceId, spans } = aLongRun(Date.now() - 1_500_000);
  for (let from = 0; from < spans.length; from += 1000) await sendSpans(client, spans.slice(from, from + 1000), 'route-planner');
  return traceId;
}

const message = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });

/** A turn that does not resend the history, so that the same question is asked anew. */
function aTurn(answer: string, minutesAgo: number): object[] {
  const [traceId, root, startMs] = [aTraceId(), aSpanId(), Date.now() - minutesAgo * 60_000];
  const prompt = aPage('You help customers of a kettle shop', systemPromptLength);
  const session = { 'session.id': kettleSession, 'user.id': 'dana' };
  return [
    aSpan({
      ...{ traceId, spanId: root, name: 'Support turn', startMs, durationMs: 2_400 },
      attributes: { ...session, 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'support' },
    }),
    aChat({
      ...{ traceId, parentSpanId: root, startMs: startMs + 20, durationMs: 2_200, inputTokens: 15_400, outputTokens: 12 },
      attributes: {
        ...session,
        'gen_ai.input.messages': JSON.stringify([message('system', prompt), message('user', kettleQuestion)]),
        'gen_ai.output.messages': JSON.stringify([message('assistant', answer)]),
      },
    }),
  ];
}

/** An agent that plans 5,000 stops: a model call and a tool for each. */
function aLongRun(startMs: number) {
  const [traceId, root] = [aTraceId(), aSpanId()];
  const steps = (manySpans - 1) / 2;
  let atMs = startMs + 50;
  const place = (durationMs: number): SpanInput => {
    const at = { traceId, parentSpanId: root, startMs: atMs, durationMs };
    atMs += durationMs + 2;
    return at;
  };
  const spans = Array.from({ length: steps }, (_, step) => {
    const tool = step === 3_210 ? slowTool : ['find_stop', 'travel_time', 'opening_hours'][step % 3];
    return [
      aChat({ ...place(60), model: 'gpt-4o-mini', inputTokens: 400, ask: `Stop ${step + 1}?`, reply: `I call ${tool}.` }),
      aSpan({
        ...{ ...place(tool === slowTool ? 9_000 : 5 + (step % 7)), name: `execute_tool ${tool}` },
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': tool ?? '',
          'gen_ai.tool.call.arguments': JSON.stringify({ stop: step + 1 }),
          'gen_ai.tool.call.result': JSON.stringify({ minutes: step % 90 }),
        },
      }),
    ];
  }).flat();
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner' };
  const agent = aSpan({ traceId, spanId: root, name: 'Plan 5,000 stops', startMs, durationMs: atMs - startMs, attributes });
  return { traceId, spans: [...spans, agent] };
}

/** A run as an SDK sends it while it goes on: its root and its tool have begun, and `ended` are the same spans when they have ended. */
export function aLiveRun(name: string) {
  const [traceId, root, tool, startMs] = [aTraceId(), aSpanId(), aSpanId(), Date.now() - 4_000];
  const spans = [
    aSpan({
      ...{ traceId, spanId: root, name, startMs, durationMs: 6_000 },
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'harbour-guide' },
    }),
    aSpan({
      ...{ traceId, parentSpanId: root, spanId: tool, name: 'execute_tool timetable', startMs: startMs + 1_500, durationMs: 3_000 },
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'timetable' },
    }),
  ];
  const ask = aChat({ traceId, parentSpanId: root, startMs: startMs + 100, ask: 'Which ferries run on Sunday?', reply: 'I look it up.' });
  return { traceId, begun: [ask, ...spans.map((span) => ({ ...span, endTimeUnixNano: '0' }))], ended: spans };
}
