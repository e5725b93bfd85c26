/** A compact record of a sent span: enough to compute what the gateway must show. */
import { createHash } from 'node:crypto';
import type { Format } from '../traffic/formats.ts';

export interface SentSpan {
  trace: string;
  id: string;
  parent: string | null;
  name: string;
  start_ns: bigint;
  end_ns: bigint;
  status: 0 | 1 | 2;
  /** Null where the span reports no usage. */
  tokens: number | null;
  cost: number | null;
  session: string;
  /** Digests of the payload as the API must return it; '' for none. */
  input: string;
  output: string;
  /** A request with this span was answered with 200. */
  acked: boolean;
  /** Found by the last check. */
  present: boolean;
  /** Its complete payload was read and is correct. */
  isRead: boolean;
}

export interface SentRequest {
  spans: SentSpan[];
  format: Format;
  /** Emptied when it will not be retried. */
  body: Buffer;
  acked: boolean;
}

export const digestOf = (text: string): string => (text === '' ? '' : createHash('sha256').update(text).digest('base64url'));
