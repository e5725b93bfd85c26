/** Refuses requests while ingest is overloaded. */
import { IngestOverload } from '../ingest/admission.ts';
import { ThreadDied } from '../platform/thread-queue.ts';
import { failForNow } from './fail.ts';

/** For requests whose thread died; it is restarted. */
export function failForDeadThread(error: unknown): never {
  if (error instanceof ThreadDied) failForNow('service_unavailable', 'A thread of the gateway failed; send it again', 1);
  throw error;
}

/** Returns for any other error. */
export function failForOverload(error: unknown): void {
  if (error instanceof IngestOverload) failForNow('service_unavailable', error.message, error.retryAfterSeconds);
}
