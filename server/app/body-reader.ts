/**
 * Parses JSON bodies: small ones here, large ones in a thread. Bodies that wait for the thread are limited in bytes, in total and for each
 * tenant.
 */
import type { IncomingMessage } from 'node:http';
import { bodyLimitOf, bodyLimits } from '../../shared/contract/core/body-limit.ts';
import type { Route } from '../../shared/contract/core/route.ts';
import { ThreadQueue } from '../platform/thread-queue.ts';
import type { BodyProtocol } from './body-thread.ts';
import { Failure, failForNow } from './fail.ts';
import { failForDeadThread } from './overload.ts';
import { inflatesBeyond, readSentBody, type SentBody } from './parse-body.ts';
import { contentLength, readBytes, readMedia } from './read-body.ts';

/** Bytes of large bodies, as sent, that may be arriving or waiting. */
const pendingBytesMax = { all: 64 * 1024 * 1024, tenant: 32 * 1024 * 1024 } as const;
const retrySeconds = 1;

export class BodyReader {
  readonly #pending = new PendingBytes();
  readonly #thread: ThreadQueue<BodyProtocol>;

  /** @param entry the worker file */
  constructor(entry: URL) {
    this.#thread = new ThreadQueue(entry, { role: 'body' });
  }

  /**
   * Body validated by the schema of its route.
   * @param tenant '' without tenants
   * @throws Failure
   */
  async read(request: IncomingMessage, route: Route, tenant: string): Promise<unknown> {
    const limit = bodyLimitOf(route);
    const gzip = readMedia(request, ['application/json'], limit.gzip ? ['gzip'] : []).encoding === 'gzip';
    const reservation = this.#pending.reserve(tenant);
    try {
      // An announced length is checked before the body is sent; `readBytes` checks the limit of the route.
      reservation.grow(Math.min(contentLength(request) ?? 0, limit.bytes));
      const bytes = await readBytes(request, limit.bytes, (size) => reservation.grow(size));
      return isLarge(bytes, gzip, limit.bytes)
        ? await this.#inThread({ bytes, gzip }, route, tenant)
        : readSentBody({ bytes, gzip }, route);
    } finally {
      reservation.leave();
    }
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  async #inThread(body: SentBody<ArrayBuffer>, { id }: Route, tenant: string): Promise<unknown> {
    const reply = await this.#thread.ask(tenant, 'read', { route: id, body }, [body.bytes.buffer]).catch(failForDeadThread);
    if (reply.kind === 'refused') throw new Failure(reply.code, reply.message, reply.extras);
    return reply.value;
  }
}

const isLarge = (bytes: Uint8Array, gzip: boolean, bytesMax: number): boolean =>
  bytes.length > bodyLimits.standard || (gzip && bytesMax > bodyLimits.standard && inflatesBeyond(bytes, bodyLimits.standard));

/** Counts the bytes of large bodies. */
class PendingBytes {
  #all = 0;
  readonly #tenants = new Map<string, number>();

  reserve(tenant: string): { grow(size: number): void; leave(): void } {
    let heldBytes = 0;
    const setHeldBytes = (size: number) => {
      const ofTenant = (this.#tenants.get(tenant) ?? 0) + size - heldBytes;
      this.#all += size - heldBytes;
      if (ofTenant === 0) this.#tenants.delete(tenant);
      else this.#tenants.set(tenant, ofTenant);
      heldBytes = size;
    };
    return {
      grow: (size) => {
        if (size <= Math.max(heldBytes, bodyLimits.standard)) return;
        const [all, ofTenant] = [this.#all - heldBytes, (this.#tenants.get(tenant) ?? 0) - heldBytes];
        if (all + size > pendingBytesMax.all || ofTenant + size > pendingBytesMax.tenant)
          failForNow('service_unavailable', 'Too many large bodies are being read; send it again', retrySeconds);
        setHeldBytes(size);
      },
      leave: () => setHeldBytes(0),
    };
  }
}
