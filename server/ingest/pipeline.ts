/**
 * The way of a request from the HTTP loop to the disk: admitted by bytes, decoded in one thread, committed in another.
 * `submit` resolves after COMMIT; nothing is acknowledged before.
 */
import type { EnvironmentAttribution } from '../platform/environment-attribution.ts';
import type { Scope } from '../platform/scope.ts';
import { startThread, type Thread } from '../platform/thread.ts';
import { type Admission, IngestOverload, IngestRoom } from './admission.ts';
import type { Allowance } from './allowance.ts';
import type { PriceOverrides } from './cost/own-prices.ts';
import type { DecodeProtocol, DecodeReply, RefusalCode, Signal } from './decode-thread.ts';
import type { Intake, IntakeStore, WriteOutcome } from './intake.ts';
import type { Encoding } from './otlp/inflate.ts';
import type { Recognised } from './prepare/prepare.ts';

export interface IngestBody {
  signal: Signal;
  bytes: Uint8Array;
  /** Null: as they are. */
  encoding: Encoding | null;
  protobuf: boolean;
}

/** Conditions of a write beside its data. */
export interface Conditions {
  received_ms: number;
  /** Null: the environment named in the spans applies. */
  attribution: EnvironmentAttribution | null;
  /** Null: it is not counted. */
  allowance: Allowance | null;
}

export interface IngestOutcome extends WriteOutcome {
  /** Spans that cannot be stored. */
  rejected: number;
  /** Reasons of rejections and adjustments, as a few lines for a developer. */
  reasons: string[];
  /** Setting to change when nothing in the request was usable; else ''. */
  hint: string;
  recognised: Recognised;
}

/** The request was refused whole. */
export class IngestRefusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

interface Waiting {
  resolve(reply: Extract<DecodeReply, { kind: 'decoded' }>): void;
  reject(error: Error): void;
}

export class IngestPipeline {
  readonly #entry: URL;
  readonly #store: IntakeStore;
  readonly #prices: PriceOverrides;
  #thread!: Thread<DecodeProtocol>;
  #intake!: Intake;
  readonly #decoding = new Map<number, Waiting>();
  #nextId = 1;
  readonly #room = new IngestRoom();
  #stopping = false;
  #paused = false;
  readonly #onPause = new Set<() => void>();

  constructor(entry: URL, store: IntakeStore, prices: PriceOverrides) {
    this.#entry = entry;
    this.#store = store;
    this.#prices = prices;
    this.#startDecoding();
  }

  #startDecoding(): void {
    this.#intake = this.#store.openIntake();
    this.#thread = startThread<DecodeProtocol>(this.#entry, { role: 'decode', prices: this.#prices });
    const { port, coming } = this.#intake;
    this.#thread.postMessage({ kind: 'intake', port, coming }, [port]);
    this.#thread.on('message', (reply) => this.#decoded(reply));
    this.#thread.on('error', () => this.#recover());
  }

  get isPaused(): boolean {
    return this.#paused;
  }

  /** Refuses new requests while paused; admitted ones continue. */
  pause(isPaused: boolean): void {
    this.#paused = isPaused;
    for (const changed of this.#onPause) changed();
  }

  /** Calls back when it was paused or resumed, until the returned function is called. */
  followPause(changed: () => void): () => void {
    this.#onPause.add(changed);
    return () => this.#onPause.delete(changed);
  }

  /**
   * @param announced Content-Length, if any
   * @throws IngestOverload before a byte of the body is read
   */
  admit(announced?: number): Admission {
    if (this.#stopping) throw new IngestOverload('The gateway is shutting down', 1);
    if (this.#paused) throw new IngestOverload('Receiving is paused', 5);
    return this.#room.admit(announced);
  }

  /**
   * @throws IngestRefusal when the body cannot be read as a traces request
   * @throws StorageError when it could not be stored now
   * @throws AllowanceSpent when the tenant may not write so much more
   */
  async submit(scope: Scope, { signal, bytes, encoding, protobuf }: IngestBody, conditions: Conditions): Promise<IngestOutcome> {
    const id = this.#nextId++;
    const intake = this.#intake;
    const written = intake.written(id);
    // Settled or forgotten below; a store that fails first must not become an unhandled rejection.
    written.catch(() => {});
    try {
      const { handed, rejected, reasons, hint, recognised } = await new Promise<Extract<DecodeReply, { kind: 'decoded' }>>(
        (resolve, reject) => {
          this.#decoding.set(id, { resolve, reject });
          const body = ownBuffer(bytes);
          Atomics.add(intake.coming, 0, 1);
          this.#thread.postMessage({ kind: 'decode', id, scope, signal, body, encoding, protobuf, ...conditions }, [body.buffer]);
        },
      );
      if (!handed) return { accepted: 0, duplicates: 0, conflicts: [], rejected, reasons, hint, recognised };
      return { ...(await written), rejected, reasons, hint, recognised };
    } finally {
      intake.forget(id);
    }
  }

  /** Waits until all admitted requests are answered. */
  async drain(): Promise<void> {
    this.#stopping = true;
    await this.#room.emptied();
  }

  async stop(): Promise<void> {
    await this.drain();
    await this.#thread.terminate();
  }

  #decoded(reply: DecodeReply): void {
    // A decode thread may die just after its answer, when its requests were already failed.
    const waiting = this.#decoding.get(reply.id);
    this.#decoding.delete(reply.id);
    if (reply.kind === 'decoded') waiting?.resolve(reply);
    else waiting?.reject(new IngestRefusal(reply.code, reply.message));
  }

  /** Fails the requests of a dead decode thread (out of memory, say); their senders retry. */
  #recover(): void {
    Atomics.store(this.#intake.coming, 0, 0);
    for (const waiting of this.#decoding.values()) waiting.reject(new IngestOverload('The decoder failed and was started again'));
    this.#decoding.clear();
    if (!this.#stopping) this.#startDecoding();
  }
}

/** A view of a buffer that may be given away. Node's own Buffers may share a pool with others and are copied. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Buffer.isBuffer(bytes) ? new Uint8Array(bytes) : (bytes as Uint8Array<ArrayBuffer>);
}
