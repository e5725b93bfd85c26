/** Part of a file: an OTLP/JSON request within the limits of ingest. */

import { OtlpText, type WrittenItem } from '../../../ingest/otlp/encode-json.ts';
import { otlpLimits } from '../../../ingest/otlp/limits.ts';
import { findJsonBomb } from '../../../ingest/otlp/scan-json.ts';

/** Large enough to compress well. */
const bytesMax = 8 * 1024 * 1024;
/** Without the outermost object and array. */
const containersMax = otlpLimits.jsonContainersMax - 2;

export class PartText {
  readonly #isLimited: boolean;
  readonly #text = new OtlpText();
  #head = '';
  #bytes = 0;
  #containers = 0;

  constructor(isLimited: boolean) {
    this.#isLimited = isLimited;
  }

  get count(): number {
    return this.#text.count;
  }

  /** UTF-16 units, about the number of bytes. */
  get length(): number {
    return this.#text.length;
  }

  /** The value of `resourceSpans`, or of `resourceLogs`. */
  get value(): string {
    return this.#text.resourceSpans();
  }

  /**
   * Adds an item; false when the part is full. An item larger than a part becomes a part of its own; an item with more arrays and objects than
   * ingest accepts fits in no part.
   */
  add(written: WrittenItem): boolean {
    if (this.#isLimited && !this.#hasRoom(written)) return false;
    this.#text.put(written);
    return true;
  }

  /** Whether an item fits; if so, it is counted. */
  #hasRoom({ head, item }: WrittenItem): boolean {
    const texts = (head === this.#head ? [item] : [head, item]).map((text) => Buffer.from(text));
    const bytes = texts.reduce((sum, text) => sum + text.length, this.#bytes);
    const containers = texts.reduce((sum, text) => sum + containersIn(text), this.#containers);
    const isAlone = this.count === 0;
    if (containers > containersMax || !(isAlone || (bytes <= bytesMax && this.count < otlpLimits.spansMax))) return false;
    [this.#head, this.#bytes, this.#containers] = [head, bytes, containers];
    return true;
  }
}

/** Number of arrays and objects, as ingest counts them. */
function containersIn(bytes: Buffer): number {
  let count = 0;
  const opened = () => {
    count++;
    return -1;
  };
  const bomb = findJsonBomb(bytes, { containers: 0, values: 0, opened, closed: () => {}, key: () => {} });
  return bomb === null ? count : Number.POSITIVE_INFINITY;
}
