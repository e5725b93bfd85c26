import { ArrowLeft } from 'lucide-react';
import { useMemo } from 'react';
import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { type Commented, useComments } from '../../../api/comments.ts';
import { useServed } from '../../../api/served.ts';
import { count } from '../../../model/text/format.ts';
import { spanEvents, spanLinks } from '../../../model/trace/span-events.ts';
import type { SpanNode } from '../../../model/trace/span-node.ts';
import { IconButton } from '../../../ui/primitives/button.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { KindIcon } from '../../../ui/primitives/kind-icon.tsx';
import { useSettled } from '../../../ui/primitives/settled-value.ts';
import { type Tab, Tabs } from '../../../ui/primitives/tabs.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { SpanActions } from '../header/span-actions.tsx';
import { SpanCopyMenu } from '../header/span-copy-menu.tsx';
import { SpanPills } from '../index/span-pills.tsx';
import type { LoadedTrace } from '../page/trace-query.ts';
import type { SpanTab } from '../page/url.ts';
import { AttributesTab } from './attributes-tab.tsx';
import { ChangesTab } from './changes-tab.tsx';
import { CommentsTab } from './comments-tab.tsx';
import { EventsTab } from './events-tab.tsx';
import { Inside } from './inside.tsx';
import { LinksTab } from './links-tab.tsx';
import { MessagesTab } from './messages-tab.tsx';
import { MetadataTab } from './metadata-tab.tsx';
import { RawTab } from './raw-tab.tsx';
import { previousCall, spanWithMessages } from './related-spans.ts';
import { ScoresTab } from './scores-tab.tsx';
import { SeenFailure } from './seen-failure.tsx';
import { SpanFailure } from './span-failure.tsx';
import { useLightRaw, usePayload, useScores } from './span-query.ts';
import { ToolLinksOf } from './tool-links.tsx';

interface SpanDetailProps {
  node: SpanNode;
  loaded: LoadedTrace;
  tab: SpanTab;
  /** The comment that a link leads to. */
  comment: string | undefined;
  onTab: (tab: SpanTab) => void;
  onReveal: (node: SpanNode) => void;
  /** Used in a narrow window, where the detail covers the index. */
  onClose: () => void;
}

/** Details of one span. Moving past a span with a held key sends no request. */
export function SpanDetail({ node, loaded, tab: requestedTab, comment, onTab, onReveal, onClose }: SpanDetailProps) {
  const { trace_id: traceId, id: spanId, span_kind } = node.span;
  const isSettled = useSettled(spanId) !== undefined;
  const payloads = usePayload(traceId, spanId, isSettled);
  const raw = useLightRaw(traceId, spanId, isSettled);
  const scores = useScores(traceId, spanId, isSettled).data ?? [];
  const hasComments = useServed()('comments');
  const commented = commentedOf(node);
  const comments = useComments(commented, isSettled && hasComments).data ?? [];
  const before = useMemo(() => previousCall(node), [node]);
  const span = payloads.span ?? node.span;
  const received = raw.data?.value;
  const events = useMemo(() => (received ? spanEvents(received.span) : []), [received]);
  const exceptions = events.flatMap((event) => event.exception ?? []);
  const isAvailable = (requestedTab !== 'changes' || Boolean(before)) && (requestedTab !== 'comments' || hasComments);
  const tab = isAvailable ? requestedTab : 'messages';
  const open = (id: string) => {
    const found = node.tree.find(id);
    if (found) onReveal(found);
  };
  const tabs: Tab<SpanTab>[] = [
    { id: 'messages', label: span_kind === 'llm' ? 'Messages' : 'Input and output' },
    ...(before ? [{ id: 'changes' as const, label: 'Changes' }] : []),
    { id: 'attributes', label: 'Attributes' },
    { id: 'events', label: 'Events', badge: events.length, isAlarming: exceptions.length > 0 },
    { id: 'links', label: 'Links', badge: received ? spanLinks(received.span).length : 0 },
    { id: 'scores', label: 'Scores', badge: scores.length },
    ...(hasComments ? [{ id: 'comments' as const, label: 'Comments', badge: comments.length }] : []),
    { id: 'metadata', label: 'Metadata' },
    { id: 'raw', label: 'Raw' },
  ];
  return (
    <>
      <header className="grid shrink-0 grid-cols-1 gap-1.5 px-4 pt-2 pb-1.5">
        <Title node={node} loaded={loaded} onClose={onClose} />
        <SpanPills node={node} span={payloads.span} raw={received} scores={scores} loaded={loaded} onReveal={onReveal} />
      </header>
      <Tabs label="Span views" tabs={tabs} active={tab} onChange={onTab}>
        <ToolLinksOf node={node} isEnabled={isSettled && (tab === 'messages' || tab === 'changes')} onOpen={open}>
          {/* Keyed by span, so that another span starts scrolled to the top and with its own expanded parts. */}
          <div key={spanId} className="grid gap-2.5 px-4 pt-3 pb-10">
            <SpanFailure span={span} exceptions={exceptions} tab={tab} />
            {tab === 'messages' && <SeenFailure node={node} isEnabled={isSettled} />}
            {tab === 'messages' && (
              <MessagesTab
                payloads={payloads}
                raw={raw.isError ? undefined : (received ?? null)}
                traceId={traceId}
                spanId={spanId}
                elsewhere={<MessagesLink node={node} onReveal={onReveal} />}
              />
            )}
            {tab === 'messages' && node.below > 0 && (
              <Inside node={node} isEmpty={isEmptySpan(payloads.span)} isEnabled={isSettled} onReveal={onReveal} />
            )}
            {tab === 'changes' && before && <ChangesTab payloads={payloads} before={before} onOpen={open} />}
            {tab === 'attributes' && <AttributesTab raw={raw} traceId={traceId} spanId={spanId} metadata={span.metadata} />}
            {tab === 'events' && <EventsTab raw={raw} />}
            {tab === 'links' && <LinksTab raw={raw} traceId={traceId} onSpan={(id) => (node.tree.find(id) ? () => open(id) : null)} />}
            {tab === 'scores' && <ScoresTab traceId={traceId} spanId={spanId} />}
            {tab === 'comments' && <CommentsTab key={spanId} resources={commented} marked={comment} />}
            {tab === 'metadata' && <MetadataTab span={payloads.span} trace={loaded.trace} />}
            {tab === 'raw' && <RawTab raw={raw} traceId={traceId} spanId={spanId} />}
          </div>
        </ToolLinksOf>
      </Tabs>
    </>
  );
}

/** The comments of a trace are shown with those of its first span. */
function commentedOf({ span, parent }: SpanNode): [Commented, ...Commented[]] {
  const ofSpan = { resource_type: 'span', resource_id: span.id } as const;
  return parent === null ? [ofSpan, { resource_type: 'trace', resource_id: span.trace_id }] : [ofSpan];
}

/** Known once its payload has loaded. */
const isEmptySpan = (span: SpanInTrace | undefined) =>
  span !== undefined && !span.input && !span.output && !span.output_object && !span.damaged;

function Title({ node, loaded, onClose }: Pick<SpanDetailProps, 'node' | 'loaded' | 'onClose'>) {
  const { span } = node;
  const call = loaded.calls.nth[node.order] ?? 0;
  return (
    <div className="flex min-w-0 items-center gap-2">
      <span className="split:hidden">
        <IconButton label="Back to spans" onClick={onClose}>
          <Icon of={ArrowLeft} />
        </IconButton>
      </span>
      <KindIcon kind={span.span_kind} />
      <Text as="h2" size="section" strong cut title={span.name}>
        {span.name || 'unnamed'}
      </Text>
      {call > 0 && (
        <Text mono tone="dim" className="shrink-0">
          {`Model call ${count(call)} of ${count(loaded.calls.count)}`}
        </Text>
      )}
      <span className="ml-auto flex shrink-0 gap-2">
        <SpanActions node={node} />
        <SpanCopyMenu node={node} />
      </span>
    </div>
  );
}

function MessagesLink({ node, onReveal }: Pick<SpanDetailProps, 'node' | 'onReveal'>) {
  const found = spanWithMessages(node);
  if (!found) return 'Its attributes and events may have more.';
  return (
    <button type="button" onClick={() => onReveal(found.node)} className="text-accent hover:underline">
      {found.isBelow ? 'Go to the first model call below it.' : `Go to ${found.node.span.name || 'the span'} above it.`}
    </button>
  );
}
