/**
 * Takes a request from the HTTP loop to its sink: admitted by its bytes, decoded in a thread.
 * `submit` resolves when it is durable; nothing is acknowledged before.
 */
import { must } from '../platform/assert.ts';
import type { EnvironmentAttribution } from '../platform/environment-attribution.ts';
import type { Scope } from '../platform/scope.ts';
import { startThread, type Thread } from '../platform/thread.ts';
import { type Admission, AdmissionControl, DecoderDied, IngestOverload } from './admission.ts';
import type { Allowance } from './allowance.ts';
import type { PriceOverrides } from './cost/own-prices.ts';
import type { DecodeProtocol, DecodeReply, RefusalCode, Signal } from './decode-thread.ts';
import type { Encoding } from './otlp/inflate.ts';
import type { SpanCounts } from './prepare/prepare.ts';
import type { Sink, SinkChannel, WriteOutcome } from './sink.ts';

export interface IngestBody {
  signal: Signal;
  bytes: Uint8Array;
  /** Null: not compressed. */
  encoding: Encoding | null;
  protobuf: boolean;
}

/** Conditions of a write, apart from its data. */
export interface Conditions {
  received_ms: number;
  /** Null: each span is attributed to the environment that it names. */
  attribution: EnvironmentAttribution | null;
  /** Null: usage is not counted. */
  allowance: Allowance | null;
}

export interface IngestOutcome extends WriteOutcome {
  /** Spans that cannot be stored. */
  rejected: number;
  /** Reasons of rejections and adjustments, as a few lines for a developer. */
  reasons: string[];
  /** Setting to change when nothing in the request was usable; else ''. */
  hint: string;
  spanCounts: SpanCounts;
}

/** The whole request was refused. */
export class IngestRefusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

type Decoded = Extract<DecodeReply, { kind: 'decoded' }>;

interface PendingRequest {
  resolve(reply: Decoded): void;
  reject(error: Error): void;
}

interface Decoder {
  thread: Thread<DecodeProtocol>;
  /** Null: batches are offered to the sink. */
  channel: SinkChannel | null;
}

export class IngestPipeline {
  readonly #entry: URL;
  readonly #sink: Sink;
  readonly #prices: PriceOverrides;
  /** Started when the first request is admitted. */
  #decoder: Decoder | null = null;
  readonly #decoding = new Map<number, PendingRequest>();
  #nextId = 1;
  readonly #admission = new AdmissionControl();
  #rejectedSpans = 0;
  #stopping = false;
  #paused = false;
  readonly #onPause = new Set<() => void>();

  constructor(entry: URL, sink: Sink, prices: PriceOverrides) {
    this.#entry = entry;
    this.#sink = sink;
    this.#prices = prices;
  }

  /** The decoder, which is started unless it runs. */
  #running(): Decoder {
    this.#decoder ??= this.#startDecoder();
    return this.#decoder;
  }

  #startDecoder(): Decoder {
    const channel = this.#sink.openChannel?.() ?? null;
    const thread = startThread<DecodeProtocol>(this.#entry, { role: 'decode', prices: this.#prices });
    if (channel) thread.postMessage({ kind: 'channel', port: channel.port, inFlight: channel.inFlight }, [channel.port]);
    thread.on('message', (reply) => this.#decoded(reply));
    thread.on('error', () => this.#recover());
    return { thread, channel };
  }

  /** Requests that are admitted and not yet answered, with the bytes that they are charged. */
  get queue(): { requests: number; bytes: number } {
    return this.#admission.admitted;
  }

  /** Number of spans that could not be stored, since the start. */
  get rejectedSpans(): number {
    return this.#rejectedSpans;
  }

  get isPaused(): boolean {
    return this.#paused;
  }

  /** Refuses new requests while paused; admitted ones continue. */
  pause(isPaused: boolean): void {
    this.#paused = isPaused;
    for (const changed of this.#onPause) changed();
  }

  /** Calls back when ingest is paused or resumed, until the returned function is called. */
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
    // It starts while the body arrives.
    this.#running();
    return this.#admission.admit(announced);
  }

  /**
   * @throws IngestRefusal when the body is not a request of its signal
   * @throws StorageError when it cannot be stored now
   * @throws QuotaExceeded when it exceeds the quota of the tenant
   */
  async submit(scope: Scope, { signal, bytes, encoding, protobuf }: IngestBody, conditions: Conditions): Promise<IngestOutcome> {
    const id = this.#nextId++;
    const { thread, channel } = this.#running();
    const written = channel?.written(id);
    // Settled or forgotten below; a sink that fails first must not become an unhandled rejection.
    written?.catch(() => {});
    try {
      const { hasBatch, batch, rejected, reasons, hint, spanCounts } = await new Promise<Decoded>((resolve, reject) => {
        this.#decoding.set(id, { resolve, reject });
        const body = ownBuffer(bytes);
        if (channel) Atomics.add(channel.inFlight, 0, 1);
        thread.postMessage({ kind: 'decode', id, scope, signal, body, encoding, protobuf, ...conditions }, [body.buffer]);
      });
      this.#rejectedSpans += rejected;
      if (!hasBatch) return { accepted: 0, duplicates: 0, conflicts: [], rejected, reasons, hint, spanCounts };
      const outcome = batch ? await this.#sink.offer(scope, batch, conditions.allowance) : await must(written, 'a batch goes one way');
      return { ...outcome, rejected, reasons, hint, spanCounts };
    } finally {
      channel?.forget(id);
    }
  }

  /** Waits until all admitted requests are answered. */
  async drain(): Promise<void> {
    this.#stopping = true;
    await this.#admission.emptied();
  }

  async stop(): Promise<void> {
    await this.drain();
    await this.#decoder?.thread.terminate();
  }

  #decoded(reply: DecodeReply): void {
    // The request is no longer pending if the decode thread died just after this reply.
    const pending = this.#decoding.get(reply.id);
    this.#decoding.delete(reply.id);
    if (reply.kind === 'decoded') pending?.resolve(reply);
    else pending?.reject(new IngestRefusal(reply.code, reply.message));
  }

  /** Fails the requests of a decode thread that died, for example from lack of memory. Their senders retry, with a new thread. */
  #recover(): void {
    if (this.#decoder?.channel) Atomics.store(this.#decoder.channel.inFlight, 0, 0);
    this.#decoder = null;
    for (const pending of this.#decoding.values()) pending.reject(new DecoderDied('The decoder failed and was restarted'));
    this.#decoding.clear();
  }
}

/** Bytes whose buffer may be transferred. A Buffer of Node may share its memory with others, so it is copied. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Buffer.isBuffer(bytes) ? new Uint8Array(bytes) : (bytes as Uint8Array<ArrayBuffer>);
}
