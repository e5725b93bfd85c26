/** A span with its payload, as a trace read shows it. */

import type { SpanInTrace } from '../../../../shared/contract/spans.ts';
import { contentOf } from '../../../ingest/normalise/index.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import type { SentSpan } from '../../../ingest/otlp/raw-span.ts';
import type { Reading } from './reader.ts';
import { shorten } from './shorten.ts';
import { mediaOf, payloadFields } from './span-media.ts';
import { type SpanRow, spanItemOf } from './span-wire.ts';

/** Longer payload fields are previews in a trace read and whole in a single-span read (contract 5.3). */
const inlineBytesMax = 8192;

export interface ReadSpan {
  wire: SpanInTrace;
  row: SpanRow;
  sent: SentSpan;
}

export function readSpanInTrace(row: SpanRow, { sentSpans, documents }: Reading): ReadSpan {
  const sent = withLogsAsEvents(sentSpans.read(row).sent);
  const content = contentOf(sent);
  const { status_message, service_name, ...item } = spanItemOf(row, documents);
  const wire: SpanInTrace = {
    ...item,
    props: content.props || null,
    finish_reason: row.finish_reason,
    settings: content.settings || null,
  };
  if (status_message !== '') wire.status_message = status_message;
  if (service_name !== '') wire.service_name = service_name;
  if (row.reasoning_tokens) wire.reasoning_tokens = row.reasoning_tokens;
  const truncated: string[] = [];
  const media = mediaOf(sent);
  for (const field of payloadFields) {
    if (content[field] === '') continue;
    // A structured output is its own object: shortened once.
    const isOutput = field === 'output_object' && content.output_object === content.output;
    const short = (isOutput ? wire.output : undefined) ?? shorten(content[field], inlineBytesMax, media);
    wire[field] = short;
    if (short !== content[field]) truncated.push(field);
  }
  if (truncated.length > 0) wire.truncated_fields = truncated;
  return { wire, row, sent };
}
