import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** Quota usage of a tenant, over all its apps. */
export interface Usage {
  /** Spans first stored in the requested month. */
  spans: number;
  /** Bytes of records and long texts since the beginning, before compression. */
  bytes: number;
}

export interface UsageReader {
  /** @param at_ms a moment of the month, UTC */
  of(scope: Scope, at_ms: number): Promise<Encoded<Usage>>;
}
