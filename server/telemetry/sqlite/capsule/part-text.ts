/** What is written of a file at a time: an OTLP/JSON request that ingest takes. */
import { otlpLimits } from '../../../ingest/otlp/limits.ts';
import { OtlpText, type WrittenItem } from '../../../ingest/otlp/otlp-text.ts';
import { findJsonBomb } from '../../../ingest/otlp/scan-json.ts';

/** Large enough to compress well. */
const bytesMax = 8 * 1024 * 1024;
/** Without the object and the array that stand around all. */
const containersMax = otlpLimits.jsonContainersMax - 2;

export class PartText {
  readonly #isBounded: boolean;
  readonly #text = new OtlpText();
  #owner = '';
  #bytes = 0;
  #containers = 0;

  constructor(isBounded: boolean) {
    this.#isBounded = isBounded;
  }

  get count(): number {
    return this.#text.count;
  }

  /** UTF-16 units, about bytes. */
  get length(): number {
    return this.#text.length;
  }

  /** The value of `resourceSpans`, or of `resourceLogs`. */
  get value(): string {
    return this.#text.resourceSpans();
  }

  /**
   * False when there is no room. An item of more bytes than a part has is a part alone; for one of more arrays and objects than ingest
   * reads there is room in none.
   */
  take(written: WrittenItem): boolean {
    if (this.#isBounded && !this.#hasRoom(written)) return false;
    this.#text.put(written);
    return true;
  }

  /** Counts it when it has. */
  #hasRoom({ owner, item }: WrittenItem): boolean {
    const texts = (owner === this.#owner ? [item] : [owner, item]).map((text) => Buffer.from(text));
    const bytes = texts.reduce((sum, text) => sum + text.length, this.#bytes);
    const containers = texts.reduce((sum, text) => sum + containersIn(text), this.#containers);
    const isAlone = this.count === 0;
    if (containers > containersMax || !(isAlone || (bytes <= bytesMax && this.count < otlpLimits.spansMax))) return false;
    [this.#owner, this.#bytes, this.#containers] = [owner, bytes, containers];
    return true;
  }
}

/** Arrays and objects, as ingest will count them. */
function containersIn(bytes: Buffer): number {
  let count = 0;
  const opened = () => {
    count++;
  };
  const bomb = findJsonBomb(bytes, { opened, closed: () => {}, key: () => {} });
  return bomb === null ? count : Number.POSITIVE_INFINITY;
}
