import { Link } from '@tanstack/react-router';
import type { RawSpanReply } from '../../../shared/contract/raw-span.ts';
import { duration } from '../../model/format.ts';
import { type SpanEvent, type SpanLink, spanEvents, spanLinks } from '../../model/span-events.ts';
import { Card } from '../../ui/card.tsx';
import { Text } from '../../ui/text.tsx';
import { AttributeList } from './attribute-list.tsx';
import { RawAnswer, type RawQuery } from './raw-answer.tsx';
import { ExceptionCard } from './span-failure.tsx';

export const EventsTab = ({ raw }: { raw: RawQuery }) => <RawAnswer raw={raw}>{(span) => <Events raw={span} />}</RawAnswer>;

function Events({ raw }: { raw: RawSpanReply }) {
  const events = spanEvents(raw.span);
  const links = spanLinks(raw.span);
  return (
    <>
      {events.length === 0 && links.length === 0 && (
        <Text size="body" tone="dim">
          This span has no events and no links.
        </Text>
      )}
      {events.map((event, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events have no identity but their place
        <EventCard key={`${i} ${event.name}`} event={event} />
      ))}
      {links.map((link, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: links have no identity but their place
        <LinkCard key={`${i} ${link.span_id}`} link={link} />
      ))}
    </>
  );
}

function EventCard({ event: { name, after, attributes, exception } }: { event: SpanEvent }) {
  const at = after === null ? '' : `at ${duration(after)}`;
  if (exception) {
    const rest = attributes.filter(({ key }) => !['exception.type', 'exception.message', 'exception.stacktrace'].includes(key));
    return (
      <>
        <ExceptionCard exception={exception} after={at} />
        {rest.length > 0 && <AttributeList list={rest} />}
      </>
    );
  }
  return (
    <Card
      head={
        <>
          <span className="truncate">{name || 'event'}</span>
          <Text size="label" tone="dim">
            {at}
          </Text>
        </>
      }
    >
      {attributes.length > 0 ? <AttributeList list={attributes} /> : null}
    </Card>
  );
}

const LinkCard = ({ link: { trace_id, span_id, attributes } }: { link: SpanLink }) => (
  <Card
    head={
      <>
        <span>link</span>
        <Link to="/traces/$traceId" params={{ traceId: trace_id }} search={{ span: span_id }} className="truncate font-mono text-accent">
          {`${trace_id} / ${span_id}`}
        </Link>
      </>
    }
  >
    {attributes.length > 0 ? <AttributeList list={attributes} /> : null}
  </Card>
);
