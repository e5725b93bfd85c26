/** The spans of recorded exports with their log records, as the store returns them. Uses the decoders of the server. */
import { decodeJson } from '../../server/ingest/otlp/decode-json.ts';
import { decodeLogsJson } from '../../server/ingest/otlp/decode-logs-json.ts';
import { decodeLogsProtobuf } from '../../server/ingest/otlp/decode-logs-protobuf.ts';
import { decodeProtobuf } from '../../server/ingest/otlp/decode-protobuf.ts';
import { inflate } from '../../server/ingest/otlp/inflate.ts';
import type { RawLog, SpanData } from '../../server/ingest/otlp/raw-span.ts';
import { type CapturedRequest, readCaptures } from '../corpus/captures.ts';

export interface CorpusSpan {
  capture: string;
  sent: SpanData;
}

const header = ({ headers }: CapturedRequest, name: string): string =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? '';

export function corpusSpans(dir: string): CorpusSpan[] {
  return readCaptures(dir).flatMap(({ name, requests }) => {
    const spans: SpanData[] = [];
    const logs = new Map<string, RawLog[]>();
    for (const request of requests) {
      if (request.signal !== 'otlp-traces' && request.signal !== 'otlp-logs') continue;
      const body = header(request, 'content-encoding') === 'gzip' ? inflate(request.body) : request.body;
      const isJson = header(request, 'content-type').includes('json');
      if (request.signal === 'otlp-traces') {
        for (const { warnings: _, ...sent } of (isJson ? decodeJson(body) : decodeProtobuf(body)).spans) spans.push(sent);
        continue;
      }
      for (const { log } of (isJson ? decodeLogsJson(body) : decodeLogsProtobuf(body)).logs) {
        const key = `${log.trace_id} ${log.span_id}`;
        logs.set(key, [...(logs.get(key) ?? []), log]);
      }
    }
    return spans.map((sent) => {
      const own = logs.get(`${sent.span.trace_id} ${sent.span.span_id}`);
      return { capture: name, sent: own ? { ...sent, logs: own } : sent };
    });
  });
}
