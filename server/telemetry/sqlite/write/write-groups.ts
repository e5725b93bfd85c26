/**
 * Group commit. Messages that arrive during a commit share the next one, as do requests that are being decoded; a single message is committed
 * at once.
 */
import { receiveMessageOnPort } from 'node:worker_threads';
import { unpack } from '../../../ingest/prepare/pack.ts';
import type { Port } from '../../../platform/thread.ts';
import type { WriteMessage } from './write-messages.ts';
import type { WriteRequest } from './writer.ts';

/** Larger groups gain nothing and make the first member wait. */
const groupRowsMax = 1500;
const groupBytesMax = 8 * 1024 * 1024;
/** Smaller groups wait for requests being decoded, up to this limit: a commit of two requests costs little more than that of one. */
const groupRowsWanted = 200;
const patienceMs = 5;

export type Waiting = WriteRequest & { id: number };

export class WriteGroups {
  readonly #write: (group: Waiting[]) => void;
  readonly #ports: Port<never, WriteMessage>[] = [];
  /** Number of messages on their way, for each port. */
  readonly #coming: Int32Array[] = [];
  #group: Waiting[] = [];
  #rows = 0;
  #bytes = 0;
  #patience: NodeJS.Timeout | undefined;

  constructor(write: (group: Waiting[]) => void) {
    this.#write = write;
  }

  /** @param coming see `Intake.coming` */
  listen(port: Port<never, WriteMessage>, coming: Int32Array): void {
    this.#ports.push(port);
    this.#coming.push(coming);
    port.on('message', (message) => {
      this.#add(message);
      this.#addWaiting();
      if (this.#rows >= groupRowsWanted || this.#coming.every((count) => Atomics.load(count, 0) <= 0)) this.#finish();
      else this.#patience ??= setTimeout(() => this.#finish(), patienceMs);
    });
  }

  /** Writes all pending messages, then accepts no more. */
  stop(): void {
    do {
      this.#finish();
      this.#addWaiting();
    } while (this.#group.length > 0);
    for (const port of this.#ports) port.close();
  }

  #addWaiting(): void {
    for (const port of this.#ports) {
      while (this.#rows < groupRowsMax && this.#bytes < groupBytesMax) {
        const waiting = receiveMessageOnPort(port);
        if (!waiting) break;
        this.#add(waiting.message as WriteMessage);
      }
    }
  }

  #add(message: WriteMessage): void {
    if ('batch' in message) {
      const batch = unpack(message.batch);
      this.#group.push({ ...message, batch });
      this.#rows += batch.spans.length + batch.logs.length;
      this.#bytes += batch.bytes.length;
    } else {
      this.#group.push(message);
      this.#rows += message.change.insert.length + message.change.remove.length;
    }
  }

  #finish(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    const group = this.#group;
    [this.#group, this.#rows, this.#bytes] = [[], 0, 0];
    if (group.length > 0) this.#write(group);
  }
}
