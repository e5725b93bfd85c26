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

/** Error of a span, above the tabs, shown once. */
export function SpanFailure({ span, exceptions, tab }: SpanFailureProps) {
  if (span.status !== 'ERROR') return null;
  const message = span.status_message ?? '';
  const said = exceptions.some((each) => each.message === message);
  return (
    <>
      {!(said && (tab === 'messages' || tab === 'events')) && (
        <Card
          edge="err"
          head={
            <Text size="label" tone="err">
              failed
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
        exceptions.map((each, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: exceptions have no identity but their place
          <ExceptionCard key={`${i} ${each.type}`} exception={each} />
        ))}
    </>
  );
}
