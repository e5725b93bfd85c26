/** What a span was read as, beside the raw truth it was read from: the other half of "why this value". */
import type { RawSpanReply } from '../../../../shared/contract/raw-span.ts';
import { contentOf, summarise, wireMessages } from '../../../ingest/normalise/index.ts';
import type { SentSpan } from '../../../ingest/otlp/raw-span.ts';
import { mediaOf } from './span-media.ts';

type Understood = Pick<RawSpanReply, 'values' | 'tool_definitions' | 'output_messages'>;

export function understood(sent: SentSpan): Understood {
  const { usage, tags, graph, metadata: _shown, warnings: _told, ...summary } = summarise(sent);
  const all = { ...summary, ...usage, tags: tags.join(', '), graph: graph?.node_id ?? '' };
  const { tool_definitions, output_messages } = contentOf(sent);
  // Bytes are not repeated: the payload refers to them in the same words.
  const answer = output_messages.length === 0 ? '' : wireMessages(output_messages);
  return {
    values: Object.fromEntries(Object.entries(all).filter(isKnown)),
    tool_definitions,
    output_messages: answer === '' ? '' : JSON.stringify(mediaOf(sent).all(JSON.parse(answer))),
  };
}

const isKnown = (entry: [string, unknown]): entry is [string, string | number | boolean] => entry[1] !== null && entry[1] !== '';
