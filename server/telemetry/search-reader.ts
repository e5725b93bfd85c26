import type { Score } from '../../shared/contract/scores.ts';
import type { SearchBody, search } from '../../shared/contract/search.ts';
import type { SpanFull } from '../../shared/contract/span-by-id.ts';
import type { SpanItem } from '../../shared/contract/spans.ts';
import type { TraceItem } from '../../shared/contract/traces.ts';
import type { Filter } from '../../shared/filter/filter-tree.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, EncodedPage } from './encoded.ts';

/** Milliseconds since the epoch, both included. */
export interface Window {
  from: number;
  to: number;
}

/** A search as it was asked, its dates and its filter understood. */
export type Search<R extends keyof typeof search> = Omit<SearchBody<R>, 'start_date' | 'end_date' | 'filters'> & {
  window: Window;
  filter: Filter;
};

/**
 * Looks across the traces of an app. A row is in the window by the time it shows: the start of a trace or of a span, the making of a
 * score. Ties of the sort break on arrival, so pages never overlap; `total` counts all matches, read in the same snapshot as the page.
 * What a filter finds here a list finds that is given the same filter.
 */
export interface SearchReader {
  traces(scope: Scope, search: Search<'traces'>): Promise<EncodedPage<TraceItem>>;
  spans(scope: Scope, search: Search<'spans'>): Promise<EncodedPage<SpanItem>>;
  scores(scope: Scope, search: Search<'scores'>): Promise<EncodedPage<Score>>;
  /** Payload whole, however large. Of two spans with one id, that of the newer trace; null when there is none. */
  span(scope: Scope, spanId: string): Promise<Encoded<SpanFull> | null>;
}
