/** Answers content predicates from the full-text index (full-text/), and determines the spans that must be read. */
import type { TextPredicate } from '../../../../shared/filter/filter-tree.ts';
import { readOrWhy, stored } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { stored as storedNames } from '../file/stored-names.ts';
import { indexVersion } from '../full-text/index-version.ts';
import type { ContentField } from '../full-text/postings.ts';
import { SegmentTokens, type StoredSegment } from '../full-text/segment-tokens.ts';
import { isOneWord, type Run, runsOf } from '../full-text/tokenizer.ts';
import type { TimeLimit } from './time-limit.ts';

/** Positive predicate, with its questions to a segment and its results. */
export interface Sought {
  predicate: TextPredicate;
  /** Traces that satisfy it. */
  certain: Set<number>;
  /** Traces and single spans that may: they must be read. */
  possible: Set<number>;
  possibleSpans: Set<number>;
  /** Spans that match if the raw span contains any of `words`. */
  blobSpans: Set<number>;
  words: Buffer[];
}

/** Rows from one number to another, both included. */
export type Range = [first: number, last: number];

interface SegmentRow extends Omit<StoredSegment, 'read'> {
  first: number;
  last: number;
}

interface Question {
  /** Words that must occur together in one text. */
  runs: Run[];
  /** A text satisfies the predicate exactly when it has the word. */
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
   * Asks every segment.
   * @returns the rows that no segment speaks for
   */
  ask(scope: number, sought: readonly Sought[]): Range[] {
    const questions = sought.map(({ predicate }) => questionsOf(predicate));
    for (const [index, each] of sought.entries()) {
      each.words = (questions[index] as Question[]).flatMap(({ runs }) => runs.map(({ text }) => Buffer.from(text)));
    }
    const unknown: Range[] = [];
    let next = 1;
    for (const row of this.#segments.iterate(indexVersion)) {
      this.#limit.check();
      if (row.first > next) unknown.push([next, row.first - 1]);
      next = row.last + 1;
      // Rows of a damaged segment are read directly, like rows without a segment.
      if (readOrWhy(() => this.#askOne(row, scope, sought, questions)).why !== undefined) unknown.push([row.first, row.last]);
    }
    const newest = this.#newest.get() ?? 0;
    if (newest >= next) unknown.push([next, newest]);
    return unknown;
  }

  #askOne(row: SegmentRow, scope: number, sought: readonly Sought[], questions: readonly Question[][]): void {
    const segment = new SegmentTokens({ ...row, read: (part) => stored(this.#parts[part].get(row.first), 'The words of a segment') });
    const stale = new Set(this.#stale.all(row.first, row.last));
    const asked = { segment, first: row.first, scope, stale };
    for (const [index, each] of sought.entries()) askSegment(asked, each, questions[index] as Question[]);
    segment.close();
  }
}

interface Asked {
  segment: SegmentTokens;
  first: number;
  scope: number;
  /** Traces of spans here that have changed since. */
  stale: ReadonlySet<number>;
}

function questionsOf({ operator, values }: TextPredicate): Question[] {
  return values.map((value) => {
    const runs = runsOf(value);
    if (operator === 'contains') return { runs, isExact: isOneWord(value, runs) };
    // A whole text has no cut ends.
    const isWhole = operator === 'equals' || operator === 'in';
    return { runs: isWhole ? runs.map((run) => ({ ...run, opensLeft: false, opensRight: false })) : runs, isExact: false };
  });
}

function askSegment({ segment, first, scope, stale }: Asked, sought: Sought, questions: Question[]): void {
  const { field, operator, values } = sought.predicate;
  const content = field as ContentField;
  const { traces, scopes } = segment;
  const note = (marks: Uint8Array | null, isCertain: boolean) => {
    for (let at = 0; marks && at < marks.length; at++) {
      if (marks[at] === 0 || scopes[at] !== scope) continue;
      const trace = traces[at] as number;
      if (isCertain && !stale.has(trace)) sought.certain.add(trace);
      else sought.possible.add(trace);
    }
  };
  const isWhole = operator === 'equals' || operator === 'in';
  questions.forEach(({ runs, isExact }, index) => {
    if (isWhole && values[index] === '') note(segment.empty(content), true);
    else note(runs.length === 0 ? everywhere(segment) : segment.holding(runs, content), isExact);
  });
  for (const row of segment.partial(content)) sought.possibleSpans.add(first + row);
  // Without a word the index cannot decide.
  const blobs = questions.every(({ runs }) => runs.length > 0) ? sought.blobSpans : sought.possibleSpans;
  for (const row of segment.apart(content)) blobs.add(first + row);
  // The content of a stale span may have changed since it was indexed.
  for (const trace of stale) sought.possible.add(trace);
}

const everywhere = ({ traces }: SegmentTokens): Uint8Array => new Uint8Array(traces.length).fill(1);
