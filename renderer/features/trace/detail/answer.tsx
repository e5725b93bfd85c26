import { type ReactNode, useMemo } from 'react';
import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { readJson } from '../../../model/text/read-json.ts';
import { type Card, conversation } from '../../../model/trace/conversation.ts';
import { readVerdict } from '../../../model/trace/guardrail.ts';
import { type Message, readMessages } from '../../../model/trace/messages.ts';
import { type Payload, readPayload, unwrapArgument } from '../../../model/trace/payload.ts';
import { Pill } from '../../../ui/primitives/pill.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { MessageCard } from './message-card.tsx';
import { PayloadView } from './payload-view.tsx';

interface AnswerProps {
  span: SpanInTrace;
  /** Output messages as JSON text, with parts that the plain texts lack; '' for none. */
  outputMessages: string;
  isTalk: boolean;
  /** Link to the span with the messages, when this one has none. */
  elsewhere: ReactNode;
}

/** Output of a span: text, structured data, reasoning and tool calls, each shown once. */
export function Answer({ span, outputMessages, isTalk, elsewhere }: AnswerProps) {
  const cards = useMemo(() => ordered(span, conversation(answerMessages(span, outputMessages))), [span, outputMessages]);
  const payloads = useMemo(() => (cards.some((card) => card.type === 'text') ? [] : otherOutput(span)), [span, cards]);
  const verdict = useMemo(
    () => (span.span_kind === 'guardrail' ? readVerdict(readJson(span.output_object || (span.output ?? ''))) : null),
    [span],
  );
  const isEmpty = cards.length === 0 && payloads.every(({ form }) => form === 'empty');
  if (isEmpty && !span.input)
    return (
      <Text size="body" tone="dim">
        This span has no input and no output. {elsewhere}
      </Text>
    );
  return (
    <>
      {isTalk && <Rule text={isEmpty ? emptyReason(span) : 'Response'} />}
      {verdict && (
        <div className="flex items-center gap-2">
          <Pill tone={verdict.isPassed ? 'ok' : 'err'}>{`Guardrail ${verdict.word}`}</Pill>
          <Text tone="quiet">{verdict.reason}</Text>
        </div>
      )}
      {cards.map((card) => (
        <MessageCard key={card.key} card={card} />
      ))}
      {payloads.map((payload) =>
        payload.form === 'messages' ? (
          conversation(payload.messages).map((card) => <MessageCard key={card.key} card={card} />)
        ) : (
          <PayloadView
            key={payload.form}
            payload={payload}
            title={isTalk ? 'assistant' : 'output'}
            text={span.output || (span.output_object ?? '')}
          />
        ),
      )}
    </>
  );
}

const emptyReason = ({ status }: SpanInTrace) =>
  status === 'ERROR' ? 'The call failed before it returned a response' : 'No response was recorded on this span';

const Rule = ({ text }: { text: string }) => (
  <div className="flex items-center gap-2 text-fg-3 text-label">
    <span className="flex-1 border-line-2 border-t border-dashed" />
    {text}
    <span className="flex-1 border-line-2 border-t border-dashed" />
  </div>
);

/** The final answer of an agent comes after its tool calls, whatever the order in the span. */
const ordered = ({ span_kind }: SpanInTrace, cards: Card[]) =>
  span_kind === 'agent' ? [...cards.filter(({ type }) => type === 'tool'), ...cards.filter(({ type }) => type !== 'tool')] : cards;

function answerMessages(span: SpanInTrace, outputMessages: string): Message[] {
  const messages = readMessages(outputMessages) ?? [];
  // A tool span that names its own call only repeats its input.
  if (span.span_kind === 'tool' || messages.some(({ parts }) => parts.some(({ type }) => type === 'tool-call'))) return messages;
  const calls = readMessages(`[{"role":"assistant","content":${span.tool_calls || '[]'}}]`) ?? [];
  return [...messages, ...calls];
}

/** Structured output is often recorded twice, as text and as an object: it is shown once, as an object. */
function otherOutput({ output, output_object, span_kind }: SpanInTrace): Payload[] {
  const read = (text: string | undefined) =>
    span_kind === 'tool' || span_kind === 'function' ? unwrapArgument(readPayload(text)) : readPayload(text);
  const text = read(output);
  const object = read(output_object);
  if (object.form === 'empty') return [text];
  return text.form === 'text' ? [text, object] : [object];
}
