import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** What a tenant has written under an allowance, over all its apps. */
export interface Usage {
  /** Stored for the first time in the month that was asked for. */
  spans: number;
  /** Of records and long texts, before compression; since the beginning. */
  bytes: number;
}

export interface UsageReader {
  /** @param at_ms a moment of the month, UTC */
  of(scope: Scope, at_ms: number): Promise<Encoded<Usage>>;
}
