/** How large the body of a request may be, for each route. A route that takes more than the usual says so in its declaration, and why. */
import type { Route } from './route.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Bytes, decoded. */
export const bodyLimits = {
  /** Sign-in, credentials and settings: a few short strings. Such bodies are taken without compression, so that a small one stays small. */
  credential: 16 * KiB,
  /** What a route takes that says nothing else. The HTTP loop reads bodies up to here itself; larger ones go to a thread. */
  usual: 256 * KiB,
  /** No JSON body may have more, whatever its route. Ingest and imports have limits of their own. */
  most: 10 * MiB,
} as const;

/** What one JSON body may hold. */
export interface BodyLimit {
  /** Decoded. */
  bytes: number;
  /** Whether it may be sent with `Content-Encoding: gzip`. */
  gzip: boolean;
  /** Values and keys together. Many small ones cost far more memory and time than their bytes. */
  values: number;
}

const bytesPerValue = 16;
/** What a thread of the gateway can hand over without holding it up. */
const valuesMost = 150_000;

export function bodyLimitOf({ bodyMax, permission, credential }: Pick<Route, 'bodyMax' | 'permission' | 'credential'>): BodyLimit {
  const isOfCredentials = permission === 'public' || permission === 'signed-in' || credential === 'session';
  const bytes = bodyMax ?? (isOfCredentials ? bodyLimits.credential : bodyLimits.usual);
  return { bytes, gzip: bytes > bodyLimits.credential, values: Math.min(bytes / bytesPerValue, valuesMost) };
}
