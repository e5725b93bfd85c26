import type { SpanInTrace } from '../../../shared/contract/spans.ts';
import type { Exception } from '../../model/span-events.ts';
import { Card } from '../../ui/card.tsx';
import { CopyIcon } from '../../ui/copy-button.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { Text } from '../../ui/text.tsx';
import type { SpanTab } from './url.ts';

interface SpanFailureProps {
  span: SpanInTrace;
  exceptions: readonly Exception[];
  tab: SpanTab;
}

/** Why a span failed stands above everything else, whichever tab is open, and nowhere twice. */
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

export function ExceptionCard({ exception: { type, message, stack }, after }: { exception: Exception; after?: string }) {
  return (
    <Card
      edge="err"
      head={
        <>
          <Text size="label" tone="err">
            {type || 'exception'}
          </Text>
          {after && (
            <Text size="label" tone="dim">
              {after}
            </Text>
          )}
        </>
      }
      actions={<CopyIcon text={() => [type, message, stack].filter(Boolean).join('\n')} label="Copy exception" />}
    >
      {message && <LongText text={message} mono />}
      {stack && (
        <div className="mt-2 overflow-x-auto border-line border-t pt-2">
          <LongText text={stack} mono dim />
        </div>
      )}
    </Card>
  );
}
