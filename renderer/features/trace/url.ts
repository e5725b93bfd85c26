/** What of a trace page is in its address: the span that is read, how it is read, and what is searched for. */
import { z } from 'zod';
import { readUrl, urlOneOf, urlText } from '../../model/url-shapes.ts';

export const spanTabs = ['messages', 'attributes', 'events', 'raw', 'metadata'] as const;
export type SpanTab = (typeof spanTabs)[number];

const shape = z.object({ span: urlText, tab: urlOneOf(spanTabs), q: urlText });
export type TraceView = z.output<typeof shape>;

export const readTraceUrl = (search: unknown): TraceView => readUrl(shape, search);

/** The first tab is not written, so that the plain address of a span is short. */
export const withTab = (view: TraceView, tab: SpanTab): TraceView => readTraceUrl({ ...view, tab: tab === 'messages' ? undefined : tab });
