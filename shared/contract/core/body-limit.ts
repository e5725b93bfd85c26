/** How large the body of a request may be, for each route. A route that takes more than the standard limit declares it, with the reason. */
import type { Route } from './route.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Bytes, decoded. */
export const bodyLimits = {
  /** Sign-in, credentials and settings: a few short strings. Such bodies are taken without compression, so that a small one stays small. */
  credential: 16 * KiB,
  /** The default of all other routes. The main thread reads bodies up to this size itself; larger ones go to a worker thread. */
  standard: 256 * KiB,
  /** No JSON body may be larger, whatever its route. Ingest and imports have limits of their own. */
  maximum: 10 * MiB,
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
/** As many as a worker thread can hand over without blocking the main thread. */
const valuesMax = 150_000;

export function bodyLimitOf({ bodyMax, permission, credential }: Pick<Route, 'bodyMax' | 'permission' | 'credential'>): BodyLimit {
  const handlesCredentials = permission === 'public' || permission === 'signed-in' || credential === 'session';
  const bytes = bodyMax ?? (handlesCredentials ? bodyLimits.credential : bodyLimits.standard);
  return { bytes, gzip: bytes > bodyLimits.credential, values: Math.min(bytes / bytesPerValue, valuesMax) };
}
