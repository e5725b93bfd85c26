/** A span with its payload, as a trace read returns it. */

import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { contentOf } from '../../../ingest/normalise/index.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import type { SpanData } from '../../../ingest/otlp/raw-span.ts';
import type { SpanPayload } from './payload-cache.ts';
import type { ReadContext } from './read-context.ts';
import { shorten } from './shorten.ts';
import { mediaOf, payloadFields } from './span-media.ts';
import { type SpanRow, spanItemOf } from './span-wire.ts';

/** Longer payload fields are previews in a trace read and complete in a single-span read (docs/reference/ingest.md#out-of-line-payloads). */
const inlineBytesMax = 8192;

export interface ReadSpan {
  row: SpanRow;
  /**
   * Raw span with its log records as events. Like `wire`, it reads again at each call, so that the payloads of a trace are never all in memory.
   */
  sent(): SpanData;
  wire(): SpanInTrace;
}

/** A span with damaged content consists of its row, marked as damaged. */
export function readSpanInTrace(row: SpanRow, { sentSpans, documents, payloads, limit, damageReporter }: ReadContext): ReadSpan {
  const sent = () => {
    limit.check();
    return withLogsAsEvents(sentSpans.read(row).sent);
  };
  const payload = () => damageReporter.read('span', row.id, () => payloads.of(row, () => payloadOf(sent()))) ?? unreadable;
  const wire = () => {
    limit.check();
    const { status_message, service_name, ...item } = spanItemOf(row, documents);
    const span: SpanInTrace = { ...item, finish_reason: row.finish_reason, ...payload() };
    if (status_message !== '') span.status_message = status_message;
    if (service_name !== '') span.service_name = service_name;
    if (row.reasoning_tokens) span.reasoning_tokens = row.reasoning_tokens;
    return span;
  };
  return { row, sent, wire };
}

const unreadable = { props: null, settings: null, damaged: true as const };

function payloadOf(sent: SpanData): SpanPayload {
  const content = contentOf(sent);
  const payload: SpanPayload = { props: content.props || null, settings: content.settings || null };
  const truncated: string[] = [];
  const media = mediaOf(sent);
  for (const field of payloadFields) {
    if (content[field] === '') continue;
    // A structured output is also its own object, and is shortened once.
    const isOutput = field === 'output_object' && content.output_object === content.output;
    const short = (isOutput ? payload.output : undefined) ?? shorten(content[field], inlineBytesMax, media);
    payload[field] = short;
    if (short !== content[field]) truncated.push(field);
  }
  if (truncated.length > 0) payload.truncated_fields = truncated;
  return payload;
}
