/** Search parameters of a trace page: selected span, view mode, search, and time range. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlRange, urlText } from '../../../model/filter/url-shapes.ts';
import { viewModes } from '../../../ui/primitives/preferences.ts';

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

/** Sets the tab. The first one is left out, so that the address of a span stays short. */
export const withTab = (view: TraceView, tab: SpanTab): TraceView => readTraceUrl({ ...view, tab: tab === 'messages' ? undefined : tab });
