/** Evaluates content predicates with the full-text index (full-text/), and determines the spans that must be read. */
import type { TextPredicate } from '../../../../shared/filter/filter-tree.ts';
import { readOrWhy, stored } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { stored as storedNames } from '../file/stored-names.ts';
import { indexVersion } from '../full-text/index-version.ts';
import type { ContentField } from '../full-text/postings.ts';
import { SegmentTokens, type StoredSegment } from '../full-text/segment-tokens.ts';
import { isOneWord, type Run, runsOf } from '../full-text/tokenizer.ts';
import type { TimeLimit } from './time-limit.ts';

/** Positive predicate with its results from the index. */
export interface IndexSearch {
  predicate: TextPredicate;
  /** Traces that satisfy it. */
  certain: Set<number>;
  /** Traces and single spans that may satisfy it and must be read. */
  possible: Set<number>;
  possibleSpans: Set<number>;
  /** Spans that match if the raw span contains any of `words`. */
  blobSpans: Set<number>;
  words: Buffer[];
}

/** Rows from one id to another, both included. */
export type Range = [first: number, last: number];

interface SegmentRow extends Omit<StoredSegment, 'read'> {
  first: number;
  last: number;
}

/** Conditions on the words of a text, for one value of a predicate. */
interface WordQuery {
  /** Words that must all occur in one text. */
  runs: Run[];
  /** True if a text satisfies the predicate exactly when it has the word. */
  isExact: boolean;
}

export class FullTextSearch {
  readonly #segments;
  readonly #parts;
  readonly #stale;
  readonly #newest;
  readonly #limit: TimeLimit;

  constructor(db: OpenDatabase, limit: TimeLimit) {
    this.#limit = limit;
    this.#segments = db.prepare<[string], SegmentRow>(
      `SELECT first, last, traces, exceptions, grams FROM content_segment WHERE ${storedNames.indexVersion} = ? ORDER BY first`,
    );
    const part = (name: string) => db.prepare<[number], Buffer>(`SELECT ${name} FROM content_words WHERE segment = ?`).pluck();
    this.#parts = { words: part('words'), postings: part('postings') };
    this.#stale = db
      .prepare<[number, number], number>(
        'SELECT span.trace FROM content_stale JOIN span ON span.id = content_stale.span WHERE span.id BETWEEN ? AND ?',
      )
      .pluck();
    this.#newest = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM span').pluck();
  }

  /**
   * Searches every segment.
   * @returns the rows that no segment covers
   */
  search(scope: number, searches: readonly IndexSearch[]): Range[] {
    const queries = searches.map(({ predicate }) => wordQueriesOf(predicate));
    for (const [index, search] of searches.entries()) {
      search.words = (queries[index] as WordQuery[]).flatMap(({ runs }) => runs.map(({ text }) => Buffer.from(text)));
    }
    const notIndexed: Range[] = [];
    let next = 1;
    for (const row of this.#segments.iterate(indexVersion)) {
      this.#limit.check();
      if (row.first > next) notIndexed.push([next, row.first - 1]);
      next = row.last + 1;
      // Rows of a damaged segment are read directly, like rows without a segment.
      if (readOrWhy(() => this.#searchSegment(row, scope, searches, queries)).why !== undefined) notIndexed.push([row.first, row.last]);
    }
    const newest = this.#newest.get() ?? 0;
    if (newest >= next) notIndexed.push([next, newest]);
    return notIndexed;
  }

  #searchSegment(row: SegmentRow, scope: number, searches: readonly IndexSearch[], queries: readonly WordQuery[][]): void {
    const segment = new SegmentTokens({ ...row, read: (part) => stored(this.#parts[part].get(row.first), 'The words of a segment') });
    const stale = new Set(this.#stale.all(row.first, row.last));
    const context = { segment, first: row.first, scope, stale };
    for (const [index, search] of searches.entries()) searchSegment(context, search, queries[index] as WordQuery[]);
    segment.close();
  }
}

interface SegmentContext {
  segment: SegmentTokens;
  first: number;
  scope: number;
  /** Traces of spans here that have changed since. */
  stale: ReadonlySet<number>;
}

function wordQueriesOf({ operator, values }: TextPredicate): WordQuery[] {
  return values.map((value) => {
    const runs = runsOf(value);
    if (operator === 'contains') return { runs, isExact: isOneWord(value, runs) };
    // The first and the last word of a complete text are complete, too.
    const isWhole = operator === 'equals' || operator === 'in';
    return { runs: isWhole ? runs.map((run) => ({ ...run, opensLeft: false, opensRight: false })) : runs, isExact: false };
  });
}

function searchSegment({ segment, first, scope, stale }: SegmentContext, search: IndexSearch, queries: WordQuery[]): void {
  const { field, operator, values } = search.predicate;
  const content = field as ContentField;
  const { traces, scopes } = segment;
  const addMatches = (marks: Uint8Array | null, isCertain: boolean) => {
    for (let at = 0; marks && at < marks.length; at++) {
      if (marks[at] === 0 || scopes[at] !== scope) continue;
      const trace = traces[at] as number;
      if (isCertain && !stale.has(trace)) search.certain.add(trace);
      else search.possible.add(trace);
    }
  };
  const isWhole = operator === 'equals' || operator === 'in';
  queries.forEach(({ runs, isExact }, index) => {
    if (isWhole && values[index] === '') addMatches(segment.empty(content), true);
    else addMatches(runs.length === 0 ? allTraces(segment) : segment.tracesWith(runs, content), isExact);
  });
  for (const row of segment.partialSpans(content)) search.possibleSpans.add(first + row);
  // Without a word the index cannot decide.
  const blobs = queries.every(({ runs }) => runs.length > 0) ? search.blobSpans : search.possibleSpans;
  for (const row of segment.spansWithBlobs(content)) blobs.add(first + row);
  // The content of a stale span may have changed since it was indexed.
  for (const trace of stale) search.possible.add(trace);
}

const allTraces = ({ traces }: SegmentTokens): Uint8Array => new Uint8Array(traces.length).fill(1);
