import { useMemo, useState } from 'react';
import type { SpanInTrace } from '../../../shared/contract/spans.ts';
import { asFailure } from '../../api/failure.ts';
import { conversation, foldEarlier } from '../../model/conversation.ts';
import { plural } from '../../model/format.ts';
import { readMessages } from '../../model/messages.ts';
import { type Payload, readPayload, unwrapped } from '../../model/payload.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyIcon } from '../../ui/copy-button.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { FoldLine, LongText } from '../../ui/long-text.tsx';
import { Text } from '../../ui/text.tsx';
import { MessageCard } from './message-card.tsx';
import { useWholeSpan } from './trace-query.ts';

const isTalk = ({ span_kind }: SpanInTrace) => span_kind === 'llm' || span_kind === 'agent';

/** What went into the span and what came out, as far as it can be read as a conversation. */
export function MessagesTab({ span, isRested }: { span: SpanInTrace; isRested: boolean }) {
  const { whole, cut, error, retry } = useWholeSpan(span, isRested);
  const input = useMemo(() => (isTalk(whole) ? readPayload(whole.input) : unwrapped(readPayload(whole.input))), [whole]);
  const output = useMemo(() => readOutput(whole), [whole]);
  const calls = useMemo(() => readMessages(`[{"role":"assistant","content":${whole.tool_calls || '[]'}}]`) ?? [], [whole.tool_calls]);
  // A tool span that names its own call says nothing that its input does not.
  const called = whole.span_kind === 'tool' ? [] : conversation(calls);
  const isSilent = output.every((each) => each.form === 'empty') && called.length === 0;
  const isEmpty = input.form === 'empty' && isSilent;
  return (
    <>
      {cut.length > 0 && <CutNotice fields={cut} error={error} onRetry={retry} />}
      {isEmpty && (
        <Text size="body" tone="dim">
          This span carries no input and no output. Its attributes and events may say more.
        </Text>
      )}
      <PayloadView payload={input} title="input" text={whole.input ?? ''} />
      {!isEmpty && isTalk(whole) && <Answer isMissing={isSilent} />}
      {output.map((payload) => (
        <PayloadView
          key={payload.form}
          payload={payload}
          title={isTalk(whole) ? 'assistant' : 'output'}
          text={whole.output || (whole.output_object ?? '')}
        />
      ))}
      {called.map((card) => (
        <MessageCard key={card.key} card={card} />
      ))}
    </>
  );
}

const Answer = ({ isMissing }: { isMissing: boolean }) => (
  <div className="flex items-center gap-2 text-fg-3 text-label">
    <span className="flex-1 border-line-2 border-t border-dashed" />
    {isMissing ? 'no answer was sent with this span' : 'answer'}
    <span className="flex-1 border-line-2 border-t border-dashed" />
  </div>
);

/** Structured output is often the same text twice: then it is shown once, as structure. */
function readOutput({ output, output_object }: SpanInTrace): Payload[] {
  const text = readPayload(output);
  const object = readPayload(output_object);
  if (object.form === 'empty') return [text];
  return text.form === 'text' ? [text, object] : [object];
}

function CutNotice({ fields, error, onRetry }: { fields: string[]; error: unknown; onRetry: () => void }) {
  const failure = error ? asFailure(error, 'The whole text could not be loaded') : null;
  return (
    <div role="status" className="flex items-center gap-2 text-label">
      <Text size="label" tone={failure ? 'err' : 'dim'}>
        {failure
          ? `${failure.what}: ${failure.why} What follows is its beginning.`
          : `Showing the beginning of ${fields.join(' and ')}, loading the whole…`}
      </Text>
      {failure && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

function PayloadView({ payload, title, text }: { payload: Payload; title: string; text: string }) {
  if (payload.form === 'empty') return null;
  if (payload.form === 'messages') return <Conversation payload={payload} />;
  return (
    <Card head={title} actions={<CopyIcon text={() => text} label={`Copy ${title}`} />}>
      {payload.form === 'json' ? <JsonView value={payload.value} open={3} /> : <LongText text={payload.text} />}
    </Card>
  );
}

function Conversation({ payload }: { payload: Extract<Payload, { form: 'messages' }> }) {
  const [isWhole, setWhole] = useState(false);
  const cards = useMemo(() => conversation(payload.messages), [payload]);
  const { head, hidden, tail } = foldEarlier(cards);
  if (isWhole) return cards.map((card) => <MessageCard key={card.key} card={card} />);
  return (
    <>
      {head.map((card) => (
        <MessageCard key={card.key} card={card} />
      ))}
      {hidden.length > 0 && <FoldLine onClick={() => setWhole(true)}>{`${plural(hidden.length, 'earlier message')} — show`}</FoldLine>}
      {tail.map((card) => (
        <MessageCard key={card.key} card={card} />
      ))}
    </>
  );
}
