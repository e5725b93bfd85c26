/** Which words of a search spans were sent with. A text or document that several spans share is read once. */
import type { OpenDatabase } from '../file/open.ts';
import type { QueryWord } from '../signatures/query-words.ts';
import { SpanBytes, type SpanPlace } from '../signatures/span-bytes.ts';
import type { RecordReader } from './record-reader.ts';

/** Texts and documents whose words are remembered. */
const rememberedMax = 50_000;

export class SentWords {
  readonly #bytes: SpanBytes;
  #sought: readonly QueryWord[] = [];
  /** The words of texts and documents that were read, by their key. */
  readonly #found = new Map<number, readonly QueryWord[]>();

  constructor(db: OpenDatabase, records: RecordReader) {
    this.#bytes = new SpanBytes(db, records);
  }

  /** @param words what is remembered is lost when another list is sought @param onFound returns whether no further word is needed */
  find(row: SpanPlace, words: readonly QueryWord[], onFound: (words: readonly QueryWord[]) => boolean): boolean {
    if (this.#sought !== words || this.#found.size > rememberedMax) this.#forget();
    this.#sought = words;
    let isEnough = false;
    try {
      const isLast = this.#bytes.visit(
        row,
        (bytes, _isRecord, shared) => {
          const found = wordsIn(bytes, words);
          if (shared !== null) this.#found.set(shared, found);
          return found.length > 0 && onFound(found);
        },
        (shared) => {
          const found = this.#found.get(shared);
          if (found?.length) isEnough = onFound(found);
        },
      );
      return isLast || isEnough;
    } catch (error) {
      // The text that could not be read is damaged for the next span as well.
      this.#forget();
      throw error;
    }
  }

  #forget(): void {
    this.#bytes.begin();
    this.#found.clear();
  }
}

function wordsIn(bytes: Buffer, words: readonly QueryWord[]): QueryWord[] {
  let latin1: string | null = null;
  return words.filter(({ anyCase, bytes: word }) => {
    if (!anyCase) return bytes.includes(word);
    latin1 ??= bytes.toString('latin1');
    return anyCase.test(latin1);
  });
}
