import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import type { Exception } from '../../../model/trace/span-events.ts';
import { Card } from '../../../ui/primitives/card.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { LongText } from '../../../ui/viewers/long-text.tsx';
import type { SpanTab } from '../page/url.ts';
import { ExceptionCard } from './exception-card.tsx';

interface SpanFailureProps {
  span: SpanInTrace;
  exceptions: readonly Exception[];
  tab: SpanTab;
}

/** Error of a span, shown once. */
export function SpanFailure({ span, exceptions, tab }: SpanFailureProps) {
  if (span.status !== 'ERROR') return null;
  const message = span.status_message ?? '';
  const isRepeated = exceptions.some((exception) => exception.message === message);
  return (
    <>
      {!(isRepeated && (tab === 'messages' || tab === 'events')) && (
        <Card
          edge="err"
          head={
            <Text size="label" tone="err">
              Failed
            </Text>
          }
        >
          {message ? (
            <LongText text={message} mono />
          ) : (
            <Text tone="dim">The sender gave no reason{exceptions.length > 0 ? ' in the status; see the exception' : ''}.</Text>
          )}
        </Card>
      )}
      {tab === 'messages' &&
        exceptions.map((exception, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: exceptions have no identity but their position
          <ExceptionCard key={`${i} ${exception.type}`} exception={exception} />
        ))}
    </>
  );
}
