/**
 * Reads JSON bodies: small ones here, large ones in a thread that is started when the first one comes. What waits for the thread is bounded
 * in bytes, in all and for each tenant, and tenants take turns.
 */
import type { IncomingMessage } from 'node:http';
import type { Worker } from 'node:worker_threads';
import { bodyLimitOf, bodyLimits } from '../../shared/contract/body-limit.ts';
import type { Route } from '../../shared/contract/route.ts';
import { startWorker } from '../platform/worker.ts';
import type { BodyReply, BodyRequest, BodyTask } from './body-thread.ts';
import { Failure, failForNow } from './fail.ts';
import { inflatesBeyond, readSent, type SentBody } from './parse-body.ts';
import { contentLength, readBytes, readMedia } from './read-body.ts';

/** Bytes of large bodies, as sent, that may be coming in or waiting. */
const waitingLimits = { all: 64 * 1024 * 1024, tenant: 32 * 1024 * 1024 } as const;
const retrySeconds = 1;
/** After so long without work the thread ends, and its memory is free. */
const restMs = 60_000;

interface Job extends BodyRequest {
  tenant: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class BodyReader {
  readonly #entry: URL;
  readonly #room = new Room();
  /** By tenant: the first of each, in turn. */
  readonly #waiting = new Map<string, Job[]>();
  #worker: Worker | null = null;
  #job: Job | null = null;
  #rest: NodeJS.Timeout | null = null;

  /** @param entry the worker file */
  constructor(entry: URL) {
    this.#entry = entry;
  }

  /**
   * The body as the schema of its route gives it.
   * @param tenant '' where there are none
   * @throws Failure
   */
  async read(request: IncomingMessage, route: Route, tenant: string): Promise<unknown> {
    const limit = bodyLimitOf(route);
    const { gzip } = readMedia(request, ['application/json'], limit.gzip);
    const place = this.#room.for(tenant);
    try {
      // One that says how large it will be is refused before it is sent; one too large for the route is told so by `readBytes`.
      place.grow(Math.min(contentLength(request) ?? 0, limit.bytes));
      const sent = { bytes: await readBytes(request, limit.bytes, (size) => place.grow(size)), gzip };
      const isLarge =
        sent.bytes.length > bodyLimits.usual || (gzip && limit.bytes > bodyLimits.usual && inflatesBeyond(sent.bytes, bodyLimits.usual));
      return isLarge ? await this.#inThread(sent, route, tenant) : readSent(sent, route);
    } finally {
      place.leave();
    }
  }

  /** Ends the thread. What still waits for it is not answered. */
  async stop(): Promise<void> {
    if (this.#rest) clearTimeout(this.#rest);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #inThread(body: SentBody, { id }: Route, tenant: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const mine = this.#waiting.get(tenant);
      const job = { route: id, body, tenant, resolve, reject };
      if (mine) mine.push(job);
      else this.#waiting.set(tenant, [job]);
      if (!this.#job) this.#next();
    });
  }

  #next(): void {
    this.#job = this.#take();
    if (this.#rest) clearTimeout(this.#rest);
    if (!this.#job) {
      this.#rest = setTimeout(() => this.stop(), restMs).unref();
      return;
    }
    this.#worker ??= this.#start();
    const { route, body } = this.#job;
    this.#worker.postMessage({ route, body } satisfies BodyRequest, [body.bytes.buffer as ArrayBuffer]);
  }

  /** The first of the tenant whose turn it is, who goes to the end of the line. */
  #take(): Job | null {
    const [turn] = this.#waiting;
    if (!turn) return null;
    const [tenant, jobs] = turn;
    const job = jobs.shift() ?? null;
    this.#waiting.delete(tenant);
    if (jobs.length > 0) this.#waiting.set(tenant, jobs);
    return job;
  }

  #start(): Worker {
    const worker = startWorker(this.#entry, { role: 'body' } satisfies BodyTask);
    worker.on('message', (reply: BodyReply) => {
      if (reply.kind === 'read') this.#job?.resolve(reply.value);
      else this.#job?.reject(new Failure(reply.code, reply.message, reply.extras));
      this.#next();
    });
    // Its own error, or the end that follows one: only the first counts.
    const failed = () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#job?.reject(new Failure('service_unavailable', 'Reading the body failed; send it again', {}, retrySeconds));
      this.#next();
    };
    worker.on('error', failed);
    worker.on('exit', failed);
    worker.unref();
    return worker;
  }
}

/** Counts what large bodies hold. */
class Room {
  #all = 0;
  readonly #tenants = new Map<string, number>();

  for(tenant: string): { grow(size: number): void; leave(): void } {
    let held = 0;
    const hold = (size: number) => {
      const ofTenant = (this.#tenants.get(tenant) ?? 0) + size - held;
      this.#all += size - held;
      if (ofTenant === 0) this.#tenants.delete(tenant);
      else this.#tenants.set(tenant, ofTenant);
      held = size;
    };
    return {
      grow: (size) => {
        if (size <= Math.max(held, bodyLimits.usual)) return;
        const [all, ofTenant] = [this.#all - held, (this.#tenants.get(tenant) ?? 0) - held];
        if (all + size > waitingLimits.all || ofTenant + size > waitingLimits.tenant)
          failForNow('service_unavailable', 'Too many large bodies are being read; send it again', retrySeconds);
        hold(size);
      },
      leave: () => hold(0),
    };
  }
}
