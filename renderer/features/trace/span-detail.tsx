import { ArrowLeft } from 'lucide-react';
import { count, duration, plural, tokens } from '../../model/format.ts';
import { spanEvents } from '../../model/span-events.ts';
import type { SpanNode } from '../../model/span-tree.ts';
import { milliseconds } from '../../model/time.ts';
import { IconButton } from '../../ui/button.tsx';
import { CopyIcon } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { KindIcon } from '../../ui/kind-icon.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Text } from '../../ui/text.tsx';
import { AttributesTab } from './attributes-tab.tsx';
import { EventsTab } from './events-tab.tsx';
import { MessagesTab } from './messages-tab.tsx';
import { MetadataTab } from './metadata-tab.tsx';
import { RawTab } from './raw-tab.tsx';
import { spanCost } from './span-cost.ts';
import { SpanFailure } from './span-failure.tsx';
import { type LoadedTrace, useRawSpan, useRested } from './trace-query.ts';
import type { SpanTab } from './url.ts';

interface SpanDetailProps {
  node: SpanNode;
  loaded: LoadedTrace;
  tab: SpanTab;
  onTab: (tab: SpanTab) => void;
  onReveal: (node: SpanNode | undefined) => void;
  /** There on a narrow window, where the detail covers the index. */
  onClose: () => void;
}

export function SpanDetail({ node, loaded, tab, onTab, onReveal, onClose }: SpanDetailProps) {
  const { span } = node;
  const isRested = useRested(span.id) !== undefined;
  const raw = useRawSpan(span, isRested);
  const events = raw.data ? spanEvents(raw.data.span) : [];
  const exceptions = events.flatMap((event) => event.exception ?? []);
  const tabs = [
    { id: 'messages' as const, label: span.span_kind === 'llm' ? 'Messages' : 'Input and output' },
    { id: 'attributes' as const, label: 'Attributes' },
    { id: 'events' as const, label: 'Events', badge: events.length, isAlarming: exceptions.length > 0 },
    { id: 'raw' as const, label: 'Raw' },
    { id: 'metadata' as const, label: 'Metadata' },
  ];
  return (
    <>
      <DetailHeader node={node} loaded={loaded} onReveal={onReveal} onClose={onClose} />
      <Tabs label="Views of the span" tabs={tabs} active={tab} onChange={onTab}>
        {/* Another span starts at its top, with its own folds. */}
        <div key={span.id} className="grid gap-2.5 px-4 pt-3 pb-10">
          <SpanFailure span={span} exceptions={exceptions} tab={tab} />
          {tab === 'messages' && <MessagesTab span={span} isRested={isRested} />}
          {tab === 'attributes' && <AttributesTab raw={raw} />}
          {tab === 'events' && <EventsTab raw={raw} />}
          {tab === 'raw' && <RawTab raw={raw} />}
          {tab === 'metadata' && <MetadataTab span={span} trace={loaded.trace} />}
        </div>
      </Tabs>
    </>
  );
}

function DetailHeader({ node, loaded, onReveal, onClose }: Pick<SpanDetailProps, 'node' | 'loaded' | 'onReveal' | 'onClose'>) {
  const { span } = node;
  const call = loaded.calls.get(span.id);
  return (
    <header className="grid shrink-0 gap-1.5 px-4 pt-2.5 pb-1.5">
      <div className="flex min-w-0 items-center gap-2">
        <span className="split:hidden">
          <IconButton label="Back to the index" onClick={onClose}>
            <Icon of={ArrowLeft} />
          </IconButton>
        </span>
        <KindIcon kind={span.span_kind} />
        <Text as="h2" size="section" strong cut title={span.name}>
          {span.name || 'unnamed'}
        </Text>
        {call !== undefined && (
          <Text mono tone="dim" className="shrink-0">
            {`call ${count(call)} of ${count(loaded.calls.size)}`}
          </Text>
        )}
        <span className="ml-auto">
          <CopyIcon text={() => span.id} label="Copy span id" />
        </span>
      </div>
      <Chips node={node} loaded={loaded} onReveal={onReveal} />
    </header>
  );
}

function Chips({ node, loaded: { trace, tree }, onReveal }: Pick<SpanDetailProps, 'node' | 'loaded' | 'onReveal'>) {
  const { span, totals, self } = node;
  const isFailed = span.status === 'ERROR';
  const errorsBelow = totals.errors - (isFailed ? 1 : 0);
  const offset = milliseconds(Date.parse(span.timestamp) - Date.parse(trace.start));
  const price = spanCost(node);
  return (
    <div className="flex flex-wrap gap-1.5">
      {isFailed && <Pill tone="err">failed</Pill>}
      <Pill title={node.children.length > 0 ? `${duration(self)} of its own` : undefined}>{duration(milliseconds(span.duration_ms))}</Pill>
      {offset > 0 && <Pill title="After the start of the trace">{`at ${duration(offset)}`}</Pill>}
      {span.model && !span.name.includes(span.model) && <Pill title="Model">{span.model}</Pill>}
      {span.input_tokens + span.output_tokens > 0 && (
        <Pill title={`${count(span.input_tokens)} tokens in, ${count(span.output_tokens)} out`}>
          {`${tokens(span.input_tokens)} → ${tokens(span.output_tokens)}`}
        </Pill>
      )}
      {(span.reasoning_tokens ?? 0) > 0 && (
        <Pill title="Tokens spent on reasoning, within the output">{`reasoning ${tokens(span.reasoning_tokens ?? 0)}`}</Pill>
      )}
      {price && <Pill title={price.title}>{price.text}</Pill>}
      {span.finish_reason && <Pill>{`stop: ${span.finish_reason}`}</Pill>}
      {span.prompt_name && <Pill>{`prompt: ${span.prompt_name}`}</Pill>}
      {span.service_name && <Pill title="Service">{span.service_name}</Pill>}
      {errorsBelow > 0 && (
        <Pill tone="err" title="Go to the first of them" onClick={() => onReveal(tree.errors.find((each) => each.order > node.order))}>
          {`${plural(errorsBelow, 'error')} below`}
        </Pill>
      )}
    </div>
  );
}
