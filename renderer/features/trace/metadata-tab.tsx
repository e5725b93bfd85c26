import type { SpanInTrace } from '../../../shared/contract/spans.ts';
import type { TraceDetail } from '../../../shared/contract/traces.ts';
import { unquoted } from '../../model/messages.ts';
import { Text } from '../../ui/text.tsx';
import { AttributeList } from './attribute-list.tsx';

const entries = (record: object) => Object.entries(record).map(([key, value]) => ({ key, value: value as unknown }));

/** Call settings and template variables travel as JSON text; one that is no object keeps its text. */
function parts(text: string | null, name: string) {
  if (!text) return [];
  const value = unquoted(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? entries(value) : [{ key: name, value }];
}

export function MetadataTab({ span, trace }: { span: SpanInTrace; trace: TraceDetail }) {
  const groups = [
    { title: 'Metadata of the span', list: entries(span.metadata) },
    { title: 'Settings of the call', list: parts(span.settings, 'settings') },
    { title: 'Prompt', list: [...(span.prompt_name ? [{ key: 'name', value: span.prompt_name }] : []), ...parts(span.props, 'props')] },
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
