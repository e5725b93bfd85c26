/** Changes of a store, as its one writer of a tenant takes them: they can wait in a journal until then. */
import type { Score } from '../../shared/contract/evaluation/scores.ts';
import type { RunawayThresholdChange } from '../../shared/contract/tracing/runaways.ts';
import { type Allowance, type ExceededQuota, QuotaExceeded } from '../ingest/allowance.ts';
import type { PackedBatch } from '../ingest/prepare/pack.ts';
import type { PreparedBatch } from '../ingest/prepare/prepared.ts';
import type { WriteOutcome } from '../ingest/sink.ts';
import type { EnvironmentAttribution } from '../platform/environment-attribution.ts';
import type { Scope } from '../platform/scope.ts';
import { StorageError } from './storage-error.ts';
import type { TelemetryStore } from './store.ts';
import type { TraceSelection } from './trace-deletions.ts';
import type { TagChange } from './trace-tags.ts';

export interface BatchRequest {
  kind: 'batch';
  scope: Scope;
  batch: PreparedBatch;
  /** Null: usage is not counted. */
  allowance: Allowance | null;
}

/** A batch as it is sent to another thread. */
export type PackedRequest = Omit<BatchRequest, 'batch'> & { batch: PackedBatch };

/** All but batches are JSON values. */
export type ChangeRequest = { scope: Scope } & (
  | { kind: 'tags'; tags: TagChange }
  | { kind: 'scores'; scores: readonly Score[]; attribution: EnvironmentAttribution | null }
  | { kind: 'score removal'; id: string }
  | { kind: 'deletion'; id: string; selection: TraceSelection }
  | { kind: 'erasure' }
  | { kind: 'runaway threshold'; change: RunawayThresholdChange }
);

export type StoreRequest = BatchRequest | ChangeRequest;
export type SentRequest = PackedRequest | ChangeRequest;

/** `value` is the result of a change: a JSON value. */
export type StoreResult = { outcome: WriteOutcome } | { spent: ExceededQuota } | { value: unknown } | { error: StorageError };

/** Takes changes to where they are durable. */
export interface StoreWriter {
  /** Never rejects. A request with an error changed nothing, or may be repeated. */
  write(request: SentRequest): Promise<StoreResult>;
  /** Resolves when all changes have their results. */
  stop(): Promise<void>;
}

export interface JournalRequest {
  /** A later one has a higher number. */
  number: number;
  /** See `OwnedTelemetry.encode`. */
  body: Uint8Array<ArrayBuffer>;
  /** Its sender was told that it is stored, so that no quota refuses it any more. */
  isAcknowledged: boolean;
}

/** Writes for tenants that no other writer writes for. */
export interface OwningWriter extends StoreWriter {
  /** Aborted when it can no longer write. Another one must be opened. */
  readonly ended: AbortSignal;
  /**
   * Writes requests from a journal, those that fit in one commit together. A body that cannot be read has the error `mistake`. While an earlier request
   * of its app waits after a failure, what refers to traces is not written, so that a deletion does not overtake spans that were accepted before it.
   * @returns a result for each, in their order
   */
  apply(requests: readonly JournalRequest[]): Promise<StoreResult[]>;
  /** A request that failed is not applied again. @param number its own */
  giveUp(number: number): void;
}

/** A store to which changes may come over a journal. */
export interface OwnedTelemetry {
  /**
   * @param epoch higher than that of every earlier writer of the same tenants
   * @param part of the tenants that it writes for (tenant-parts.ts); null for all
   */
  openWriter(epoch: number, part: number | null): OwningWriter;
  /**
   * Bytes of a request for a journal, and their size before compression.
   * @throws StorageError
   */
  encode(request: SentRequest): Promise<{ body: Uint8Array<ArrayBuffer>; size: number }>;
  /** @param writer takes the changes to where they are durable; the store stops it */
  store(writer: StoreWriter): TelemetryStore;
}

/** @throws StorageError or QuotaExceeded when nothing was stored */
export function outcomeOf(result: StoreResult): WriteOutcome {
  if ('outcome' in result) return result.outcome;
  throw failureOf(result);
}

/** Why a result is not of the kind that its change has. */
export function failureOf(result: StoreResult): Error {
  if ('spent' in result) return new QuotaExceeded(result.spent);
  if ('error' in result) return result.error;
  return new StorageError('mistake', 'A change has a result of another kind');
}
