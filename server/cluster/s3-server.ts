/**
 * An S3 of one's own over a folder, for tests and for a cluster on one machine: objects by path, ListObjectsV2, and the signatures of version 4.
 * It can be told to fail.
 */
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BlobStore, S3Place } from '../blobs/blob-store.ts';
import { FolderBlobs } from '../blobs/folder-blobs.ts';

/** `hang`: takes requests, and does not answer. `reset`: closes their connections. */
export type S3Fault = 'slow-down' | 'hang' | 'reset';

const bucket = 'glasshouse';
const region = 'eu-test-1';
const clockMaxMs = 15 * 60_000;

export class S3Server {
  /** What requests meet; null for none. */
  fault: S3Fault | null = null;
  /** Requests that were answered or met a fault, such as `PUT tenant/app/text/…`. */
  readonly requests: string[] = [];
  readonly #objects: BlobStore;
  readonly #keys: { keyId: string; keySecret: string };
  readonly #server: Server;

  private constructor(folder: string, keys: { keyId: string; keySecret: string }, listedMax: number) {
    this.#objects = new FolderBlobs(folder, listedMax);
    this.#keys = keys;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: Error) => refuse(response, 500, 'InternalError', error.message));
    });
  }

  /** @param port 0 for any free one @param listedMax keys of one list: a service may list fewer than it is asked for */
  static async start(folder: string, keys: { keyId: string; keySecret: string }, { port = 0, listedMax = 1000 } = {}): Promise<S3Server> {
    const started = new S3Server(folder, keys, listedMax);
    await once(started.#server.listen(port, '127.0.0.1'), 'listening');
    return started;
  }

  get place(): S3Place {
    const { port } = this.#server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/${bucket}/fleet`, region, ...this.#keys };
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const [, name, ...path] = url.pathname.split('/');
    const key = path.join('/');
    this.requests.push(`${request.method} ${key || url.search}`);
    if (this.fault === 'hang') return;
    if (this.fault === 'reset') return void request.socket.destroy();
    const body = Buffer.concat(await request.toArray());
    if (this.fault === 'slow-down') return refuse(response, 503, 'SlowDown');
    const wrong = signatureError(request, url, body, this.#keys);
    if (wrong) return refuse(response, 403, wrong);
    if (name !== bucket) return refuse(response, 404, 'NoSuchBucket');
    if (key === '' && request.method === 'GET') return this.#list(url.searchParams, response);
    return this.#object(request.method ?? '', key, body, response);
  }

  async #object(method: string, key: string, body: Buffer, response: ServerResponse): Promise<void> {
    if (method === 'PUT') {
      await this.#objects.put(key, body);
      response.setHeader('ETag', `"${createHash('md5').update(body).digest('hex')}"`).end();
    } else if (method === 'DELETE') {
      await this.#objects.remove(key);
      response.writeHead(204).end();
    } else if (method === 'GET' || method === 'HEAD') {
      const bytes = await this.#objects.get(key);
      if (!bytes) return refuse(response, 404, 'NoSuchKey');
      response.setHeader('Content-Length', bytes.length).end(method === 'GET' ? bytes : undefined);
    } else refuse(response, 405, 'MethodNotAllowed');
  }

  /** Of a prefix that ends with `/`, from `start-after` on; without continuation tokens. */
  async #list(params: URLSearchParams, response: ServerResponse): Promise<void> {
    const prefix = params.get('prefix') ?? '';
    if (params.get('list-type') !== '2' || !/^$|\/$/.test(prefix)) return refuse(response, 501, 'NotImplemented');
    const max = Number(params.get('max-keys') ?? 1000);
    const keys = await this.#objects.list(prefix, params.get('start-after') ?? '');
    const contents = keys.slice(0, max).map((key) => `<Contents><Key>${key}</Key></Contents>`);
    const isTruncated = keys.length >= Math.min(max, 1000);
    const xml = `<ListBucketResult><Name>${bucket}</Name><Prefix>${prefix}</Prefix><KeyCount>${contents.length}</KeyCount>
<IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}</ListBucketResult>`;
    response.setHeader('Content-Type', 'application/xml').end(xml);
  }
}

function refuse(response: ServerResponse, status: number, code: string, message = code): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const authorisation =
  /^AWS4-HMAC-SHA256 Credential=(?<keyId>[^/]+)\/(?<date>\d{8})\/(?<region>[^/]+)\/s3\/aws4_request, *SignedHeaders=(?<signed>[^,]+), *Signature=(?<signature>[0-9a-f]{64})$/;

/** Code of the error of a request that is not signed with the keys, or whose body is another one; null for a good one. */
function signatureError(request: IncomingMessage, url: URL, body: Buffer, keys: { keyId: string; keySecret: string }): string | null {
  const { headers } = request;
  const groups = authorisation.exec(headers.authorization ?? '')?.groups;
  if (!groups) return 'AccessDenied';
  const { keyId, date = '', region: signedRegion, signed = '', signature } = groups;
  const time = String(headers['x-amz-date']);
  if (keyId !== keys.keyId) return 'InvalidAccessKeyId';
  if (signedRegion !== region || !time.startsWith(date)) return 'AuthorizationHeaderMalformed';
  const sentMs = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(sentMs - Date.now()) < clockMaxMs)) return 'RequestTimeTooSkewed';
  const bodyHash = String(headers['x-amz-content-sha256']);
  if (bodyHash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const names = signed.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name))) return 'AccessDenied';
  const search = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    search.join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, ' ')}`),
    '',
    signed,
    bodyHash,
  ].join('\n');
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${keys.keySecret}`);
  const scope = `${date}/${region}/s3/aws4_request`;
  const expected = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
  return signature === expected ? null : 'SignatureDoesNotMatch';
}
