import type { Scope } from '../platform/scope.ts';

/**
 * Why there is no file: a trace that is not stored, or more than `exportBytesMax`; for a trace archive also one span or log record, sent as
 * protobuf, of more arrays and objects than are read as JSON.
 */
export type NoFile = { kind: 'missing'; trace_id: string } | { kind: 'too_large' };

/** A file of whole traces. `bytes` is empty when there is none. */
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

/** What a trace archive holds, read and checked, and not stored. */
export interface OpenedArchive {
  /** Why it cannot be taken, for a person; then all else is empty. */
  problem: string | null;
  trace_ids: string[];
  parts: ArchivePart[];
  /** As the file has them: of its traces and spans, but not judged otherwise. */
  scores: unknown[];
  bytes: Uint8Array<ArrayBuffer>;
}

/** Whole traces as files (shared/contract/trace-files.ts). */
export interface ArchiveStore {
  /** One OTLP/JSON document: every span as it was received, in the order of arrival. What is sent again is stored the same. */
  otlp(scope: Scope, traceIds: readonly string[]): Promise<TraceFile>;
  /** The same with the scores, as a trace archive. */
  pack(scope: Scope, traceIds: readonly string[], createdMs: number): Promise<TraceFile>;
  /**
   * Checks a file from anywhere and gives what it holds. MUST NOT follow anything the file says beyond its own bytes, and MUST find
   * a problem in every file of which a part would be refused later: an import stores all or nothing.
   */
  open(scope: Scope, bytes: Uint8Array): Promise<OpenedArchive>;
}
