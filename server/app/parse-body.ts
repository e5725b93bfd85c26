/** Parses and validates a JSON body from its bytes. Runs on the event loop for small bodies and in a thread for large ones. */
import { type BodyLimit, bodyLimitOf } from '../../shared/contract/core/body-limit.ts';
import type { Route } from '../../shared/contract/core/route.ts';
import { inflate, UnreadableEncoding } from '../ingest/otlp/inflate.ts';
import { findJsonBomb } from '../ingest/otlp/scan-json.ts';
import { fail } from './fail.ts';
import { validate } from './validate.ts';

/** A body as it was sent. */
export interface SentBody<B extends ArrayBufferLike = ArrayBufferLike> {
  bytes: Uint8Array<B>;
  gzip: boolean;
}

/** The body, validated by the schema of its route. @throws Failure */
export const readSentBody = (sent: SentBody, route: Route): unknown =>
  validate(route.body, parseBody(sent, bodyLimitOf(route)), 'invalid_request_body');

/** Absent and `null` are an empty object (docs/reference/http-api.md#requests). @throws Failure */
export function parseBody({ bytes: sent, gzip }: SentBody, limit: BodyLimit): unknown {
  const bytes = gzip ? inflateGzip(sent, limit.bytes) : sent;
  if (bytes.length === 0) return {};
  const bomb = findJsonBomb(bytes, null, limit.values);
  if (bomb) invalid(`is ${bomb}`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) ?? {};
  } catch {
    return invalid('is not valid JSON in UTF-8');
  }
}

function inflateGzip(bytes: Uint8Array, bytesMax: number): Uint8Array {
  try {
    return inflate(bytes, 'gzip', bytesMax);
  } catch (error) {
    if (!(error instanceof UnreadableEncoding)) throw error;
    return fail(error.code, error.message, error.code === 'payload_too_large' ? { limit: bytesMax } : {});
  }
}

/** Whether it inflates to more than this many bytes. Inflates no further. */
export function inflatesBeyond(bytes: Uint8Array, bytesMax: number): boolean {
  try {
    inflate(bytes, 'gzip', bytesMax);
    return false;
  } catch (error) {
    // The reader of the body reports invalid gzip.
    return error instanceof UnreadableEncoding && error.code === 'payload_too_large';
  }
}

const invalid = (why: string): never => fail('invalid_request_body', 'Invalid request body', { details: { _: why } });
