/**
 * Group commit. Messages that arrive during a commit share the next one, and so do requests that are being decoded. A single message is
 * committed at once.
 */
import { receiveMessageOnPort } from 'node:worker_threads';
import { ReceivedTerms } from '../../../ingest/prepare/channel-terms.ts';
import { unpack } from '../../../ingest/prepare/pack.ts';
import type { Port } from '../../../platform/thread.ts';
import type { WriteMessage } from './write-messages.ts';
import type { WriteRequest } from './writer.ts';

/** Larger groups gain nothing and make the first member wait. */
const groupRowsMax = 1500;
const groupBytesMax = 8 * 1024 * 1024;
/**
 * A commit of many requests costs little more than that of one, so a group waits briefly for half of the rows that are on their way: the other
 * half is decoded while it is written.
 */
const groupRowsWanted = { min: 200, max: 1000 };
const groupWaitMs = 20;

export type PendingRequest = WriteRequest & { id: number };

/** @param coming number of requests that are being decoded */
function rowsWanted(rows: number, requests: number, coming: number): number {
  const onTheirWay = rows + (rows / requests) * coming;
  return Math.min(Math.max(groupRowsWanted.min, onTheirWay / 2), groupRowsWanted.max);
}

interface Channel {
  port: Port<never, WriteMessage>;
  /** Number of messages on their way. */
  coming: Int32Array;
  terms: ReceivedTerms;
}

export class WriteGroups {
  readonly #write: (group: PendingRequest[]) => void;
  readonly #channels: Channel[] = [];
  #group: PendingRequest[] = [];
  #rows = 0;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (group: PendingRequest[]) => void) {
    this.#write = write;
  }

  /** @param coming see `SinkChannel.inFlight` */
  listen(port: Port<never, WriteMessage>, coming: Int32Array): void {
    const channel: Channel = { port, coming, terms: new ReceivedTerms() };
    this.#channels.push(channel);
    port.on('message', (message) => {
      this.#add(message, channel);
      this.#addQueued();
      const coming = this.#channels.reduce((count, each) => count + Math.max(0, Atomics.load(each.coming, 0)), 0);
      if (coming === 0 || this.#rows >= rowsWanted(this.#rows, this.#group.length, coming)) this.#finish();
      else this.#timer ??= setTimeout(() => this.#finish(), groupWaitMs);
    });
  }

  /** Writes all queued messages, then closes the ports. */
  stop(): void {
    do {
      this.#finish();
      this.#addQueued();
    } while (this.#group.length > 0);
    for (const { port } of this.#channels) port.close();
  }

  #addQueued(): void {
    for (const channel of this.#channels) {
      while (this.#rows < groupRowsMax && this.#bytes < groupBytesMax) {
        const queued = receiveMessageOnPort(channel.port);
        if (!queued) break;
        this.#add(queued.message as WriteMessage, channel);
      }
    }
  }

  #add(message: WriteMessage, { terms }: Channel): void {
    if ('batch' in message) {
      const batch = unpack(message.batch, terms);
      this.#group.push({ ...message, batch });
      this.#rows += batch.spans.length + batch.logs.length;
      this.#bytes += batch.bytes.length;
    } else {
      this.#group.push(message);
      this.#rows += 'tags' in message ? message.tags.trace_ids.length : message.change.insert.length + message.change.remove.length;
    }
  }

  #finish(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const group = this.#group;
    [this.#group, this.#rows, this.#bytes] = [[], 0, 0];
    if (group.length > 0) this.#write(group);
  }
}
