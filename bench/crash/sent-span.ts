/** What a client sent, kept small: enough to say what the gateway must show of it. */
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
  /** Digests of the payload as the API must give it back; '' for none. */
  input: string;
  output: string;
  /** A 200 was received for a request that held it. */
  acked: boolean;
  /** Seen at the last check. */
  present: boolean;
  /** Its whole payload was read and is right. */
  isRead: boolean;
}

export interface SentRequest {
  spans: SentSpan[];
  format: Format;
  /** Dropped once no retry can follow. */
  body: Buffer;
  acked: boolean;
}

export const digestOf = (text: string): string => (text === '' ? '' : createHash('sha256').update(text).digest('base64url'));
