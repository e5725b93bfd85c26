import type { SpanInTrace } from '../../../../shared/contract/tracing/spans.ts';
import { parseNestedJson } from '../../../model/trace/messages.ts';
import { SkeletonCards } from '../../../ui/primitives/skeleton.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { AttributeList } from './attribute-list.tsx';

const entries = (record: object) => Object.entries(record).map(([key, value]) => ({ key, value: value as unknown }));

/** Call settings and template variables are JSON texts. A value that is not an object becomes one entry. */
function parts(text: string | null, name: string) {
  if (!text) return [];
  const value = parseNestedJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? entries(value) : [{ key: name, value }];
}

interface MetadataTabProps {
  /** Undefined while loading. */
  span: SpanInTrace | undefined;
  trace: { metadata: Record<string, string>; tags: readonly string[]; session_id: string | null; user_id: string | null };
}

export function MetadataTab({ span, trace }: MetadataTabProps) {
  if (!span) return <SkeletonCards label="Loading the metadata" />;
  const { tags, session_id, user_id } = trace;
  const traceFields = {
    ...(session_id ? { session_id } : {}),
    ...(user_id ? { user_id } : {}),
    ...(tags.length > 0 ? { tags: tags.join(', ') } : {}),
  };
  const groups = [
    { title: 'Span metadata', list: entries(span.metadata) },
    { title: 'Model parameters', list: parts(span.settings, 'settings') },
    { title: 'Prompt', list: [...(span.prompt_name ? [{ key: 'name', value: span.prompt_name }] : []), ...parts(span.props, 'props')] },
    { title: 'Trace', list: entries(traceFields) },
    { title: 'Trace metadata', list: entries(trace.metadata) },
  ].filter(({ list }) => list.length > 0);
  if (groups.length === 0)
    return (
      <Text size="body" tone="dim">
        Neither the span nor its trace has metadata. The Attributes tab has everything else that the sender attached.
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
