/** A text that is sent often and rarely changes, compressed once for each content coding that clients accept. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Answer } from './module.ts';

type Coding = 'br' | 'gzip' | 'identity';

const inBrotli = promisify(brotliCompress);
const inGzip = promisify(gzip);
/** Above this brotli takes ten times as long for a few bytes less. */
const brotliQuality = 6;

export class CompressedText {
  readonly #bytes: Buffer;
  readonly #hash: string;
  readonly #compressed = new Map<Coding, Promise<Buffer>>();

  constructor(text: string) {
    this.#bytes = Buffer.from(text);
    this.#hash = createHash('sha256').update(this.#bytes).digest('hex').slice(0, 16);
  }

  /** Answers 200 in the best content coding that the request accepts, with an ETag for that coding, or 304. */
  async answer({ headers }: Pick<IncomingMessage, 'headers'>, type: string): Promise<Answer> {
    const coding = codingFor(headers['accept-encoding']);
    return new Answer(200, await this.#in(coding), {
      'Content-Type': type,
      ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
      Vary: 'Accept-Encoding',
      ETag: `"${this.#hash}-${coding}"`,
    });
  }

  #in(coding: Coding): Promise<Buffer> {
    const cached = this.#compressed.get(coding);
    if (cached) return cached;
    const compressed = this.#compress(coding);
    this.#compressed.set(coding, compressed);
    return compressed;
  }

  /** Compresses in Node's thread pool. */
  async #compress(coding: Coding): Promise<Buffer> {
    if (coding === 'br') return inBrotli(this.#bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
    return coding === 'gzip' ? inGzip(this.#bytes) : this.#bytes;
  }
}

/** RFC 9110, 12.5.3: `q=0` excludes a coding, `*` means all codings that are not named. */
export function codingFor(accepted: string | undefined): Coding {
  const weights = new Map(
    (accepted ?? '').split(',').map((part): [string, number] => {
      const [name = '', ...parameters] = part.split(';').map((item) => item.trim().toLowerCase());
      const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
      return [name === 'x-gzip' ? 'gzip' : name, Number.isNaN(weight) ? 0 : weight];
    }),
  );
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [br, gzip] = [weightOf('br'), weightOf('gzip')];
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : 'identity';
}
