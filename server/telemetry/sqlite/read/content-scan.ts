/**
 * Evaluates predicates on `input`, `output` and `props`, whose texts are not in rows but in compressed blocks of raw spans. The full-text index
 * decides what it can. Spans of undecided traces and spans not indexed yet are read in write order, which inflates each block once. One pass
 * evaluates all predicates and skips traces that are decided.
 */
import type { TextPredicate } from '../../../../shared/filter/filter-tree.ts';
import { holdsText } from '../../../../shared/filter/matcher.ts';
import { contentOf } from '../../../ingest/normalise/index.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import type { DamageReporter } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { ContentField } from '../full-text/postings.ts';
import type { Bound } from './bound.ts';
import { FullTextSearch, type IndexSearch } from './full-text-search.ts';
import { type SentSpanRow, type SentSpans, sentSpanColumns } from './sent-span.ts';
import { inTime, type TimeLimit } from './time-limit.ts';

/** Row ids by predicate. */
export type FoundContent = ReadonlyMap<string, ReadonlySet<number>>;

/** Key of a predicate; equal predicates share it. */
export const contentKey = ({ field, operator, values }: TextPredicate): string => JSON.stringify([field, operator, values]);

interface CandidateRow extends SentSpanRow {
  match: number;
}

interface PredicateSearch extends IndexSearch {
  matches: Set<number>;
}

/** Rows to search, with a condition on rows of `span`. */
export interface Candidates extends Bound {
  resource: keyof typeof idColumns;
  scope: number;
  /** True if the condition is more selective than the scope. */
  isNarrow: boolean;
}

const idColumns = { traces: 'span.trace', spans: 'span.id' } as const;

/** Up to this many spans, reading them is faster than using the index. */
const directReadMax = 500;

/** Parts of the read context that a content scan needs. */
export interface ScanContext {
  db: OpenDatabase;
  sentSpans: SentSpans;
  limit: TimeLimit;
  damageReporter: DamageReporter;
}

export class ContentScan {
  readonly #context: ScanContext;
  readonly #fullText: FullTextSearch;

  constructor(context: ScanContext) {
    this.#context = context;
    this.#fullText = new FullTextSearch(context.db, context.limit);
  }

  /** Predicates must be positive. The result may contain rows that fail the candidates' condition, but lacks none that satisfy it. */
  find(candidates: Candidates, predicates: readonly TextPredicate[]): FoundContent {
    const searches = new Map<string, PredicateSearch>(predicates.map((predicate) => [contentKey(predicate), searchOf(predicate)]));
    const open = [...searches.values()];
    if (candidates.isNarrow && this.#areFew(candidates)) this.#read(candidates, open, { text: '1', values: [] });
    else this.#findWithIndex(candidates, open);
    return new Map([...searches].map(([key, search]) => [key, search.matches]));
  }

  #findWithIndex(candidates: Candidates, searches: readonly PredicateSearch[]): void {
    const notIndexed = this.#fullText.search(candidates.scope, searches);
    const possible = new Set<number>();
    const spans = new Set<number>();
    const blobs = new Set<number>();
    for (const search of searches) {
      // The index knows traces only: which of their spans match is found by reading them.
      if (candidates.resource === 'traces') for (const trace of search.certain) search.matches.add(trace);
      else for (const trace of search.certain) possible.add(trace);
      for (const trace of search.possible) if (!search.matches.has(trace)) possible.add(trace);
      for (const span of search.possibleSpans) spans.add(span);
      for (const span of search.blobSpans) blobs.add(span);
    }
    if (possible.size > 0) this.#read(candidates, searches, ofTraces(possible));
    if (spans.size > 0) this.#read(candidates, searches, among(spans));
    const words = searches.flatMap((search) => search.words);
    if (blobs.size > 0) this.#read(candidates, searches, among(blobs), (row) => this.#context.sentSpans.mayContain(row, words));
    for (const range of notIndexed) this.#read(candidates, searches, { text: 'span.id BETWEEN ? AND ?', values: range });
  }

  #areFew({ text, values }: Bound): boolean {
    const count = this.#context.db
      .prepare<unknown[], number>(`SELECT count(*) FROM (SELECT 1 FROM span WHERE ${text} LIMIT ${directReadMax + 1})`)
      .pluck()
      .get(...values);
    return (count ?? 0) <= directReadMax;
  }

  /** @param mayMatch returns false for a row that need not be read */
  #read(
    { resource, text, values }: Candidates,
    searches: readonly PredicateSearch[],
    among: Bound,
    mayMatch = (_row: SentSpanRow) => true,
  ): void {
    const rows = this.#context.db.prepare<unknown[], CandidateRow>(
      `SELECT ${idColumns[resource]} AS match, ${sentSpanColumns} FROM span WHERE ${among.text} AND ${text} ORDER BY span.id`,
    );
    for (const row of rows.iterate(...among.values, ...values)) {
      this.#context.limit.check();
      const open = searches.filter((search) => !search.matches.has(row.match));
      if (open.length === 0) continue;
      // Damaged content matches nothing.
      const content = this.#context.damageReporter.read('span', `${row.trace}/${row.block}/${row.at}`, () =>
        mayMatch(row) ? contentOf(withLogsAsEvents(this.#context.sentSpans.read(row).sent)) : null,
      );
      if (!content) continue;
      for (const { predicate, matches } of open) {
        if (holdsText(predicate, content[predicate.field as ContentField])) matches.add(row.match);
      }
    }
  }
}

/** Selects by row id, because SQLite would otherwise scan all spans of the scope and test the trace of each. */
const ofTraces = (traces: ReadonlySet<number>): Bound => ({
  text: `span.id IN (SELECT own.id FROM json_each(?) AS wanted CROSS JOIN span AS own ON own.trace = wanted.value WHERE ${inTime('own.id')})`,
  values: [JSON.stringify([...traces])],
});

const among = (spans: ReadonlySet<number>): Bound => ({
  text: 'span.id IN (SELECT value FROM json_each(?))',
  values: [JSON.stringify([...spans])],
});

const searchOf = (predicate: TextPredicate): PredicateSearch => ({
  predicate,
  certain: new Set(),
  possible: new Set(),
  possibleSpans: new Set(),
  blobSpans: new Set(),
  words: [],
  matches: new Set(),
});
