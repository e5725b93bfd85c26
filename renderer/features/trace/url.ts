/** What of a trace page is in its address: the span that is read, how it is read, what is searched for, and which time is looked at. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlRange, urlText } from '../../model/url-shapes.ts';
import { viewModes } from '../../ui/preferences.ts';

export const spanTabs = ['messages', 'changes', 'attributes', 'events', 'links', 'scores', 'comments', 'metadata', 'raw'] as const;
export type SpanTab = (typeof spanTabs)[number];

const shape = z.object({
  span: urlText,
  tab: urlOneOf(spanTabs),
  q: urlText,
  view: urlOneOf(viewModes),
  at: urlRange,
  window: urlOneOf(['1']),
});
export type TraceView = z.output<typeof shape>;

export const readTraceUrl = (search: unknown): TraceView => readUrl(shape, search);

/** The first tab is not written, so that the plain address of a span is short. */
export const withTab = (view: TraceView, tab: SpanTab): TraceView => readTraceUrl({ ...view, tab: tab === 'messages' ? undefined : tab });
