/** Runs of an agent that refunds orders, for journeys that compare them. */
import type { TestGateway } from '../server/fixtures/test-gateway.ts';
import { aChat, aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';

interface Refund {
  minutesAgo: number;
  window: 'open' | 'closed';
  /** A photo is asked for, in a closed window after a first refusal: then the refund succeeds. */
  photo?: boolean;
  order?: string;
}

/** The refund is refused where the window is closed and there is no photo. @returns the id of the trace */
export async function ingestRefund(gateway: TestGateway, { minutesAgo, window, photo = false, order = '48213' }: Refund): Promise<string> {
  const [traceId, root, startMs] = [aTraceId(), aSpanId(), Date.now() - minutesAgo * 60_000];
  const isClosed = window === 'closed';
  const isRefused = isClosed && !photo;
  const refusal = { status: 'ERROR' as const, statusMessage: `The window for order ${order} is closed` };
  const failed = isRefused ? refusal : photo ? { status: 'OK' as const } : {};
  const tool = (name: string, at: number, args: object, result: object, status: object = {}) =>
    aSpan({
      ...{ traceId, parentSpanId: root, name: `execute_tool ${name}`, startMs: startMs + at, durationMs: 40, ...status },
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.call.arguments': JSON.stringify(args),
        'gen_ai.tool.call.result': JSON.stringify(result),
      },
    });
  await gateway.ingest(
    aRequest([
      aSpan({
        ...{ traceId, spanId: root, name: 'Refund for a kettle', startMs, durationMs: isRefused ? 900 : 500, ...failed },
        attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'refund-agent' },
      }),
      aChat({ traceId, parentSpanId: root, startMs: startMs + 10, ask: 'The lid of my kettle is cracked.', reply: 'I look it up.' }),
      tool('get_customer', 60, { name: 'Dana' }, { since: 2021 }),
      tool('lookup_order', 110, { order }, { order, window }),
      aChat({ traceId, parentSpanId: root, startMs: startMs + 160, ask: `The window is ${window}.`, reply: 'I refund it.' }),
      ...(photo && isClosed ? [tool('issue_refund', 190, { order, amount: 42.9 }, {}, refusal)] : []),
      ...(photo ? [tool('request_photo', 240, { order }, { photo: 'received' })] : []),
      tool('issue_refund', 290, { order, amount: 42.9 }, isRefused ? {} : { refunded: true }, isRefused ? refusal : {}),
    ]),
  );
  return traceId;
}
