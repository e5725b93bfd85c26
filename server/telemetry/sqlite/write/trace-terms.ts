/**
 * Terms of a trace for filters, each indexed once. When a record is replaced, its terms that no other span has are removed, so that the result
 * does not depend on the order in which the pending and the final span arrive.
 *
 * The index is sorted by term, so the terms of one trace change a page each. New ones are added to `recent_trace_term`, sorted by trace, and moved
 * to the index some thousand at a time (ADR 044).
 */
import type { SpanColumns } from '../../../ingest/prepare/prepared.ts';
import { termKey } from '../file/codes.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { Dictionary } from './dictionary.ts';
import { noNames, type OpenTrace } from './trees.ts';

/**
 * Longest value that a filter can match (docs/reference/filters.md#limits). A longer metadata value is not a term: a marker with its key makes
 * filters read the documents of the spans. Texts that rows refer to may be terms of any length.
 */
const termLengthMax = 500;

/** Recent rows are moved when there are so many. Readers scan all of them for a term, in a quarter of a millisecond. */
const recentMax = 4096;

const termFields = [
  [termKey.model, 'model'],
  [termKey.session, 'session_id'],
  [termKey.user, 'user_id'],
  [termKey.prompt, 'prompt_name'],
  [termKey.kind, 'semantic_kind'],
  [termKey.datasetRun, 'dataset_run_id'],
  [termKey.commit, 'commit_sha'],
  [termKey.environment, 'environment'],
] as const;

const names = ['session_name', 'prompt_name', 'trace_name'] as const;

export class TraceTerms {
  readonly #dictionary: Dictionary;
  readonly #insert;
  readonly #insertIfMissing;
  readonly #drop;
  readonly #count;
  readonly #move;
  /** Rows in `recent_trace_term`; null while unknown. */
  #recent: number | null = null;

  constructor(db: OpenDatabase, dictionary: Dictionary) {
    this.#dictionary = dictionary;
    this.#insert = db.prepare('INSERT OR IGNORE INTO recent_trace_term (term, trace) VALUES (?, ?)');
    this.#insertIfMissing = db.prepare(
      `INSERT OR IGNORE INTO recent_trace_term (term, trace)
       SELECT @term, @trace WHERE NOT EXISTS (SELECT 1 FROM trace_term WHERE term = @term AND trace = @trace)`,
    );
    this.#drop = ['trace_term', 'recent_trace_term'].map((table) => db.prepare(`DELETE FROM ${table} WHERE term = ? AND trace = ?`));
    this.#count = db.prepare<[], number>('SELECT count(*) FROM recent_trace_term').pluck();
    this.#move = [
      'INSERT OR IGNORE INTO trace_term (term, trace) SELECT term, trace FROM recent_trace_term ORDER BY term, trace',
      'DELETE FROM recent_trace_term',
    ].map((sql) => db.prepare(sql));
  }

  /** Moves waiting terms into the index once there are enough. Call it at the end of a transaction. */
  moveRecent(): void {
    this.#recent ??= this.#count.get() ?? 0;
    if (this.#recent < recentMax) return;
    for (const statement of this.#move) statement.run();
    this.#recent = 0;
  }

  /** Call after a rollback. */
  forget(): void {
    this.#recent = null;
  }

  add(scope: number, trace: OpenTrace, span: SpanColumns): void {
    visitTerms(span, (key, value) => this.#index(scope, trace, key, value), !trace.documents.has(span.metadata));
    trace.documents.add(span.metadata);
    for (const tag of span.tags) trace.tags.add(tag);
    for (const key of names) {
      const smallest = trace.names[key];
      if (span[key] !== '' && (smallest === '' || span[key] < smallest)) trace.names[key] = span[key];
    }
  }

  #index(scope: number, trace: OpenTrace, key: string, value: string): void {
    const term = this.#dictionary.term(scope, key, value);
    if (term === 0 || trace.terms.has(term)) return;
    trace.terms.add(term);
    const { changes } = trace.hasOtherTerms ? this.#insertIfMissing.run({ term, trace: trace.id }) : this.#insert.run(term, trace.id);
    if (this.#recent !== null) this.#recent += changes;
  }

  #unindex(term: number, trace: OpenTrace): void {
    trace.terms.delete(term);
    for (const statement of this.#drop) statement.run(term, trace.id);
  }

  addTags(scope: number, trace: OpenTrace, tags: Iterable<string>): void {
    for (const tag of tags) {
      trace.tags.add(tag);
      trace.addedTags.add(tag);
      this.#index(scope, trace, termKey.tag, tag);
    }
  }

  /** @param isSent whether a span has the tag, which then stays a tag of the trace */
  removeTags(scope: number, trace: OpenTrace, tags: Iterable<string>, isSent: (tag: string) => boolean): void {
    for (const tag of tags) {
      trace.addedTags.delete(tag);
      if (isSent(tag)) continue;
      trace.tags.delete(tag);
      this.#unindex(this.#dictionary.term(scope, termKey.tag, tag), trace);
    }
  }

  /**
   * Removes terms of replaced records that no span of the trace has any more.
   * @returns sessions to which the trace no longer belongs
   */
  retract(scope: number, trace: OpenTrace, replaced: SpanColumns[], current: Iterable<SpanColumns>): number[] {
    trace.terms.clear();
    trace.hasOtherTerms = true;
    trace.documents.clear();
    trace.tags.clear();
    trace.names = { ...noNames };
    for (const span of current) this.add(scope, trace, span);
    this.addTags(scope, trace, trace.addedTags);
    const leftSessions: number[] = [];
    const drop = (key: string, value: string) => {
      const term = this.#dictionary.term(scope, key, value);
      if (trace.terms.has(term)) return;
      this.#unindex(term, trace);
      if (key === termKey.session) leftSessions.push(term);
    };
    for (const span of replaced) visitTerms(span, drop, true);
    return leftSessions;
  }
}

/** Whether a record has all terms of an earlier one of the same span, so that none has to be removed. */
export function hasAllTerms(current: SpanColumns, before: SpanColumns): boolean {
  const terms = new Set<string>();
  visitTerms(current, (key, value) => terms.add(`${key}\0${value}`), true);
  let hasAll = names.every((key) => before[key] === '' || before[key] === current[key]);
  visitTerms(
    before,
    (key, value) => {
      hasAll &&= terms.has(`${key}\0${value}`);
    },
    true,
  );
  return hasAll;
}

function visitTerms(span: SpanColumns, visit: (key: string, value: string) => void, withMetadata: boolean): void {
  for (const [key, field] of termFields) if (span[field] !== '') visit(key, span[field]);
  for (const tag of span.tags) if (tag !== '' && tag.length <= termLengthMax) visit(termKey.tag, tag);
  if (span.metadata === '' || !withMetadata) return;
  const metadata = JSON.parse(span.metadata) as Record<string, string>;
  for (const key of Object.keys(metadata)) {
    const value = metadata[key] as string;
    if (value !== '' && value.length <= termLengthMax) visit(termKey.metadata(key), value);
    else visit(termKey.unindexedMetadata, key);
  }
}
