/** Normalised values of a span, shown beside the raw span they were read from. */
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import { contentOf, summarise, wireMessages } from '../../../ingest/normalise/index.ts';
import type { SentSpan } from '../../../ingest/otlp/raw-span.ts';
import { mediaOf } from './span-media.ts';

type SpanValues = Pick<RawSpanReply, 'values' | 'tool_definitions' | 'output_messages'>;

export function spanValues(sent: SentSpan): SpanValues {
  const { usage, tags, graph, metadata: _shown, warnings: _told, ...summary } = summarise(sent);
  const all = { ...summary, ...usage, tags: tags.join(', '), graph: graph?.node_id ?? '' };
  const { tool_definitions, output_messages } = contentOf(sent);
  // Media bytes are replaced by the same references as in the payload.
  const answer = output_messages.length === 0 ? '' : wireMessages(output_messages);
  return {
    values: Object.fromEntries(Object.entries(all).filter(isKnown)),
    tool_definitions,
    output_messages: answer === '' ? '' : JSON.stringify(mediaOf(sent).all(JSON.parse(answer))),
  };
}

const isKnown = (entry: [string, unknown]): entry is [string, string | number | boolean] => entry[1] !== null && entry[1] !== '';
