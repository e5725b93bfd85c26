/** Sending to a gateway that is busy, and what no gateway accepts. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HistorySpan } from '../history/otlp-span.ts';
import { HistorySender } from './history-sender.ts';

const span = (spanId: string, text = ''): HistorySpan => ({
  ...{ traceId: 'a'.repeat(32), spanId, parentSpanId: '', name: 'chat', startMs: 1, endMs: 2, resource: {}, error: null },
  attributes: { 'session.id': 's', text },
});

let stop = () => {};
afterEach(() => stop());

/** @param statuses of its answers, in this order; then 200 */
async function answering(...statuses: number[]): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const status = statuses.shift() ?? 200;
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (status === 200) bodies.push(body);
    response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '1' });
    response.end(JSON.stringify(status === 200 ? {} : { error: { message: `answered ${status}` } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () => server.close();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

describe('the sender of history', () => {
  it('sends again what a busy gateway did not take', async () => {
    const { url, bodies } = await answering(503, 429);
    const sender = new HistorySender(url);
    await sender.add([span('b1'), span('b2')]);
    await sender.finish();
    expect(bodies.map((body) => JSON.parse(body).resourceSpans.length)).toEqual([2]);
    expect(sender.sent).toBe(2);
  });

  it('gives up with the words of the gateway when it refuses', async () => {
    const { url } = await answering(400);
    const sender = new HistorySender(url);
    await sender.add([span('b1')]);
    await expect(sender.finish()).rejects.toThrow('answered 400');
  });

  it('leaves out a span that is larger than a request may be, and splits what is not', async () => {
    const { url, bodies } = await answering();
    const sender = new HistorySender(url);
    const [large, tooLarge] = ['x'.repeat(1_500_000), 'é'.repeat(10_000_000)];
    await sender.add([span('b1', large), span('b2', tooLarge), span('b3', large)]);
    await sender.finish();
    expect([bodies.length, sender.sent, sender.tooLarge]).toEqual([2, 2, 1]);
  });
});
