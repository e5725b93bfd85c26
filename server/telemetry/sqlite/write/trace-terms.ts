/**
 * Terms of a trace for filters, each indexed once. A replaced record loses the terms that no other span has, so that the result does not
 * depend on the order of the running and the final record of a span.
 */
import type { SpanColumns } from '../../../ingest/prepare/prepared.ts';
import { termKey } from '../file/codes.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { Dictionary } from './dictionary.ts';
import { noNames, type OpenTrace } from './trees.ts';

/**
 * Longest value that a filter can match (docs/reference/filters.md#limits). A longer metadata value is no term: a marker under its key makes
 * filters read the documents of the spans. Texts that rows refer to are terms of any length.
 */
const postedLengthMax = 500;

const postedFields = [
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
  readonly #post;
  readonly #drop;

  constructor(db: OpenDatabase, dictionary: Dictionary) {
    this.#dictionary = dictionary;
    this.#post = db.prepare('INSERT OR IGNORE INTO trace_term (term, trace) VALUES (?, ?)');
    this.#drop = db.prepare('DELETE FROM trace_term WHERE term = ? AND trace = ?');
  }

  post(scope: number, trace: OpenTrace, span: SpanColumns): void {
    const post = (key: string, value: string) => {
      const term = this.#dictionary.term(scope, key, value);
      if (term === 0 || trace.posted.has(term)) return;
      trace.posted.add(term);
      this.#post.run(term, trace.id);
    };
    eachWord(span, post, !trace.documents.has(span.metadata));
    trace.documents.add(span.metadata);
    for (const tag of span.tags) trace.tags.add(tag);
    for (const key of names) {
      const known = trace.names[key];
      if (span[key] !== '' && (known === '' || span[key] < known)) trace.names[key] = span[key];
    }
  }

  /**
   * Removes terms of replaced records that no span of the trace has now.
   * @returns sessions to which the trace no longer belongs
   */
  retract(scope: number, trace: OpenTrace, replaced: SpanColumns[], now: Iterable<SpanColumns>): number[] {
    trace.posted.clear();
    trace.documents.clear();
    trace.tags.clear();
    trace.names = { ...noNames };
    for (const span of now) this.post(scope, trace, span);
    const left: number[] = [];
    const drop = (key: string, value: string) => {
      const term = this.#dictionary.term(scope, key, value);
      if (trace.posted.has(term)) return;
      this.#drop.run(term, trace.id);
      if (key === termKey.session) left.push(term);
    };
    for (const span of replaced) eachWord(span, drop, true);
    return left;
  }
}

/** Whether a record has all terms of an earlier one of the same span, so that none has to be removed. */
export function saysAll(now: SpanColumns, before: SpanColumns): boolean {
  const said = new Set<string>();
  eachWord(now, (key, value) => said.add(`${key}\0${value}`), true);
  let all = names.every((key) => before[key] === '' || before[key] === now[key]);
  eachWord(
    before,
    (key, value) => {
      all &&= said.has(`${key}\0${value}`);
    },
    true,
  );
  return all;
}

function eachWord(span: SpanColumns, visit: (key: string, value: string) => void, withMetadata: boolean): void {
  for (const [key, field] of postedFields) if (span[field] !== '') visit(key, span[field]);
  for (const tag of span.tags) if (tag !== '' && tag.length <= postedLengthMax) visit(termKey.tag, tag);
  if (span.metadata === '' || !withMetadata) return;
  const metadata = JSON.parse(span.metadata) as Record<string, string>;
  for (const key of Object.keys(metadata)) {
    const value = metadata[key] as string;
    if (value !== '' && value.length <= postedLengthMax) visit(termKey.metadata(key), value);
    else visit(termKey.unpostedMetadata, key);
  }
}
