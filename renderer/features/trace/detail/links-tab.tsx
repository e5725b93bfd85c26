import { Link } from '@tanstack/react-router';
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import { type SpanLink, spanLinks } from '../../../model/trace/span-events.ts';
import { Card } from '../../../ui/primitives/card.tsx';
import { CopyIcon } from '../../../ui/primitives/copy-button.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { AttributeList } from './attribute-list.tsx';
import { RawAnswer, type RawQuery } from './raw-answer.tsx';

interface LinksTabProps {
  raw: RawQuery;
  traceId: string;
  /** Selects the span with this id on the page; null when it is not in this trace. */
  onSpan: (spanId: string) => (() => void) | null;
}

export const LinksTab = ({ raw, ...rest }: LinksTabProps) => <RawAnswer raw={raw}>{(span) => <Links raw={span} {...rest} />}</RawAnswer>;

function Links({ raw, traceId, onSpan }: Omit<LinksTabProps, 'raw'> & { raw: RawSpanReply }) {
  const links = spanLinks(raw.span);
  if (links.length === 0)
    return (
      <Text size="body" tone="dim">
        This span has no links. Senders add them to point to spans of other traces that led to this one.
      </Text>
    );
  return links.map((link, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: links have no identity but their position
    <LinkCard key={`${i} ${link.span_id}`} link={link} select={link.trace_id === traceId ? onSpan(link.span_id) : null} />
  ));
}

function LinkCard({ link: { trace_id, span_id, attributes }, select }: { link: SpanLink; select: (() => void) | null }) {
  const className = 'min-w-0 truncate text-left font-mono text-accent hover:underline';
  return (
    <Card
      head={
        <>
          <span className="shrink-0">{select ? 'Span in this trace' : 'Span in another trace'}</span>
          {select ? (
            <button type="button" onClick={select} className={className}>
              {span_id}
            </button>
          ) : (
            <Link to="/traces/$traceId" params={{ traceId: trace_id }} search={{ span: span_id }} className={className}>
              {`${trace_id} / ${span_id}`}
            </Link>
          )}
        </>
      }
      actions={<CopyIcon text={() => `${trace_id} ${span_id}`} label="Copy IDs of the link" />}
    >
      {attributes.length > 0 ? <AttributeList list={attributes} /> : null}
    </Card>
  );
}
