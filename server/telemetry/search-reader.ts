import type { Score } from '../../shared/contract/evaluation/scores.ts';
import type { SearchBody, search } from '../../shared/contract/tracing/search.ts';
import type { SpanFull } from '../../shared/contract/tracing/span-by-id.ts';
import type { SpanItem } from '../../shared/contract/tracing/spans.ts';
import type { TraceItem } from '../../shared/contract/tracing/traces.ts';
import type { Filter } from '../../shared/filter/filter-tree.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded, EncodedPage } from './encoded.ts';

/** Milliseconds since the epoch, both included. */
export interface Window {
  from: number;
  to: number;
}

/** A search request with parsed dates and filter. */
export type Search<R extends keyof typeof search> = Omit<SearchBody<R>, 'start_date' | 'end_date' | 'filters'> & {
  window: Window;
  filter: Filter;
};

/** Traces by their place in lists: their start, or their arrival when the clock of the sender is clearly wrong. `to` is not included. */
export type StatesSearch = Omit<Search<'traces'>, 'window'> & Window;

/** Of a trace, what says whether it has ended. */
export interface TraceState {
  id: string;
  end_ms: number;
  /** Has spans that have begun and not ended. */
  is_running: boolean;
}

/**
 * Searches all traces of an app. The window applies to the displayed time: start of a trace or span, creation of a score. Ties of the sort
 * break on arrival, so pages never overlap; `total` counts all matches, from the same snapshot as the page. Filters match as in the lists.
 */
export interface SearchReader {
  traces(scope: Scope, search: Search<'traces'>): Promise<EncodedPage<TraceItem>>;
  /** Like `traces`, without texts. MAY look at a part only of those whose contents it must read, when the total is a lower bound. */
  states(scope: Scope, search: StatesSearch): Promise<EncodedPage<TraceState>>;
  spans(scope: Scope, search: Search<'spans'>): Promise<EncodedPage<SpanItem>>;
  scores(scope: Scope, search: Search<'scores'>): Promise<EncodedPage<Score>>;
  /** Full payload, without a size limit. Of two spans with the same id, the one in the newer trace; null for none. */
  span(scope: Scope, spanId: string): Promise<Encoded<SpanFull> | null>;
}
