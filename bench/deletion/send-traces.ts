import type { HttpClient } from '../gateway/http-client.ts';
import type { MarkedTrace } from './marked-traces.ts';

const tracesPerRequest = 20;
const json = { 'content-type': 'application/json' };

/** Sends spans, log records and scores of traces, one request after another. */
export async function sendTraces(client: HttpClient, traces: readonly MarkedTrace[]): Promise<void> {
  for (let at = 0; at < traces.length; at += tracesPerRequest) {
    const some = traces.slice(at, at + tracesPerRequest);
    await post(client, '/v1/traces', { resourceSpans: some.flatMap(({ resourceSpans }) => resourceSpans) });
    await post(client, '/v1/scores/batch', { scores: some.flatMap(({ scores }) => scores) });
    const logRecords = some.flatMap(({ logs }) => logs);
    if (logRecords.length > 0)
      await post(client, '/v1/logs', { resourceLogs: [{ resource: {}, scopeLogs: [{ scope: { name: 'test' }, logRecords }] }] });
  }
}

async function post(client: HttpClient, path: string, body: object): Promise<void> {
  const { status, body: answer } = await client.send('POST', path, json, Buffer.from(JSON.stringify(body)));
  const text = answer.toString();
  if (status >= 300 || text.includes('rejected')) throw new Error(`POST ${path} answered ${status}: ${text.slice(0, 300)}`);
}
