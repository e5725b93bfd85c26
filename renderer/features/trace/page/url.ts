/**
 * Search parameters of a trace page: selected span, view mode, search, and time range; in the context view the agent, call and part;
 * the comment that a link leads to.
 */
import { z } from 'zod';
import { readUrl, urlNumber, urlOneOf, urlRange, urlText } from '../../../model/filter/url-shapes.ts';
import { spanViewModes } from '../../../ui/primitives/preferences.ts';

export const viewModes = [...spanViewModes, 'context'] as const;
export type ViewMode = (typeof viewModes)[number];

export const spanTabs = ['messages', 'changes', 'attributes', 'events', 'links', 'scores', 'comments', 'metadata', 'raw'] as const;
export type SpanTab = (typeof spanTabs)[number];

const shape = z.object({
  span: urlText,
  tab: urlOneOf(spanTabs),
  comment: urlText,
  q: urlText,
  view: urlOneOf(viewModes),
  at: urlRange,
  window: urlOneOf(['1']),
  agent: urlText,
  call: urlNumber(1),
  part: urlNumber(0),
  calls: urlRange,
  by: urlOneOf(['cost']),
});
export type TraceView = z.output<typeof shape>;

export const readTraceUrl = (search: unknown): TraceView => readUrl(shape, search);

/** Sets the tab. The first one is left out, so that the address of a span stays short. */
export const withTab = (view: TraceView, tab: SpanTab): TraceView => readTraceUrl({ ...view, tab: tab === 'messages' ? undefined : tab });
