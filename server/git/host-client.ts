/**
 * HTTP client for a git host. The base address comes from the settings, never from a request; redirects are followed within it only (hosts
 * redirect renamed repositories), and responses are bounded.
 */
import type { z } from 'zod';
import { jsonOf } from '../platform/json.ts';
import { GitError } from './git-host.ts';

const timeoutMs = 10_000;
const jsonBytesMax = 8 * 1024 * 1024;
const redirectsMax = 3;
const pagesMax = 100;

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT';
  token?: string;
  accept?: string;
  /** Sent as JSON. */
  body?: object;
  bytesMax?: number;
}

export class HostClient {
  readonly #base: URL;
  readonly #headers: Record<string, string>;

  /** @param base base URL of all paths */
  constructor(base: string, headers: Record<string, string> = {}) {
    this.#base = new URL(base.endsWith('/') ? base : `${base}/`);
    this.#headers = { 'User-Agent': 'glasshouse', Accept: 'application/json', ...headers };
  }

  /** The URL of a path. Each `{}` is replaced by one part, encoded, so that it stays one segment. */
  url(path: string, parts: readonly string[] = [], query: Record<string, string> = {}): URL {
    const rest = [...parts];
    if (rest.some((part) => /^\.{0,2}$/.test(part))) throw new GitError('missing', 'A part of an address cannot be empty or made of dots');
    const url = new URL(path.replaceAll('{}', () => encodeURIComponent(rest.shift() ?? '')).replace(/^\//, ''), this.#base);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  /** @throws GitError */
  async json<T>(url: URL, form: z.ZodType<T>, options: RequestOptions = {}): Promise<T> {
    return (await this.#page(url, form, options)).value;
  }

  /** Every page of a list, following its Link headers. @throws GitError */
  async pages<T>(url: URL, form: z.ZodType<T>, options: RequestOptions = {}): Promise<T[]> {
    const values: T[] = [];
    for (let next: URL | null = url; next; ) {
      if (values.length >= pagesMax) throw new GitError('too_large', `The list of the git host has more than ${pagesMax} pages`);
      const page: Page<T> = await this.#page(next, form, options);
      values.push(page.value);
      next = page.next;
    }
    return values;
  }

  /** @throws GitError */
  async bytes(url: URL, options: RequestOptions = {}): Promise<Uint8Array> {
    return readBounded(await this.#send(url, options), options.bytesMax ?? jsonBytesMax);
  }

  async #page<T>(url: URL, form: z.ZodType<T>, options: RequestOptions): Promise<Page<T>> {
    const response = await this.#send(url, options);
    const text = new TextDecoder().decode(await readBounded(response, options.bytesMax ?? jsonBytesMax));
    const read = form.safeParse(jsonOf(text));
    if (!read.success) throw new GitError('unavailable', 'The git host sent an unexpected response');
    const next = nextOf(response.headers.get('link'));
    return { value: read.data, next: next === null ? null : this.#own(next, url) };
  }

  async #send(url: URL, { method = 'GET', token, accept, body }: RequestOptions): Promise<Response> {
    const headers: Record<string, string> = { ...this.#headers, ...(accept && { Accept: accept }) };
    if (token !== undefined) headers['Authorization'] = `Bearer ${token}`;
    if (body) headers['Content-Type'] = 'application/json';
    const signal = AbortSignal.timeout(timeoutMs);
    for (let at = url, times = 0; times <= redirectsMax; times++) {
      const init: RequestInit = { method, headers, redirect: 'manual', signal, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(at, init).catch(() => Promise.reject(unavailable()));
      if (response.ok) return response;
      await response.body?.cancel().catch(() => {});
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null || method !== 'GET') throw gitErrorOf(response);
      at = this.#own(location, at);
    }
    throw unavailable();
  }

  /** Checks that an address sent by the host is within its base. */
  #own(text: string, from: URL): URL {
    const url = URL.parse(text, from.href);
    const isOwn = url?.origin === this.#base.origin && url.pathname.startsWith(this.#base.pathname);
    if (!url || !isOwn || url.username || url.password) throw new GitError('unavailable', 'The git host redirects to another address');
    return url;
  }
}

interface Page<T> {
  value: T;
  next: URL | null;
}

const unavailable = (): GitError => new GitError('unavailable', 'The git host cannot be reached now');

/** Classifies an error response. GitHub also answers 403 for rate limits, marked by headers. */
function gitErrorOf({ status, headers }: Response): GitError {
  const isRateLimited = status === 429 || headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after');
  if (isRateLimited) return new GitError('unavailable', 'The rate limit of the git host is reached');
  if (status === 401) return new GitError('unauthorized', 'The git host does not accept the connection any more');
  if (status === 403) return new GitError('forbidden', 'The git host does not allow this connection to do that');
  if ([400, 404, 409, 410, 422].includes(status)) return new GitError('missing', 'The git host did not find it');
  return new GitError('unavailable', `The git host answered ${status}`);
}

async function readBounded(response: Response, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > bytesMax) throw new GitError('too_large', `The git host sent more than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof GitError ? error : new GitError('unavailable', 'The git host stopped in the middle of its response');
  }
  return Buffer.concat(chunks);
}

/** The address of the next page, from a Link header (RFC 8288). */
function nextOf(header: string | null): string | null {
  for (const [, address, parameters = ''] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g))
    if (/;\s*rel="?(?:[^";]*\s)?next(?:\s[^";]*)?"?/i.test(parameters)) return address ?? null;
  return null;
}
