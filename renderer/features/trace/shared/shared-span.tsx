import { ArrowLeft } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SharedSpan as WholeSpan } from '../../../../shared/contract/tracing/shared-trace.ts';
import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { asFailure } from '../../../api/failure.ts';
import { attributes } from '../../../model/trace/otlp-value.ts';
import type { SpanNode } from '../../../model/trace/span-node.ts';
import { IconButton } from '../../../ui/primitives/button.tsx';
import { FailedState } from '../../../ui/primitives/failed-state.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';
import { KindIcon } from '../../../ui/primitives/kind-icon.tsx';
import { useSettled } from '../../../ui/primitives/settled-value.ts';
import { SkeletonCards } from '../../../ui/primitives/skeleton.tsx';
import { Tabs } from '../../../ui/primitives/tabs.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { AttributeList } from '../detail/attribute-list.tsx';
import { WithoutMedia } from '../detail/message-media.tsx';
import { MessagesTab } from '../detail/messages-tab.tsx';
import { type SharedLink, useSharedPreview, useSharedSpan } from './shared-query.ts';

type Tab = 'messages' | 'attributes';

interface SharedSpanProps {
  token: string;
  link: SharedLink;
  node: SpanNode;
  onClose: () => void;
}

/** Details of one span of a shared trace, without acts. */
export function SharedSpan({ token, link, node, onClose }: SharedSpanProps) {
  const { id, name, span_kind } = node.span;
  const [tab, setTab] = useState<Tab>('messages');
  const tabs = [
    { id: 'messages' as const, label: span_kind === 'llm' ? 'Messages' : 'Input and output' },
    { id: 'attributes' as const, label: 'Attributes' },
  ];
  return (
    <>
      <header className="flex min-w-0 shrink-0 items-center gap-2 px-4 pt-2 pb-1.5">
        <span className="split:hidden">
          <IconButton label="Back to spans" onClick={onClose}>
            <Icon of={ArrowLeft} />
          </IconButton>
        </span>
        <KindIcon kind={span_kind} />
        <Text as="h2" size="section" strong cut title={name}>
          {name || 'unnamed'}
        </Text>
      </header>
      <Tabs label="Span views" tabs={tabs} active={tab} onChange={setTab}>
        <div key={id} className="grid gap-2.5 px-4 pt-3 pb-10">
          {tab === 'attributes' ? (
            <Attributes token={token} spanId={id} isHidden={Object.values(link.hides).some(Boolean)} />
          ) : link.hides.contents ? (
            <Text as="p" size="body" tone="dim">
              The contents of this trace are not shared.
            </Text>
          ) : (
            <Contents token={token} node={node} />
          )}
        </div>
      </Tabs>
    </>
  );
}

function Contents({ token, node }: Pick<SharedSpanProps, 'token' | 'node'>) {
  const { id, trace_id } = node.span;
  const isSettled = useSettled(id) !== undefined;
  const preview = useSharedPreview(token, id, isSettled);
  const [span] = preview.data ?? [];
  const cut = span?.truncated_fields ?? [];
  const whole = useSharedSpan(token, id, isSettled && cut.length > 0);
  const shown = useMemo(() => (span && whole.data ? withContents(span, whole.data) : span), [span, whole.data]);
  const payloads = {
    ...{ span: shown, truncated: whole.data ? [] : cut, tooLarge: [], error: preview.error ?? whole.error },
    retry: () => void (preview.error ? preview.refetch() : whole.refetch()),
  };
  if (preview.data && !span) return <Text tone="dim">This span is gone, or too large to be shared.</Text>;
  return (
    <WithoutMedia value>
      {span?.status_message && (
        <Text as="p" tone="err" className="wrap-anywhere">
          {span.status_message}
        </Text>
      )}
      {whole.data?.contents_too_large && <Text tone="dim">Only the beginning is shared, because the contents are too large.</Text>}
      <MessagesTab payloads={payloads} raw={undefined} traceId={trace_id} spanId={id} elsewhere="" />
    </WithoutMedia>
  );
}

/** Contents that are too large to be shared in full stay as they begin. */
const withContents = (span: SpanInTrace, { input, output, output_object, tool_calls }: WholeSpan): SpanInTrace => ({
  ...span,
  ...(input !== null && { input }),
  ...(output !== null && { output }),
  ...(output_object !== null && { output_object }),
  ...(tool_calls !== null && { tool_calls }),
});

function Attributes({ token, spanId, isHidden }: { token: string; spanId: string; isHidden: boolean }) {
  const isSettled = useSettled(spanId) !== undefined;
  const whole = useSharedSpan(token, spanId, isSettled);
  if (whole.isError)
    return <FailedState failure={asFailure(whole.error, 'The attributes could not be loaded')} onRetry={() => void whole.refetch()} />;
  if (!whole.data) return <SkeletonCards label="Loading the attributes" />;
  if (whole.data.attributes_too_large) return <Text tone="dim">The attributes are too large to be shared.</Text>;
  const list = attributes(whole.data.attributes);
  return (
    <>
      {isHidden && (
        <Text as="p" tone="dim">
          Only some standard attributes are shared.
        </Text>
      )}
      {list.length > 0 ? <AttributeList list={list} /> : <Text tone="dim">None.</Text>}
    </>
  );
}
