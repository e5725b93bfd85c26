/** How a request is refused that comes when too much is being taken in. */
import { IngestOverload } from '../ingest/admission.ts';
import { failForNow } from './fail.ts';

/** Returns when the error is another. */
export function tellOverload(error: unknown): void {
  if (error instanceof IngestOverload) failForNow('service_unavailable', error.message, error.retryAfterSeconds);
}
