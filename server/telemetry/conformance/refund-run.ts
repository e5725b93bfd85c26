import { aChat, aSpan, aSpanId } from '../../../shared/fixtures/otlp.ts';

export interface RefundOptions {
  traceId: string;
  /** Of the agent. */
  name?: string;
  startMs: number;
  order?: string;
  window?: string;
  decision?: string;
  temperature?: number;
  attempts?: number;
  /** Message with which the refund and the run fail. */
  failure?: string;
  /** Of the run, if it is not that of the refund. */
  status?: 'OK';
  /** Whether a photo is asked for before the refund. */
  photo?: boolean;
}

/** An agent that looks an order up, decides, and refunds it. */
export function aRefund({
  traceId,
  name: agent = 'refund-agent',
  startMs,
  order = '48213',
  window = 'open',
  decision = 'Refund it.',
  temperature = 0,
  attempts = 1,
  failure,
  status,
  photo = false,
}: RefundOptions): object[] {
  const root = aSpanId();
  const tool = (name: string, at: number, args: object, result: object) => ({
    ...{ traceId, parentSpanId: root, name: `execute_tool ${name}`, startMs: startMs + at, durationMs: 5 },
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': `call_${aSpanId()}`,
      'gen_ai.tool.call.arguments': JSON.stringify(args),
      'gen_ai.tool.call.result': JSON.stringify(result),
    },
  });
  const failed = (statusMessage: string | undefined) => (statusMessage === undefined ? {} : { status: 'ERROR' as const, statusMessage });
  return [
    aSpan({
      ...{ traceId, spanId: root, name: `invoke_agent ${agent}`, startMs, durationMs: 500, ...(status ? { status } : failed(failure)) },
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agent },
    }),
    aChat({ traceId, parentSpanId: root, startMs: startMs + 10, ask: `A cracked lid, order ${order}`, reply: 'I look it up.' }),
    aSpan(tool('lookup_order', 20, { order }, { order, window })),
    aChat({
      ...{ traceId, parentSpanId: root, startMs: startMs + 30, ask: `The order is ${window}`, reply: decision },
      attributes: { 'gen_ai.request.temperature': temperature },
    }),
    ...(photo ? [aSpan(tool('request_photo', 35, {}, { photo: 'received' }))] : []),
    ...Array.from({ length: attempts }, (_, at) =>
      aSpan({ ...tool('issue_refund', 40 + at * 10, { order }, {}), ...failed(at < attempts - 1 ? '503' : failure) }),
    ),
  ];
}
