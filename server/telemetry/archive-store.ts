import type { Scope } from '../platform/scope.ts';

/**
 * Reason why traces cannot be exported: a trace that is not stored, more than `exportBytesMax`, or, for a trace archive, a span or log record received
 * as protobuf with more arrays and objects than the JSON limit.
 */
export type ExportProblem = { kind: 'missing'; trace_id: string } | { kind: 'too_large' };

/** File with complete traces. `bytes` is empty when `problem` is not null. */
export interface TraceFile {
  problem: ExportProblem | null;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A range of `OpenedArchive.bytes` with one OTLP/JSON request. */
export interface ArchivePart {
  signal: 'traces' | 'logs';
  at: number;
  size: number;
}

/** Validated content of a trace archive, not stored yet. */
export interface OpenedArchive {
  /** Message for the user when the file cannot be imported; all other fields are empty then. */
  problem: string | null;
  trace_ids: string[];
  parts: ArchivePart[];
  /** Scores as in the file, checked only to belong to its traces and spans. */
  scores: unknown[];
  /** Tags that people gave, by trace id, as in the file. */
  added_tags: Record<string, string[]>;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Complete traces as files (shared/contract/tracing/trace-files.ts). */
export interface ArchiveStore {
  /** OTLP/JSON document with every span as received, in order of arrival. Importing it again changes nothing. */
  otlp(scope: Scope, traceIds: readonly string[]): Promise<TraceFile>;
  /** The same with the scores and the tags that people gave, as a trace archive. */
  pack(scope: Scope, traceIds: readonly string[], createdMs: number): Promise<TraceFile>;
  /**
   * Validates a file of unknown origin and returns its content. MUST NOT read anything outside the bytes of the file, and MUST report every
   * problem that would make a later write fail: an import stores all or nothing.
   */
  open(scope: Scope, bytes: Uint8Array): Promise<OpenedArchive>;
}
