import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { parseNestedJson } from '../../../model/trace/messages.ts';
import { SkeletonCards } from '../../../ui/primitives/skeleton.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { AttributeList } from './attribute-list.tsx';

const entries = (record: object) => Object.entries(record).map(([key, value]) => ({ key, value: value as unknown }));

/** Call settings and template variables are JSON texts; a value that is no object stays text. */
function parts(text: string | null, name: string) {
  if (!text) return [];
  const value = parseNestedJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? entries(value) : [{ key: name, value }];
}

interface MetadataTabProps {
  /** Undefined while it is awaited. */
  span: SpanInTrace | undefined;
  trace: { metadata: Record<string, string>; tags: readonly string[]; session_id: string | null; user_id: string | null };
}

export function MetadataTab({ span, trace }: MetadataTabProps) {
  if (!span) return <SkeletonCards label="Loading the metadata" />;
  const { tags, session_id, user_id } = trace;
  const known = {
    ...(session_id ? { session_id } : {}),
    ...(user_id ? { user_id } : {}),
    ...(tags.length > 0 ? { tags: tags.join(', ') } : {}),
  };
  const groups = [
    { title: 'Metadata of the span', list: entries(span.metadata) },
    { title: 'Settings of the call', list: parts(span.settings, 'settings') },
    { title: 'Prompt', list: [...(span.prompt_name ? [{ key: 'name', value: span.prompt_name }] : []), ...parts(span.props, 'props')] },
    { title: 'The trace', list: entries(known) },
    { title: 'Metadata of the trace', list: entries(trace.metadata) },
  ].filter(({ list }) => list.length > 0);
  if (groups.length === 0)
    return (
      <Text size="body" tone="dim">
        Neither the span nor its trace carries metadata. What the sender attached in other ways is among the attributes.
      </Text>
    );
  return groups.map(({ title, list }) => (
    <section key={title}>
      <Text as="h3" size="label" tone="dim" className="pb-1">
        {title}
      </Text>
      <AttributeList list={list} />
    </section>
  ));
}
