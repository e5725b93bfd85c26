/**
 * Maintains the full-text index (full-text/) in idle time, a few spans at a time. It may lag far behind the rows, because searches scan what
 * is not indexed. It runs on the write thread, so no row changes during a step.
 */
import { contentOf } from '../../../ingest/normalise/index.ts';
import type { SpanContent } from '../../../ingest/normalise/normalised.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import { flag } from '../file/codes.ts';
import { Documents } from '../file/documents.ts';
import type { OpenDatabase } from '../file/open.ts';
import { storageErrorKind } from '../file/storage-error-kind.ts';
import { stored } from '../file/stored-names.ts';
import { indexVersion } from '../full-text/index-version.ts';
import { SegmentBuilder } from '../full-text/segment-builder.ts';
import { RecordReader } from '../read/record-reader.ts';
import { type SentSpanRow, SentSpans, sentSpanColumns } from '../read/sent-span.ts';

/** Limits of one step. A write may have to wait for it. */
const stepSpans = 48;
const stepMs = 4;
/** Larger segments share more words; smaller ones are complete sooner. */
const segmentSpans = 4096;
/** A segment with this many stale spans is rebuilt. */
const staleMax = 64;

interface Row extends SentSpanRow {
  id: number;
  scope: number;
}

/** A range of rows outside complete segments; `last` is `open` after the newest row. */
interface Gap {
  first: number;
  last: number;
}
const open = Number.MAX_SAFE_INTEGER;

export class ContentIndexer {
  readonly #records: RecordReader;
  readonly #sentSpans: SentSpans;
  readonly #rows;
  readonly #clearStale;
  readonly #segments;
  readonly #staleSegment;
  readonly #store: (builder: SegmentBuilder, last: number) => void;
  readonly #drop: (firsts: readonly number[]) => void;
  #gap: Gap | null = null;
  #builder: SegmentBuilder | null = null;
  /** Next row to read, and end of the stored segments. */
  #next = 0;
  #stored = 0;

  constructor(db: OpenDatabase) {
    this.#records = new RecordReader(db);
    this.#sentSpans = new SentSpans(db, this.#records, new Documents(db));
    this.#rows = db.prepare<[number, number, number], Row>(
      `SELECT id, scope, ${sentSpanColumns} FROM span WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?`,
    );
    this.#clearStale = db.prepare('DELETE FROM content_stale WHERE span BETWEEN ? AND ?');
    this.#segments = db.prepare<[], Gap & { version: string }>(
      `SELECT first, last, ${stored.indexVersion} AS version FROM content_segment ORDER BY first`,
    );
    this.#staleSegment = db
      .prepare<[number, number], number>(
        `SELECT first FROM content_segment
         WHERE first <> ? AND (SELECT count(*) FROM content_stale WHERE span BETWEEN first AND last) >= ? LIMIT 1`,
      )
      .pluck();
    const addSegment = db.prepare(
      `INSERT OR REPLACE INTO content_segment (first, last, ${stored.indexVersion}, traces, exceptions, grams) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    const addWords = db.prepare('INSERT OR REPLACE INTO content_words (segment, words, postings) VALUES (?, ?, ?)');
    this.#store = db.transaction((builder: SegmentBuilder, last: number) => {
      const { traces, exceptions, grams, words, postings } = builder.pack();
      addSegment.run(builder.first, last, indexVersion, traces, exceptions, grams);
      addWords.run(builder.first, words, postings);
    }).immediate;
    const dropSegment = db.prepare('DELETE FROM content_segment WHERE first = ?');
    const dropWords = db.prepare('DELETE FROM content_words WHERE segment = ?');
    this.#drop = db.transaction((firsts: readonly number[]) => {
      for (const drop of [dropSegment, dropWords]) for (const first of firsts) drop.run(first);
    }).immediate;
  }

  /** Runs one step. False when there is nothing to do until something is written. */
  step(): boolean {
    this.#gap ??= this.#findGap();
    const { first, last } = this.#gap;
    this.#builder ??= new SegmentBuilder(first);
    const builder = this.#builder;
    const end = Math.min(last, first + segmentSpans - 1);
    const rows = this.#rows.all(this.#next, end, stepSpans);
    if (rows.length > 0) this.#read(builder, rows);
    else if (last === open) return this.#finishRows(builder);
    else this.#next = end + 1;
    if (this.#next > end || builder.isFull) {
      this.#store(builder, this.#next - 1);
      this.#reset();
    }
    return true;
  }

  /** Stops when the time of the step is over, because a span may be megabytes long. */
  #read(builder: SegmentBuilder, rows: Row[]): void {
    const [from, began] = [this.#next, performance.now()];
    for (const row of rows) {
      if ((row.flags & flag.placeholder) === 0) this.#add(builder, row);
      this.#next = row.id + 1;
      if (performance.now() - began > stepMs) break;
    }
    this.#clearStale.run(from, this.#next - 1);
  }

  #add(builder: SegmentBuilder, row: Row): void {
    const content = this.#contentOf(row);
    if (content === null) builder.addUnread(row.id, row);
    else builder.add(row.id, row, content, (bytes) => (row.flags & flag.hasLogs) === 0 && this.#records.contains(row, [bytes]));
  }

  /** Null when the content cannot be derived; readers of the span report that. */
  #contentOf(row: Row): SpanContent | null {
    try {
      return contentOf(withLogsAsEvents(this.#sentSpans.read(row).sent));
    } catch (error) {
      if (storageErrorKind(error)) throw error;
      return null;
    }
  }

  /** Call when all rows are read: stores the newest segment, or drops a segment with too many changes so that it is rebuilt. */
  #finishRows(builder: SegmentBuilder): boolean {
    this.#records.forget();
    const grown = this.#next - this.#stored;
    // An incomplete segment is stored after each growth by a quarter, because searches read what is not stored.
    if (grown > 0 && grown * 4 >= this.#stored - builder.first) {
      this.#store(builder, this.#next - 1);
      this.#stored = this.#next;
      return true;
    }
    const stale = this.#staleSegment.get(builder.first, staleMax);
    if (stale === undefined) return false;
    this.#drop([stale]);
    this.#reset();
    return true;
  }

  #reset(): void {
    this.#gap = null;
    this.#builder = null;
    this.#records.forget();
  }

  #findGap(): Gap {
    const segments = this.#segments.all();
    const outdated = segments.filter((segment) => segment.version !== indexVersion);
    const current = segments.filter((segment) => segment.version === indexVersion);
    // The newest segment may have been stored while incomplete: it is rebuilt from its start.
    const newest = current.at(-1);
    if (newest && newest.last - newest.first + 1 < segmentSpans) outdated.push(...current.splice(-1));
    if (outdated.length > 0) this.#drop(outdated.map(({ first }) => first));
    const gap = gapIn(current);
    this.#next = gap.first;
    this.#stored = gap.first;
    return gap;
  }
}

function gapIn(segments: readonly Gap[]): Gap {
  let next = 1;
  for (const { first, last } of segments) {
    if (first > next) return { first: next, last: first - 1 };
    next = last + 1;
  }
  return { first: next, last: open };
}
