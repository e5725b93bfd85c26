/**
 * How much may wait between the socket and the disk. What arrives is charged, not what is announced: most exporters announce nothing, and
 * an announcement that is never kept must not hold room that others need. So a request starts with little and grows as its body comes.
 * Bodies never wait for each other, which could leave all of them half read: whatever finds no room is refused at once and gives back what
 * it held, so those that stay get further. Newcomers are refused earlier than bodies that grow, for which the last quarter is kept.
 */
import { retrySeconds } from '../platform/retry-seconds.ts';

/** Bytes as they come, compressed or not: they are inflated one after another, each up to `bodyBytesMax`. */
export const queueLimits = { bytesMax: 64 * 1024 * 1024, requestsMax: 256 } as const;

const newcomerBytesMax = queueLimits.bytesMax * 0.75;
/** What a request is charged before a byte of its body came, and at the least. */
const requestBytes = 64 * 1024;

/** Too much waits already, the gateway is stopping, or its user paused it: come back in a moment. */
export class IngestOverload extends Error {
  /** From 1 to 5. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = retrySeconds()) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Room for one request. */
export interface Admission {
  /**
   * Its body has come so far.
   * @param bytes in all
   * @throws IngestOverload when there is no room for so much; what the request held is free by then
   */
  arrived(bytes: number): void;
  release(): void;
}

const busy = () => new IngestOverload('The gateway is busy writing earlier spans');

export class IngestRoom {
  #bytes = 0;
  #requests = 0;
  #empty: (() => void) | null = null;

  /**
   * @param announced how long the body will be, as far as its sender says
   * @throws IngestOverload before a byte of the body is read
   */
  admit(announced = 0): Admission {
    const isFull = this.#requests >= queueLimits.requestsMax || this.#bytes + requestBytes > newcomerBytesMax;
    // One alone is always let in. What is announced holds nothing, but a body that cannot fit needs not be sent.
    if (this.#requests > 0 && (isFull || this.#bytes + announced > queueLimits.bytesMax)) throw busy();
    let charged: number = requestBytes;
    let isHeld = true;
    this.#bytes += charged;
    this.#requests++;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      this.#bytes -= charged;
      this.#requests--;
      if (this.#requests === 0) this.#empty?.();
    };
    const arrived = (bytes: number) => {
      const more = bytes - charged;
      if (!isHeld || more <= 0) return;
      if (this.#requests > 1 && this.#bytes + more > queueLimits.bytesMax) {
        release();
        throw busy();
      }
      this.#bytes += more;
      charged = bytes;
    };
    return { arrived, release };
  }

  /** Resolves when no request is in it. */
  async emptied(): Promise<void> {
    if (this.#requests > 0) await new Promise<void>((resolve) => (this.#empty = resolve));
  }
}
