/**
 * Meaning of an answer to a batch (docs/reference/forwarding.md#what-an-answer-means). Only an answer that proves acceptance acknowledges a
 * batch. After any other answer the batch waits, is retried, or is halved until the message that cannot be accepted is alone.
 */

import { z } from 'zod';
import { jsonOf } from '../platform/json.ts';
import { wordsOfNetwork } from '../platform/network-words.ts';
import type { ForwardKind } from '../telemetry/forward-store.ts';

/** Answer or failure. */
export type CloudAnswer =
  | {
      kind: 'answered';
      status: number;
      contentType: string;
      /** Retry-After header; null for none. */
      retryAfter: string | null;
      /** At most `answerBytesMax`. */
      body: string;
      /** False when there was more of it. */
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
  /** Retry later; `afterMs` as the cloud demands. `blames`: counts towards suspecting the batch. */
  | { do: 'wait'; why: 'offline' | 'portal' | 'server_error'; message: string; afterMs: number | null; blames: boolean }
  /** Go on, at half the pace. */
  | { do: 'slow'; afterMs: number }
  /** The tenant has no room for more: ask with one span from time to time. */
  | { do: 'probe'; message: string; afterMs: number; current: number | null; limit: number | null }
  /** Something in it cannot be taken. */
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
  if (answer.kind === 'unreachable') return offline(wordsOfNetwork(answer.why));
  if (answer.kind === 'untrusted') return pause('certificate', answer.why, null);
  const { status } = answer;
  if (kind === 'scores' && [200, 201, 207, 400].includes(status)) return ofScores(answer);
  if (status === 200) return ofSuccess(answer);
  if (status >= 300 && status < 400) return pause('address', 'The address leads elsewhere, and the key is not for there', null);
  const { code, message, ...room } = readRefusal(answer);
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
      return { do: 'probe', message, afterMs: Math.min(afterMs ?? quotaMaxMs, quotaMaxMs), ...room };
    case 408:
    case 425:
    case 502:
    case 503:
    case 504:
      return { do: 'wait', why: 'server_error', message, afterMs, blames: false };
    default:
      if (status >= 500) return { do: 'wait', why: 'server_error', message, afterMs, blames: true };
      return pause('incompatible', message, null);
  }
}

/** Code for support: `401 unauthorized`, `ECONNREFUSED`. */
export function codeOf(answer: CloudAnswer): string {
  return answer.kind === 'answered' ? `${answer.status} ${readRefusal(answer).code}`.trim() : answer.why;
}

/** Captive portals answer 200 too. */
const portal: Verdict = { do: 'wait', why: 'portal', message: 'Something else answered for the cloud', afterMs: null, blames: false };

function ofSuccess({ contentType, body, isWhole }: CloudAnswer & { kind: 'answered' }): Verdict {
  if (!isWhole || !/^application\/json\b/i.test(contentType)) return portal;
  const read = otlpReply.safeParse(jsonOf(body));
  if (!read.success) return portal;
  const { rejectedSpans, rejectedLogRecords, errorMessage = '' } = read.data.partialSuccess ?? {};
  return { do: 'advance', refused: Number(rejectedSpans ?? rejectedLogRecords ?? 0), message: errorMessage };
}

/** A score is idempotent by its id, so it may be sent again with a half of its batch. */
function ofScores(answer: CloudAnswer & { kind: 'answered' }): Verdict {
  const read = scoresReply.safeParse(jsonOf(answer.body));
  const { results, summary } = read.data?.data ?? { results: [], summary: null };
  if (answer.status === 201 && summary?.failed === 0) return { do: 'advance', refused: 0, message: '' };
  // A genuine answer has a result for each score.
  if (answer.status === 200 || answer.status === 201) return portal;
  return { do: 'split', message: results.find(({ error }) => error)?.error?.message ?? readRefusal(answer).message };
}

function readRefusal({ status, body }: CloudAnswer & { kind: 'answered' }) {
  const read = refusal.safeParse(jsonOf(body));
  if (!read.success) return { code: '', message: `It answered ${status}`, current: null, limit: null };
  const { code, message, current = null, limit = null } = read.data.error;
  return { code, message, current, limit };
}

/** Seconds or a date. Null for invalid values and past dates. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // A date, and not whatever else Date reads.
  const at = /GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return at > now ? at - now : null;
}

const offline = (message: string): Verdict => ({ do: 'wait', why: 'offline', message, afterMs: null, blames: false });
const pause = (reason: PauseReason, message: string, again: number | null): Verdict => ({ do: 'pause', reason, message, probeMs: again });
