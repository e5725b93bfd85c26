/** Tests the contents of spans. Most spans are refused by the bytes that they were sent with; the contents of the others are derived. */

import { foldCase } from '../../../../shared/filter/fold-case.ts';
import { SpanTexts } from '../../../ingest/normalise/index.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import { stored } from '../file/damaged.ts';
import { isDecisive } from '../signatures/decisive.ts';
import type { QueryWord } from '../signatures/query-words.ts';
import { SpanBytes, type SpanPlace } from '../signatures/span-bytes.ts';
import { WordScanner } from '../signatures/word-scanner.ts';
import type { ReadContext } from './read-context.ts';
import { type SentSpanRow, sentSpanColumns } from './sent-span.ts';

/** What contents need of the read context. */
export type ContentContext = Pick<ReadContext, 'db' | 'sentSpans' | 'records' | 'limit' | 'damageReporter'>;

/** Lists of words: a text must have all words of one of them. */
type Alternatives = readonly (readonly QueryWord[])[];

/** Texts of a span, for tests. */
export class SearchedTexts extends SpanTexts {
  #folded: string[] | null = null;

  /** All of them in the form in which words are compared. */
  get folded(): string[] {
    this.#folded ??= this.texts.map(foldCase);
    return this.#folded;
  }
}

export class SpanContents {
  readonly #context: ContentContext;
  readonly #bytes: SpanBytes;
  readonly #sent;
  readonly #scanner = new WordScanner(null);

  constructor(context: ContentContext) {
    this.#context = context;
    this.#bytes = new SpanBytes(context.db, context.records);
    this.#sent = context.db.prepare<[number], SentSpanRow>(`SELECT ${sentSpanColumns} FROM span WHERE span.id = ?`);
  }

  /**
   * The texts of a span; undefined if they cannot have the words, null if they are damaged.
   * @param clauses of which each must be satisfied @param traits of the unit of the span; null if they are not known
   */
  textsWith(row: SpanPlace & { id: number }, clauses: readonly Alternatives[], traits: number | null): SearchedTexts | null | undefined {
    return this.#context.damageReporter.read('span', `${row.trace}/${row.block}/${row.at}`, () => {
      if (!this.#mayHave(row, clauses, traits)) return undefined;
      const sent = stored(this.#sent.get(row.id), `Span row ${row.id}`);
      return new SearchedTexts(withLogsAsEvents(this.#context.sentSpans.read(sent).sent));
    });
  }

  #mayHave(row: SpanPlace, clauses: readonly Alternatives[], traits: number | null): boolean {
    const missing = new Set(clauses.flat(2));
    const isPossible = (alternatives: Alternatives) => alternatives.some((words) => words.every((word) => !missing.has(word)));
    if (clauses.every(isPossible)) return true;
    this.#bytes.begin();
    const isFound = this.#bytes.visit(row, (bytes) => {
      let isChanged = false;
      let folded: Buffer | null = null;
      for (const word of missing) {
        if (word.isFolded) folded ??= Buffer.from(foldCase(bytes.toString()));
        if ((word.isFolded ? (folded as Buffer) : bytes).includes(word.bytes)) isChanged = missing.delete(word);
      }
      return isChanged && clauses.every(isPossible);
    });
    if (isFound) return true;
    const isDecided = traits !== null && [...missing].every(({ bytes }) => isDecisive(bytes, traits));
    const found = isDecided ? traits : this.#traitsOf(row);
    for (const word of missing) if (!isDecisive(word.bytes, found)) missing.delete(word);
    return clauses.every(isPossible);
  }

  #traitsOf(row: SpanPlace): number {
    this.#scanner.reset();
    this.#bytes.begin();
    this.#bytes.visit(row, (bytes, isRecord) => {
      this.#scanner.scan(bytes, isRecord);
      return false;
    });
    return this.#scanner.traits;
  }
}
