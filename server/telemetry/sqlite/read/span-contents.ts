/** Tests the contents of spans. Most spans are refused by the bytes that they were sent with; the contents of the others are derived. */

import { foldCase } from '../../../../shared/filter/fold-case.ts';
import { SpanTexts } from '../../../ingest/normalise/index.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import { stored } from '../file/damaged.ts';
import { isDecisive } from '../signatures/decisive.ts';
import type { QueryWord } from '../signatures/query-words.ts';
import { openListsIn, rewrittenTexts, traits as traitBits } from '../signatures/rewritten-text.ts';
import { SpanBytes, type SpanPlace } from '../signatures/span-bytes.ts';
import { unreadable } from '../signatures/stored-signatures.ts';
import { WordScanner, withoutTimes } from '../signatures/word-scanner.ts';
import type { ReadContext } from './read-context.ts';
import { type SentSpanRow, sentSpanColumns } from './sent-span.ts';
import { SentWords } from './sent-words.ts';

/** What contents need of the read context. */
export type ContentContext = Pick<ReadContext, 'db' | 'sentSpans' | 'records' | 'limit' | 'damageReporter'>;

const noLists = { hasCount: false, hasBytes: false };
const isNumber = (bytes: Buffer): boolean => bytes.every((byte) => byte >= 0x30 && byte <= 0x39);

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
  readonly #words: SentWords;
  #last: { clauses: readonly Alternatives[]; words: readonly QueryWord[] } = { clauses: [], words: [] };
  readonly #sent;
  readonly #scanner = new WordScanner(null);

  constructor(context: ContentContext) {
    this.#context = context;
    this.#bytes = new SpanBytes(context.db, context.records);
    this.#words = new SentWords(context.db, context.records);
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

  /** The same list for the same clauses. */
  #wordsOf(clauses: readonly Alternatives[]): readonly QueryWord[] {
    if (this.#last.clauses !== clauses) this.#last = { clauses, words: [...new Set(clauses.flat(2))] };
    return this.#last.words;
  }

  #mayHave(row: SpanPlace, clauses: readonly Alternatives[], traits: number | null): boolean {
    const missing = new Set(this.#wordsOf(clauses));
    const isPossible = (alternatives: Alternatives) => alternatives.some((words) => words.every((word) => !missing.has(word)));
    if (clauses.every(isPossible)) return true;
    const isFound = this.#words.find(row, this.#last.words, (words) => {
      for (const word of words) missing.delete(word);
      return clauses.every(isPossible);
    });
    if (isFound) return true;
    const found = traits === null || traits === unreadable ? this.#traitsOf(row) : traits;
    const undecided = [...missing].filter((word) => !isDecisive(word.bytes, found));
    if (undecided.length === 0) return false;
    for (const word of undecided) missing.delete(word);
    if (!clauses.every(isPossible)) return false;
    for (const word of undecided) missing.add(word);
    return this.#isRewritten(row, undecided, found, (word) => {
      missing.delete(word);
      return clauses.every(isPossible);
    });
  }

  /** Looks for words in what the normaliser makes of the bytes. @param onFound returns whether no further word is needed */
  #isRewritten(row: SpanPlace, words: readonly QueryWord[], found: number, onFound: (word: QueryWord) => boolean): boolean {
    this.#bytes.begin();
    return this.#bytes.visit(row, (bytes, isRecord) => {
      const sent = isRecord ? withoutTimes(bytes).join('') : bytes.toString();
      const { hasCount, hasBytes } = found & traitBits.lists ? openListsIn(sent) : noLists;
      const texts = rewrittenTexts(sent, found);
      const folded = words.some(({ anyCase }) => anyCase) ? texts.map(foldCase) : [];
      return words.some((word) => {
        const isOpen = hasBytes || (hasCount && isNumber(word.bytes));
        const text = word.bytes.toString();
        return (isOpen || (word.anyCase ? folded : texts).some((each) => each.includes(text))) && onFound(word);
      });
    });
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
