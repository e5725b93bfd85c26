import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import { duration } from '../../../model/text/format.ts';
import { type SpanEvent, spanEvents } from '../../../model/trace/span-events.ts';
import { Card } from '../../../ui/primitives/card.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { AttributeList } from './attribute-list.tsx';
import { ExceptionCard } from './exception-card.tsx';
import { RawAnswer, type RawQuery } from './raw-answer.tsx';

export const EventsTab = ({ raw }: { raw: RawQuery }) => <RawAnswer raw={raw}>{(span) => <Events raw={span} />}</RawAnswer>;

const exceptionKeys = ['exception.type', 'exception.message', 'exception.stacktrace'];

function Events({ raw }: { raw: RawSpanReply }) {
  const events = spanEvents(raw.span);
  if (events.length === 0)
    return (
      <Text size="body" tone="dim">
        This span has no events. Exceptions, log records and streamed messages appear here when the sender adds them.
      </Text>
    );
  return events.map((event, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: events have no identity but their position
    <EventCard key={`${i} ${event.name}`} event={event} />
  ));
}

function EventCard({ event: { name, after, attributes, exception } }: { event: SpanEvent }) {
  const at = after === null ? '' : `at ${duration(after)}`;
  if (exception) {
    const rest = attributes.filter(({ key }) => !exceptionKeys.includes(key));
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
          <Text size="label" tone="dim" className="num shrink-0 font-normal">
            {at}
          </Text>
        </>
      }
    >
      {attributes.length > 0 ? <AttributeList list={attributes} /> : null}
    </Card>
  );
}
