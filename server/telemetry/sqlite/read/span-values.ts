/** Normalised values of a span, for display beside the raw span. */
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import { contentOf, summarise, wireMessages } from '../../../ingest/normalise/index.ts';
import type { SpanData } from '../../../ingest/otlp/raw-span.ts';
import { mediaOf } from './span-media.ts';

type SpanValues = Pick<RawSpanReply, 'values' | 'tool_definitions' | 'output_messages'>;

export function spanValues(sent: SpanData): SpanValues {
  const { usage, tags, graph, metadata: _metadata, warnings: _warnings, ...summary } = summarise(sent);
  const all = { ...summary, ...usage, tags: tags.join(', '), graph: graph?.node_id ?? '' };
  const { tool_definitions, output_messages } = contentOf(sent);
  // Media bytes are replaced by the same references as in the payload.
  const wire = output_messages.length === 0 ? '' : wireMessages(output_messages);
  return {
    values: Object.fromEntries(Object.entries(all).filter(isKnown)),
    tool_definitions,
    output_messages: wire === '' ? '' : JSON.stringify(mediaOf(sent).all(JSON.parse(wire))),
  };
}

const isKnown = (entry: [string, unknown]): entry is [string, string | number | boolean] => entry[1] !== null && entry[1] !== '';
