/**
 * Meaning of an answer to a batch (docs/reference/forwarding.md#what-an-answer-means). Only an answer that proves acceptance acknowledges a
 * batch. After any other answer the batch waits, is retried, or is halved until the message that cannot be accepted is alone.
 */

import { z } from 'zod';
import { jsonOf } from '../platform/json.ts';
import { networkMessage } from '../platform/network-messages.ts';
import type { ForwardKind } from '../telemetry/forward-store.ts';

/** Answer of a cloud, or the failure to get one. */
export type CloudAnswer =
  | {
      kind: 'answered';
      status: number;
      contentType: string;
      /** Retry-After header; null for none. */
      retryAfter: string | null;
      /** At most `answerBytesMax`. */
      body: string;
      /** False when the body was longer. */
      isWhole: boolean;
      /** Request id of the cloud; absent without one. */
      requestId?: string | undefined;
    }
  | { kind: 'unreachable'; why: string }
  /** The certificate does not match. */
  | { kind: 'untrusted'; why: string };

export const answerBytesMax = 64 * 1024;

/** Reasons to pause until a user acts. */
export type PauseReason = 'address' | 'key' | 'permission' | 'incompatible' | 'certificate';

export type Verdict =
  /** Accepted. `refused` items are rejected for good, with a reason. */
  | { do: 'advance'; refused: number; message: string }
  /** Retry later; `afterMs`: minimum wait that the cloud asked for. `blamesBatch`: the batch may be the cause. */
  | { do: 'wait'; why: 'offline' | 'portal' | 'server_error'; message: string; afterMs: number | null; blamesBatch: boolean }
  /** Continue at half the pace. */
  | { do: 'slow'; afterMs: number }
  /** The quota of the tenant is used up: try one span from time to time. */
  | { do: 'probe'; message: string; afterMs: number; current: number | null; limit: number | null }
  /** At least one message of the batch cannot be accepted. */
  | { do: 'split'; message: string }
  | { do: 'pause'; reason: PauseReason; message: string; probeMs: number | null };

const minuteMs = 60_000;
const probeMs = 10 * minuteMs;
const slowMaxMs = 15 * minuteMs;
const quotaMaxMs = 60 * minuteMs;

const rejected = z.union([z.int(), z.string().regex(/^\d+$/)]).optional();
const otlpReply = z.looseObject({
  partialSuccess: z.looseObject({ rejectedSpans: rejected, rejectedLogRecords: rejected, errorMessage: z.string().optional() }).optional(),
});
/** Answer of `POST /v1/scores/batch` with a result for each score: 201 for all accepted, 207 for some, 400 for none. */
const scoresReply = z.looseObject({
  data: z.looseObject({
    results: z.array(z.looseObject({ error: z.looseObject({ message: z.string() }).optional() })),
    summary: z.looseObject({ failed: z.int() }),
  }),
});
const refusal = z.object({
  error: z.looseObject({ code: z.string(), message: z.string(), current: z.number().optional(), limit: z.number().optional() }),
});

/** @param now milliseconds since the epoch, for dates in `Retry-After` */
export function verdictOf(answer: CloudAnswer, kind: ForwardKind, now: number): Verdict {
  if (answer.kind === 'unreachable') return offline(networkMessage(answer.why));
  if (answer.kind === 'untrusted') return pause('certificate', answer.why, null);
  const { status } = answer;
  if (kind === 'scores' && [200, 201, 207, 400].includes(status)) return ofScores(answer);
  if (status === 200) return ofSuccess(answer);
  if (status >= 300 && status < 400) return pause('address', 'The address redirects elsewhere, and the key must not be sent there', null);
  const { code, message, ...quota } = readRefusal(answer);
  const afterMs = readRetryAfter(answer.retryAfter, now);
  switch (status) {
    case 400:
    case 413:
      return { do: 'split', message };
    case 401:
      return pause('key', message, probeMs);
    case 403:
      return pause('permission', message, probeMs);
    case 404:
    case 405:
    case 410:
    case 415:
    case 426:
    case 501:
      return pause('incompatible', message, null);
    case 429:
      if (code !== 'span_limit_exceeded' && code !== 'storage_cap_exceeded')
        return { do: 'slow', afterMs: Math.min(afterMs ?? minuteMs, slowMaxMs) };
      return { do: 'probe', message, afterMs: Math.min(afterMs ?? quotaMaxMs, quotaMaxMs), ...quota };
    case 408:
    case 425:
    case 502:
    case 503:
    case 504:
      return { do: 'wait', why: 'server_error', message, afterMs, blamesBatch: false };
    default:
      if (status >= 500) return { do: 'wait', why: 'server_error', message, afterMs, blamesBatch: true };
      return pause('incompatible', message, null);
  }
}

/** Code for support: `401 unauthorized`, `ECONNREFUSED`. */
export function codeOf(answer: CloudAnswer): string {
  return answer.kind === 'answered' ? `${answer.status} ${readRefusal(answer).code}`.trim() : answer.why;
}

/** Captive portals answer 200 too. */
const portal: Verdict = { do: 'wait', why: 'portal', message: 'The answer did not come from the cloud', afterMs: null, blamesBatch: false };

function ofSuccess({ contentType, body, isWhole }: CloudAnswer & { kind: 'answered' }): Verdict {
  if (!isWhole || !/^application\/json\b/i.test(contentType)) return portal;
  const parsed = otlpReply.safeParse(jsonOf(body));
  if (!parsed.success) return portal;
  const { rejectedSpans, rejectedLogRecords, errorMessage = '' } = parsed.data.partialSuccess ?? {};
  return { do: 'advance', refused: Number(rejectedSpans ?? rejectedLogRecords ?? 0), message: errorMessage };
}

/** A score is idempotent by its id, so it may be sent again with a half of its batch. */
function ofScores(answer: CloudAnswer & { kind: 'answered' }): Verdict {
  const parsed = scoresReply.safeParse(jsonOf(answer.body));
  const { results, summary } = parsed.data?.data ?? { results: [], summary: null };
  if (answer.status === 201 && summary?.failed === 0) return { do: 'advance', refused: 0, message: '' };
  // A genuine answer has a result for each score.
  if (answer.status === 200 || answer.status === 201) return portal;
  return { do: 'split', message: results.find(({ error }) => error)?.error?.message ?? readRefusal(answer).message };
}

function readRefusal({ status, body }: CloudAnswer & { kind: 'answered' }) {
  const parsed = refusal.safeParse(jsonOf(body));
  if (!parsed.success) return { code: '', message: `It answered ${status}`, current: null, limit: null };
  const { code, message, current = null, limit = null } = parsed.data.error;
  return { code, message, current, limit };
}

/** Seconds or a date. Null for invalid values and past dates. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Only HTTP dates: Date.parse accepts other texts too.
  const at = /GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return at > now ? at - now : null;
}

const offline = (message: string): Verdict => ({ do: 'wait', why: 'offline', message, afterMs: null, blamesBatch: false });
const pause = (reason: PauseReason, message: string, probeMs: number | null): Verdict => ({ do: 'pause', reason, message, probeMs });
