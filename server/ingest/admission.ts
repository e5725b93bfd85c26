/**
 * Admission of requests between socket and disk. Arrived bytes are charged, not announced ones: most exporters announce no length, and a
 * broken announcement must not hold capacity. So a request starts with little and grows with its body. Bodies never wait for each other,
 * which could leave all of them half read: a body without capacity is refused at once and releases its share. New requests are refused
 * earlier than growing bodies, which have the last quarter for themselves.
 */
import { retrySeconds } from '../platform/retry-seconds.ts';

/** Received bytes, compressed or not: bodies are inflated one after another, each up to `bodyBytesMax`. */
export const queueLimits = { bytesMax: 64 * 1024 * 1024, requestsMax: 256 } as const;

const newRequestBytesMax = queueLimits.bytesMax * 0.75;
/** Minimum charge of a request, from before its first byte. */
const requestBytes = 64 * 1024;

/** Ingest is overloaded, stopping, or paused by the user: retry in a moment. */
export class IngestOverload extends Error {
  /** From 1 to 5. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = retrySeconds()) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The thread that decoded the request died, for example from lack of memory. */
export class DecoderDied extends IngestOverload {}

/** The capacity that one request holds. */
export interface Admission {
  /**
   * Charges the bytes of a body so far.
   * @param bytes in total
   * @throws IngestOverload without capacity; the share of the request is released by then
   */
  arrived(bytes: number): void;
  release(): void;
}

const busy = () => new IngestOverload('The gateway is busy writing earlier spans');

export class AdmissionControl {
  #bytes = 0;
  #requests = 0;
  #empty: (() => void) | null = null;

  /**
   * @param announced Content-Length, if any
   * @throws IngestOverload before a byte of the body is read
   */
  admit(announced = 0): Admission {
    const isFull = this.#requests >= queueLimits.requestsMax || this.#bytes + requestBytes > newRequestBytesMax;
    // A single request is always admitted. An announcement holds nothing, but a body that cannot fit is refused before it is sent.
    if (this.#requests > 0 && (isFull || this.#bytes + announced > queueLimits.bytesMax)) throw busy();
    let charged: number = requestBytes;
    let isAdmitted = true;
    this.#bytes += charged;
    this.#requests++;
    const release = () => {
      if (!isAdmitted) return;
      isAdmitted = false;
      this.#bytes -= charged;
      this.#requests--;
      if (this.#requests === 0) this.#empty?.();
    };
    const arrived = (bytes: number) => {
      const more = bytes - charged;
      if (!isAdmitted || more <= 0) return;
      if (this.#requests > 1 && this.#bytes + more > queueLimits.bytesMax) {
        release();
        throw busy();
      }
      this.#bytes += more;
      charged = bytes;
    };
    return { arrived, release };
  }

  /** What is admitted now. */
  get admitted(): { requests: number; bytes: number } {
    return { requests: this.#requests, bytes: this.#bytes };
  }

  /** Resolves when no request is admitted. */
  async emptied(): Promise<void> {
    if (this.#requests > 0) await new Promise<void>((resolve) => (this.#empty = resolve));
  }
}
