import { type ReactNode, useMemo, useState } from 'react';
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { asFailure } from '../../../api/failure.ts';
import { ioPath } from '../../../api/span-io.ts';
import { bytes, plural } from '../../../model/text/format.ts';
import { conversation, foldEarlier } from '../../../model/trace/conversation.ts';
import type { Message } from '../../../model/trace/messages.ts';
import { type Payload, readPayload, unwrapArgument } from '../../../model/trace/payload.ts';
import { Button } from '../../../ui/primitives/button.tsx';
import { SkeletonCards } from '../../../ui/primitives/skeleton.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { FoldLine } from '../../../ui/viewers/long-text.tsx';
import { Answer } from './answer.tsx';
import { CallSettings } from './call-settings.tsx';
import { LargeValue } from './large-value.tsx';
import { MessageCard } from './message-card.tsx';
import { MediaSpan } from './message-media.tsx';
import { OfferedTools } from './offered-tools.tsx';
import { PayloadView } from './payload-view.tsx';
import type { Payloads, TooLarge } from './span-query.ts';

const isTalk = ({ span_kind }: SpanInTrace) => span_kind === 'llm' || span_kind === 'agent';

interface MessagesTabProps {
  payloads: Payloads;
  /** Null while loading, undefined when it could not be loaded. */
  raw: RawSpanReply | null | undefined;
  traceId: string;
  spanId: string;
  /** Link to the span with the messages, when this one has none. */
  elsewhere: ReactNode;
}

/** Input and output of the span as a conversation. */
export function MessagesTab({ payloads, raw, traceId, spanId, elsewhere }: MessagesTabProps) {
  const { span, truncated, tooLarge, error, retry } = payloads;
  const mediaSpan = useMemo(() => ({ traceId, spanId }), [traceId, spanId]);
  if (!span || raw === null)
    return error ? <Notice error={error} text="" onRetry={retry} /> : <SkeletonCards label="Loading the messages" />;
  if (span.damaged)
    return <Text tone="err">The stored content of this span cannot be read: it is damaged, or its storage does not answer now.</Text>;
  const isTruncated = truncated.length > 0;
  return (
    <MediaSpan value={mediaSpan}>
      {(isTruncated || error) && (
        <Notice error={error} text={`Showing the beginning of ${truncated.join(' and ')}, loading the rest…`} onRetry={retry} />
      )}
      <CallSettings span={span} raw={raw} />
      <OfferedTools definitions={raw?.tool_definitions ?? ''} />
      <InputView span={span} />
      <Answer span={span} outputMessages={raw?.output_messages ?? ''} isTalk={isTalk(span)} elsewhere={elsewhere} />
      {tooLarge.map((payload) => (
        <LargePayload key={payload.field} {...payload} path={ioPath(traceId, spanId)} />
      ))}
    </MediaSpan>
  );
}

function InputView({ span }: { span: SpanInTrace }) {
  const input = useMemo((): Payload => (isTalk(span) ? readPayload(span.input) : unwrapArgument(readPayload(span.input))), [span]);
  if (input.form === 'messages') return <Conversation messages={input.messages} />;
  return <PayloadView payload={input} title="input" text={span.input ?? ''} />;
}

/** A long conversation is collapsed to its first and its latest messages. */
function Conversation({ messages }: { messages: readonly Message[] }) {
  const [isExpanded, setExpanded] = useState(false);
  const cards = useMemo(() => conversation(messages), [messages]);
  const { head, hidden, tail } = foldEarlier(cards);
  if (isExpanded || hidden.length === 0) return cards.map((card) => <MessageCard key={card.key} card={card} />);
  return (
    <>
      {head.map((card) => (
        <MessageCard key={card.key} card={card} />
      ))}
      <FoldLine onClick={() => setExpanded(true)}>{`${plural(hidden.length, 'earlier message')} — show`}</FoldLine>
      {tail.map((card) => (
        <MessageCard key={card.key} card={card} />
      ))}
    </>
  );
}

/** Opens a field that is too large to be shown as messages in full. */
function LargePayload({ field, size, path }: TooLarge & { path: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="grid gap-1.5">
      <div className="flex items-center gap-2">
        <Text tone="warm">{`Only the beginning and the end of ${field} are shown; its size is ${bytes(size)}.`}</Text>
        <Button pressed={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Show all'}
        </Button>
      </div>
      {isOpen && <LargeValue label={`Full ${field}`} path={path} pick={[field]} size={size} />}
    </section>
  );
}

function Notice({ text, error, onRetry }: { text: string; error: unknown; onRetry: () => void }) {
  const failure = error ? asFailure(error, 'The full text could not be loaded') : null;
  return (
    <div role="status" className={`flex items-center gap-2 text-label ${failure ? '' : 'after-a-moment'}`}>
      <Text size="label" tone={failure ? 'err' : 'dim'}>
        {failure ? `${failure.what}: ${failure.why} ${text ? 'Only the beginning is shown.' : failure.next}` : text}
      </Text>
      {failure && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
