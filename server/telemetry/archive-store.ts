import type { Scope } from '../platform/scope.ts';

/**
 * Reason for a missing file: a trace that is not stored, more than `exportBytesMax`, or, for a trace archive, a span or log record received
 * as protobuf with more arrays and objects than the JSON limit.
 */
export type NoFile = { kind: 'missing'; trace_id: string } | { kind: 'too_large' };

/** File with whole traces. `bytes` is empty when there is a reason for none. */
export interface TraceFile {
  none: NoFile | null;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A run of `OpenedArchive.bytes`: one OTLP/JSON request. */
export interface ArchivePart {
  signal: 'traces' | 'logs';
  at: number;
  size: number;
}

/** Validated content of a trace archive, not stored yet. */
export interface OpenedArchive {
  /** Why it cannot be taken, for a person; then all else is empty. */
  problem: string | null;
  trace_ids: string[];
  parts: ArchivePart[];
  /** Scores as in the file, checked only to belong to its traces and spans. */
  scores: unknown[];
  bytes: Uint8Array<ArrayBuffer>;
}

/** Whole traces as files (shared/contract/tracing/trace-files.ts). */
export interface ArchiveStore {
  /** OTLP/JSON document with every span as received, in order of arrival. Importing it again changes nothing. */
  otlp(scope: Scope, traceIds: readonly string[]): Promise<TraceFile>;
  /** The same with the scores, as a trace archive. */
  pack(scope: Scope, traceIds: readonly string[], createdMs: number): Promise<TraceFile>;
  /**
   * Validates a file of unknown origin and returns its content. MUST NOT read anything outside the bytes of the file, and MUST report every
   * problem that would make a later write fail: an import stores all or nothing.
   */
  open(scope: Scope, bytes: Uint8Array): Promise<OpenedArchive>;
}
