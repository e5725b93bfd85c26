import { lazy, Suspense, useMemo } from 'react';
import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { asFailure } from '../../../api/failure.ts';
import { plural } from '../../../model/text/format.ts';
import { conversation } from '../../../model/trace/conversation.ts';
import { readMessages } from '../../../model/trace/messages.ts';
import type { Call } from '../../../model/trace/setting-changes.ts';
import type { SpanNode } from '../../../model/trace/span-node.ts';
import { whatChanged } from '../../../model/trace/what-changed.ts';
import { Card } from '../../../ui/primitives/card.tsx';
import { FailedState } from '../../../ui/primitives/failed-state.tsx';
import { SkeletonCards } from '../../../ui/primitives/skeleton.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { MessageCard } from './message-card.tsx';
import { MediaSpan } from './message-media.tsx';
import { SettingChanges } from './setting-changes.tsx';
import { type Payloads, useLightRaw, usePayload } from './span-query.ts';

const WordDiff = lazy(() => import('../../../ui/viewers/word-diff-view.tsx').then((module) => ({ default: module.WordDiffView })));

interface ChangesTabProps {
  payloads: Payloads;
  before: SpanNode;
  onOpen: (spanId: string) => void;
}

/** What changed in the input since the previous call of the same agent. */
export function ChangesTab({ payloads, before, onOpen }: ChangesTabProps) {
  const old = usePayload(before.span.trace_id, before.span.id, true);
  const error = payloads.error ?? old.error;
  if (error)
    return (
      <FailedState failure={asFailure(error, 'The two calls could not be loaded')} onRetry={payloads.error ? payloads.retry : old.retry} />
    );
  if (!payloads.span || !old.span || payloads.truncated.length + old.truncated.length > 0)
    return <SkeletonCards label="Loading the two calls" />;
  return <Compared now={payloads.span} then={old.span} onOpen={onOpen} />;
}

interface ComparedProps {
  now: SpanInTrace;
  then: SpanInTrace;
  onOpen: (spanId: string) => void;
}

/** The call with the sources of its values, once they have loaded. */
function useCall(span: SpanInTrace): Call {
  const { data } = useLightRaw(span.trace_id, span.id, true);
  return useMemo(() => ({ span, raw: data?.value }), [span, data]);
}

function Compared({ now, then, onOpen }: ComparedProps) {
  const changes = useMemo(() => {
    const [after, before] = [readMessages(now.input ?? ''), readMessages(then.input ?? '')];
    return after && before ? whatChanged(before, after) : null;
  }, [now, then]);
  const [callNow, callThen] = [useCall(now), useCall(then)];
  const mediaSpan = useMemo(() => ({ traceId: now.trace_id, spanId: now.id }), [now]);
  const added = useMemo(() => conversation(changes?.added ?? []), [changes]);
  const removed = useMemo(() => conversation(changes?.removed ?? []), [changes]);
  if (!changes)
    return (
      <Text size="body" tone="dim">
        The two calls cannot be compared: one of them has no messages.
      </Text>
    );
  return (
    <MediaSpan value={mediaSpan}>
      <Text as="p" tone="quiet">
        {'Compared with the previous call, '}
        <button type="button" onClick={() => onOpen(then.id)} className="text-accent hover:underline">
          {then.name || 'unnamed'}
        </button>
        {`: ${summary(changes)}.`}
      </Text>
      <SettingChanges now={callNow} then={callThen} />
      {changes.edited.map((edit, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: edits have no identity but their position
        <Card key={i} head={`${edit.role}, edited`}>
          <Suspense fallback={null}>
            <WordDiff before={edit.before} after={edit.after} />
          </Suspense>
        </Card>
      ))}
      <Group title="Added" cards={added} />
      <Group title="Removed" cards={removed} />
    </MediaSpan>
  );
}

function summary({ same, edited, added, removed }: ReturnType<typeof whatChanged>): string {
  const parts = [
    same > 0 ? `the first ${plural(same, 'message')} unchanged` : 'no unchanged messages at the start',
    edited.length > 0 ? `${edited.length} edited` : '',
    added.length > 0 ? `${added.length} added` : '',
    removed.length > 0 ? `${removed.length} removed` : '',
  ].filter(Boolean);
  return parts.join(', ');
}

function Group({ title, cards }: { title: string; cards: ReturnType<typeof conversation> }) {
  if (cards.length === 0) return null;
  return (
    <>
      <Text as="h3" size="label" tone="dim">
        {title}
      </Text>
      {cards.map((card) => (
        <MessageCard key={card.key} card={card} />
      ))}
    </>
  );
}
