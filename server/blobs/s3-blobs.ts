/** Blobs in a bucket of S3, or of a service with the same protocol. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { BlobError, type BlobStore, listedMax, type S3Place } from './blob-store.ts';

/** Between two signs of life of the service. */
const silenceMs = 5_000;
/** Of a whole request: its caller waits 30 s at most. */
const requestMs = 20_000;
/** An upload shows no sign of life: so many bytes take a millisecond at most. */
const uploadedPerMs = 1024;
const retryMs = 200;
const errorBytesMax = 4096;

export class S3Blobs implements BlobStore {
  readonly #client: AwsClient;
  readonly #bucket: URL;
  /** `` or `prefix/`. */
  readonly #prefix: string;

  constructor({ url, region, keyId, keySecret }: S3Place) {
    this.#client = new AwsClient({ accessKeyId: keyId, secretAccessKey: keySecret, service: 's3', region, retries: 0 });
    const { origin, pathname } = new URL(url);
    const [bucket = '', ...prefix] = pathname.split('/').filter((part) => part !== '');
    this.#bucket = new URL(`/${bucket}`, origin);
    this.#prefix = prefix.map((part) => `${part}/`).join('');
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#request('PUT', this.#object(key), { bytes });
  }

  get(key: string, signal?: AbortSignal): Promise<Uint8Array | null> {
    return this.#request('GET', this.#object(key), { signal, mayBeMissing: true });
  }

  async remove(key: string): Promise<void> {
    await this.#request('DELETE', this.#object(key), { mayBeMissing: true });
  }

  async list(folder: string, after = ''): Promise<string[]> {
    const url = new URL(this.#bucket);
    const page = { 'list-type': '2', 'max-keys': String(listedMax), prefix: this.#prefix + folder };
    url.search = new URLSearchParams(after === '' ? page : { ...page, 'start-after': this.#prefix + after }).toString();
    const xml = Buffer.from((await this.#request('GET', url)) ?? []).toString();
    return Array.from(xml.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key = '']) => unescaped(key).slice(this.#prefix.length));
  }

  #object(key: string): URL {
    return new URL(`${this.#bucket.pathname}/${this.#prefix}${key}`, this.#bucket);
  }

  /** A service closes connections and is busy for a moment: a second try mostly helps. @returns the body; null when there is no such object */
  async #request(method: string, url: URL, options: RequestOptions = {}): Promise<Uint8Array | null> {
    const began = performance.now();
    try {
      return await this.#requestOnce(method, url, options);
    } catch (error) {
      const mayPass = error instanceof BlobError && error.failure === 'unavailable' && performance.now() - began < silenceMs / 2;
      if (!mayPass) throw error;
      await sleep(retryMs * (0.5 + Math.random()), undefined, options.signal && { signal: options.signal });
      return this.#requestOnce(method, url, options);
    }
  }

  async #requestOnce(method: string, url: URL, { bytes, signal, mayBeMissing = false }: RequestOptions): Promise<Uint8Array | null> {
    const watch = new SilenceWatch(Math.min(silenceMs + Math.ceil((bytes?.length ?? 0) / uploadedPerMs), requestMs));
    try {
      const request = await this.#client.sign(url.href, {
        method,
        headers: {
          'x-amz-content-sha256': createHash('sha256')
            .update(bytes ?? '')
            .digest('hex'),
        },
        ...(bytes && { body: bytes as Uint8Array<ArrayBuffer> }),
        redirect: 'manual',
      });
      // Not in the request: a signal that is only there does nothing once the request is garbage.
      const response = await fetch(request, { signal: signal ? AbortSignal.any([signal, watch.signal]) : watch.signal });
      const body = await watch.bodyOf(response);
      if (response.ok) return body;
      const failure = failureOf(response.status, body);
      if (mayBeMissing && failure === null) return null;
      throw failure ?? new BlobError('refused', 'The blob store refuses the gateway (NoSuchKey)');
    } catch (error) {
      if (error instanceof BlobError || signal?.aborted) throw signal?.aborted ? signal.reason : error;
      throw new BlobError('unavailable', 'The blob store does not answer', error);
    } finally {
      watch.stop();
    }
  }
}

interface RequestOptions {
  bytes?: Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  /** An object that does not exist is no failure. */
  mayBeMissing?: boolean;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Some services escape more characters in XML than they must, such as `/`. */
const unescaped = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(\w+));/gi, (entity, hex?: string, decimal?: string, name = '') => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : (entities[name] ?? entity);
  });

/** Null when there is no such object. A 404 without its code is of a proxy, or of another service. */
function failureOf(status: number, body: Uint8Array): BlobError | null {
  const text = Buffer.from(body.subarray(0, errorBytesMax)).toString();
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? '';
  if (status === 404 && code === 'NoSuchKey') return null;
  if (status >= 500 || status === 429 || status === 408) return new BlobError('unavailable', `The blob store is busy (${code || status})`);
  return new BlobError('refused', `The blob store refuses the gateway (${code || status})`);
}

/** Ends a request that has fallen silent, or takes too long. */
class SilenceWatch {
  readonly #cancel = new AbortController();
  readonly #end = setTimeout(() => this.#cancel.abort(), requestMs);
  #silence: NodeJS.Timeout;

  /** @param firstMs until the service answers */
  constructor(firstMs: number) {
    this.#silence = setTimeout(() => this.#cancel.abort(), firstMs);
  }

  get signal(): AbortSignal {
    return this.#cancel.signal;
  }

  async bodyOf(response: Response): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for await (const part of response.body ?? []) {
      parts.push(part);
      clearTimeout(this.#silence);
      this.#silence = setTimeout(() => this.#cancel.abort(), silenceMs);
    }
    return Buffer.concat(parts);
  }

  stop(): void {
    clearTimeout(this.#end);
    clearTimeout(this.#silence);
  }
}
