import type { AlertTestResult } from '../../shared/contract/operations/alert-delivery.ts';
import type { Outcome } from '../platform/outbound/outbound.ts';

/** Result of one attempt. `waiting` will be retried. */
export interface SendResult extends AlertTestResult {
  retryAfterSeconds: number | null;
}

export const skipped = (answer: string): SendResult => ({ state: 'skipped', answer, retryAfterSeconds: null });

/** Failures that may pass are retried: a receiver that is slow, overloaded, broken or unreachable. */
export function resultOf(outcome: Outcome): SendResult {
  if (outcome.kind === 'blocked') return { state: 'blocked', answer: 'blocked', retryAfterSeconds: null };
  if (outcome.kind === 'unreachable') {
    return { state: 'waiting', answer: outcome.why === 'timeout' ? 'timeout' : 'unreachable', retryAfterSeconds: null };
  }
  const { status, retryAfterSeconds } = outcome;
  const answer = `${Math.floor(status / 100)}xx`;
  if (status >= 200 && status < 300) return { state: 'delivered', answer, retryAfterSeconds: null };
  const isTemporary = status === 408 || status === 429 || status >= 500;
  return { state: isTemporary ? 'waiting' : 'failed', answer, retryAfterSeconds };
}
